"""The points of a hand of Smear (SM-6)."""

from __future__ import annotations

from random import Random

import pytest

from any_deal import do
from engine.card import PACK_32, parse_card
from engine.event import Discarded, ScoreLine, TrickTaken
from engine.game import DealResult
from engine.games.smear.score import COUNTS
from smear_deals import bid_by, bidder_holding, cards, deck_of, new_deal, play_of


def points_of(deal: object, name: str) -> list[int]:
    """The sides that have a point of that name in the result."""
    return [line.side for line in deal.result().lines if line.name.split()[0] == name and line.points]  # type: ignore[attr-defined]


def test_sm_6_4_the_counts() -> None:
    """A 4, K 3, Q 2, J 1, ten 10, others 0 in every suit; the pack counts 80."""
    for suit in "CDHS":
        assert [COUNTS[parse_card(rank + suit)] for rank in "AKQJT987"] == [4, 3, 2, 1, 10, 0, 0, 0]
    assert sum(COUNTS[card] for card in PACK_32) == 80


def test_sm_6_1_and_6_2_high_and_low_go_to_whoever_plays_them() -> None:
    """Not to whoever wins the trick: the seven wins nothing and the partner's ace is the side's own."""
    deal = play_of(["7S", "8S", "AS", "TS"], "S")
    do(deal, "play 7S", "play 8S", "play AS", "play TS")
    assert (points_of(deal, "high"), points_of(deal, "low")) == ([0], [0])
    deal = play_of(["AS", "7S", "9S", "8S"], "S")
    do(deal, "play AS", "play 7S", "play 9S", "play 8S")
    assert (points_of(deal, "high"), points_of(deal, "low")) == ([0], [1])


def test_sm_6_3_jack_goes_to_whoever_wins_its_trick() -> None:
    """Whoever played it; the jack of another suit is none."""
    for hands, winner in ((["8S", "JS", "9S", "QS"], 1), (["JS", "7S", "QS", "8S"], 0), (["JS", "KS", "QS", "8S"], 1)):
        deal = play_of(hands, "S")
        do(deal, *(f"play {card}" for card in hands))
        assert points_of(deal, "jack") == [winner]
    deal = play_of(["8S", "JH", "9S", "QS"], "S")
    do(deal, "play 8S", "play JH", "play 9S", "play QS")
    assert points_of(deal, "jack") == []


@pytest.mark.parametrize(
    ("hands", "fixed", "in_play"),
    [
        (["KS", "8S", "9D", "TD"], ([], []), ([0], [1])),
        (["KS", "AH", "9D", "TD"], ([], []), ([0], [0])),
        (["9S", "QS", "8S", "KS"], ([], []), ([1], [0])),
        (["AS", "8S", "9D", "TD"], ([0], []), ([0], [1])),
        (["KS", "9S", "7S", "TD"], ([], [0]), ([0], [0])),
        (["AS", "9S", "7S", "TS"], ([0], [0]), ([0], [0])),
    ],
)
def test_sm_6_5_high_low(hands: list[str], fixed: tuple[list[int], ...], in_play: tuple[list[int], ...]) -> None:
    """`fixed`: ace and 7 or nobody; `in_play`: the highest and the lowest trump that was played."""
    for option, expected in (("fixed", fixed), ("in_play", in_play)):
        deal = play_of(hands, "S", high_low=option)
        do(deal, *(f"play {card}" for card in hands))
        assert (points_of(deal, "high"), points_of(deal, "low")) == expected


def test_sm_6_5_jack_is_the_jack_under_either_high_low() -> None:
    """The point for the jack does not move to another card."""
    for option in ("fixed", "in_play"):
        deal = play_of(["QS", "8S", "9S", "TS"], "S", high_low=option)
        do(deal, "play QS", "play 8S", "play 9S", "play TS")
        assert points_of(deal, "jack") == []


def seven_spades(**options: str) -> object:
    """X7 played: the bidder has put away the jack of trumps, and wins all tricks with the other six."""
    deal = bidder_holding("AS KS QS TS 9S 8S JS", 1, **options)
    do(deal, "discard JS", "play AS")
    while deal.turn is not None:
        deal.apply(deal.legal()[-1])
    return deal


def test_sm_4_5_a_discarded_trump_counts_and_scores_nothing_else() -> None:
    """X7: the jack put away is a count of 1 for the bidder's side, and no jack point; it is shown (SM-4.7)."""
    deal = seven_spades()
    assert points_of(deal, "jack") == []
    result = deal.result()  # type: ignore[attr-defined]
    assert result.shown == (Discarded(0, cards("JS")),)
    counts = sum(COUNTS[card] for _, trick, _ in deal.tricks for card in trick)  # type: ignore[attr-defined]
    assert ScoreLine(f"game {counts + 1}-0", 0, 1) in result.lines


@pytest.mark.parametrize(("option", "high", "low"), [("fixed", [], []), ("in_play", [0], [0])])
def test_sm_4_5_a_discarded_ace_or_seven_was_not_played(option: str, high: list[int], low: list[int]) -> None:
    """Nobody has high or low for it; under `in_play` the next ones that were played have them."""
    deal = bidder_holding("KS QS JS TS 9S 8S AS 7S", 2, high_low=option)
    do(deal, "discard 7S AS")
    while deal.turn is not None:
        deal.apply(deal.legal()[-1])
    assert (points_of(deal, "high"), points_of(deal, "low")) == (high, low)


def test_sm_4_6_undealt_cards_that_were_not_taken_count_for_nobody() -> None:
    """The counts of a hand are those of 24 cards and the discards: here all tens and aces stay undealt."""
    deck = deck_of(["KS QS JS 9S 8S 7S", "KH QH JH 9H 8H 7H", "KD QD JD 9D 8D 7D", "KC QC JC 9C 8C 7C"])
    deal = new_deal(deck, kitty_cards=0)
    bid_by(0, 4, deal)
    while deal.turn is not None:
        deal.apply(deal.legal()[0])
    assert ScoreLine("game 24-0", 0, 1) in deal.result().lines


def test_sm_6_6_a_tie_scores_nothing() -> None:
    """The line says how it stood and has no point."""
    deal = play_of(["AS 8D", "TH 9D", "8S KD", "7S 7H"], "S")
    deal.tricks[:4] = [(1, cards("AC KC TD 7D"), 1), *deal.tricks[1:4]]
    do(deal, "play AS", "play TH", "play 8S", "play 7S", "play 8D", "play 9D", "play KD", "play 7H")
    assert ScoreLine("game 17-17", 0, 0) in deal.result().lines
    assert points_of(deal, "game") == []


@pytest.mark.parametrize(("level", "made"), [(2, True), (3, True), (4, False)])
def test_sm_7_1_a_bid_is_made_with_as_many_points(level: int, made: bool) -> None:  # noqa: FBT001 - a parameter
    """Three points: bids of 2 and 3 are made, 4 is not; the points stand as they were won, and a line says it."""
    deck = deck_of(["AS KS QS JS TS 9S", "7H 8H 9H TH JH QH", "7D 8D 9D TD JD QD", "7C 8C 9C TC JC QC"])
    deal = new_deal(deck, kitty_cards=0)
    bid_by(0, level, deal)
    while deal.turn is not None:
        deal.apply(deal.legal()[-1])
    outcome = "made" if made else "not made"
    assert deal.result() == DealResult(
        (3, 0),
        0,
        level,
        made,
        (
            ScoreLine("high", 0, 1),
            ScoreLine("jack", 0, 1),
            ScoreLine("game 59-0", 0, 1),
            ScoreLine(f"bid {level} {outcome}", 0, 0),
        ),
    )


def test_a_hand_is_scored_when_it_is_over() -> None:
    """Before that there is no result."""
    deal = new_deal()
    while deal.turn is not None:
        with pytest.raises(ValueError, match="when it is over"):
            deal.result()
        deal.apply(deal.legal()[-1])
    assert deal.result().declarer is not None


@pytest.mark.parametrize("seed", range(60))
def test_a_hand_at_random_scores_what_the_clauses_say(seed: int) -> None:
    """SM-4.5, SM-6 written anew from what happened: points, counts and lines, under both kinds of high and low."""
    dice = Random(seed)
    option = ("fixed", "in_play")[seed % 2]
    deal = new_deal(dice.sample(PACK_32, 32), kitty_cards=seed % 4, high_low=option)
    bid_by(seed % 4, 3, deal)
    story = []
    while deal.turn is not None:
        deal.apply(dice.choice(deal.legal()), story)
    trump, bidder = deal.view(0).trump, seed % 2
    played, counts, jack, table = {}, [0, 0], None, []
    for event in story:
        if hasattr(event, "card"):
            table.append(event)
        if isinstance(event, Discarded):
            counts[bidder] += sum(COUNTS[card] for card in event.cards)
        if isinstance(event, TrickTaken):
            side = event.seat % 2
            counts[side] += sum(COUNTS[play.card] for play in table)
            played |= {play.card.rank: play.seat % 2 for play in table if play.card.suit == trump}
            jack = side if any(str(play.card) == f"J{trump}" for play in table) else jack
            table = []
    top, bottom = (14, 7) if option == "fixed" else (max(played), min(played))
    game = None if counts[0] == counts[1] else counts.index(max(counts))
    winners = [played.get(top), played.get(bottom), jack, game]
    assert deal.result().points == (winners.count(0), winners.count(1))
    named = zip(("high", "low", "jack", f"game {max(counts)}-{min(counts)}"), winners, strict=True)
    lines = [ScoreLine(name, side, 1) for name, side in named if side is not None]
    assert [line for line in deal.result().lines if line.points] == lines
