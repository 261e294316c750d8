"""How the steady bot plays Smear: that it wins, and that it does what a sensible player does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from arena.bot import Choice, Decision, MatchOffer
from arena.bot.local import play_matches
from engine.action import LEVEL_BIDS, PASS, Action, Call, Discard, Play, parse_action
from engine.card import Card, Strain, parse_card
from engine.clock import SECOND, TimeLeft
from engine.game import Rules
from engine.view import Trick, View
from sample_bots.python import random_bot
from sample_bots.python.four_points import worth
from sample_bots.python.steady_bot import SteadyBot

GAME = "smear"
RULES: Rules = {"kitty_cards": 3, "target": 15}


def test_a_steady_pair_beats_a_random_one(*, soak: bool) -> None:
    """It wins nearly all matches: at least 19 of 20, under `make soak` 190 of 200."""
    count, least = (200, 190) if soak else (20, 19)
    bots = [SteadyBot, random_bot.choose, SteadyBot, random_bot.choose]
    matches = play_matches(bots, count, game=GAME, seed=1)
    assert sum(match.points(0) for match in matches) >= least


@pytest.mark.parametrize(
    "rules",
    [
        {"kitty_cards": 0, "high_low": "in_play"},
        {"kitty_cards": 1, "dealer_steals": "on", "all_pass": "dealer_must_bid"},
        {"must_bid_to_win": "on", "cap_non_bidder": "on", "both_out": "higher"},
    ],
)
def test_a_steady_pair_plays_by_every_option(rules: dict[str, str | int]) -> None:
    """Under each option it makes no illegal move and beats the random pair."""
    bots = [SteadyBot, random_bot.choose, SteadyBot, random_bot.choose]
    matches = list(play_matches(bots, 2, game=GAME, rules=rules, seed=2))
    assert not any(match.termination.forfeit for match in matches)
    assert sum(match.points(0) for match in matches) >= 1.5


def cards(text: str) -> tuple[Card, ...]:
    """Cards by their names, in ascending order."""
    return tuple(sorted(map(parse_card, text.split())))


def decision(
    phase: str, hand: str, legal: list[Action], *, trick: str = "", trump: str = "", totals: tuple[int, int] = (0, 0)
) -> Decision:
    """A decision of seat 0, when so many others have played to `trick` before it."""
    table = tuple(map(parse_card, trick.split()))
    view = View(
        seat=0,
        deal_no=0,
        dealer=3,
        phase=phase,
        hand=cards(hand),
        hand_counts=(len(hand.split()),) * 4,
        totals=totals,
        taken=(0, 0),
        table=Trick(-len(table) % 4, table) if phase == "play" else None,
        trump=parse_card(f"2{trump}").suit if trump else Strain.NONE,
    )
    offer = MatchOffer("m", GAME, RULES, sides=(0, 1, 0, 1))
    return Decision(1, view, tuple(legal), TimeLeft(60 * SECOND, 10 * SECOND), offer)


def decide(phase: str, hand: str, legal: list[Action], **told: Any) -> Action:
    """What the bot does in such a decision."""
    answer = SteadyBot().choose(decision(phase, hand, legal, **told))
    plain = answer.answer if isinstance(answer, Choice) else answer
    assert isinstance(plain, Call | Discard | Play)
    assert plain in legal
    return plain


def actions(*texts: str) -> list[Action]:
    """Actions by their texts."""
    return list(map(parse_action, texts))


def plays(text: str) -> list[Action]:
    """Plays of these cards."""
    return [parse_action(f"play {card}") for card in text.split()]


BIDS = [PASS, *(LEVEL_BIDS[level] for level in (2, 3, 4))]


@pytest.mark.parametrize(
    ("hand", "call"),
    [
        ("AS KS JS 7S AH TD", "bid 2"),  # three points are in the hand, but the lowest bid will do
        ("KS 9S QH 8D KC 9C", "pass"),
        ("AH 7H 9D 8C TS 9S", "bid 2"),  # high and low
    ],
)
def test_it_bids_on_high_low_jack_and_length(hand: str, call: str) -> None:
    """A hand with points of its own bids the least it can, one without passes."""
    assert str(decide("auction", hand, BIDS)) == call


def test_it_is_outbid_when_too_much_is_asked() -> None:
    """What is worth 2 is not worth 4."""
    assert decide("auction", "AH 7H 9D 8C TS 9S", [PASS, LEVEL_BIDS[4]]) is PASS


def test_it_bids_when_it_must() -> None:
    """Where passing is not legal, the lowest bid is made, on any hand (SM-3.5)."""
    assert str(decide("auction", "8S 9H 8H 9D 8C 9C", BIDS[1:])) == "bid 2"


def test_it_stretches_to_keep_the_bid_from_a_side_that_is_nearly_out() -> None:
    """A hand that is a little short of its bid is bid all the same near the end."""
    hand = "KS JS 9S 8H 9D TC"
    assert decide("auction", hand, BIDS, totals=(0, 0)) is PASS
    assert str(decide("auction", hand, BIDS, totals=(0, 13))) == "bid 2"


def test_it_keeps_trumps_and_puts_tens_away() -> None:
    """Of nine cards the six that are kept are the trumps and the ace; tens count for the game from the discards."""
    hand = "AS KS JS 8S 7S AH TD TC 8C"
    legal = actions("discard TD TC 8C", "discard 7S 8S JS", "discard AH TD 8C", "discard AH 8C TC")
    assert decide("discard", hand, legal) == parse_action("discard TD TC 8C")


def test_its_first_lead_names_the_suit_that_promises_most() -> None:
    """It leads a card of its best suit, among those that may be led (SM-4.4)."""
    lead = decide("play", "AS KS JS 8H TH 9D", plays("AS KS JS 8H TH 9D"))
    assert isinstance(lead, Play)
    assert lead.card.suit is Strain.SPADES
    lead = decide("play", "AS KS JS 8H TH 9D", plays("8H TH 9D"))
    assert isinstance(lead, Play)
    assert lead.card.suit is Strain.HEARTS


@pytest.mark.parametrize(
    ("trick", "card"),
    [
        ("7D AD 8D", "TD"),  # the partner's ace wins, nobody comes after
        ("AD 8D 9D", "7D"),  # an opponent's does
    ],
)
def test_it_gives_tens_to_its_partner_alone(trick: str, card: str) -> None:
    """The ten goes into a trick that the partner wins, the cheapest card into one that is lost."""
    assert decide("play", "TD 7D", plays("TD 7D"), trick=trick, trump="S") == parse_action(f"play {card}")


def test_it_counts_trumps() -> None:
    """The jack is worth leading the more, the fewer of the trumps above it are still out."""
    asked = decision("play", "JS 8H", plays("JS 8H"), trump="S")
    jack = parse_card("JS")

    def worth_after(gone: str) -> float:
        trick = Trick(0, tuple(map(parse_card, gone.split())), 0)
        return worth(jack, Strain.SPADES, replace(asked, view=replace(asked.view, tricks=(trick,))))

    out = [worth_after(gone) for gone in ("7C 8C 9C TC", "AS 8C 9C TC", "AS KS 9C TC", "AS KS QS TC")]
    assert out == sorted(set(out))


def test_it_brings_the_jack_home() -> None:
    """The jack of trumps takes a trick that nobody can take back."""
    assert decide("play", "JS 8S 9H", plays("JS 8S 9H"), trick="9D TD 8D", trump="S") == parse_action("play JS")
