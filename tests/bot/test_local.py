"""Bots play each other in one process, on the table that an arena has."""

from __future__ import annotations

import pytest

from arena.bot import Answer, Bot, BotError, Choice, Decision, MatchOffer, MatchResult, Outcome, Rejection, Resign
from arena.bot.bot import BotLike
from arena.bot.local import play_match, play_matches
from engine.action import DRAW, PASS, Call, CallKind, Draw
from engine.card import HIDDEN
from engine.effect import Rejection as Reason
from engine.errors import BadRules, UnknownGame
from engine.event import CardDrawn, DealStarted, Event, HandDealt
from engine.states import Termination

GAME = "draw-bridge"


def dice(decision: Decision) -> Answer:
    """Any legal action."""
    return decision.dice.choice(decision.legal)


def first(decision: Decision) -> Answer:
    """The first legal action, so always a pass in the auction."""
    return 0 if decision.legal else 1


class Hearing(Bot):
    """Throws dice, and remembers all that it is told."""

    def __init__(self) -> None:
        self.heard: list[object] = []
        self.asked: list[Decision] = []

    def choose(self, decision: Decision) -> Answer:
        """Any legal action."""
        self.asked.append(decision)
        return dice(decision)

    def match_started(self, offer: MatchOffer) -> None:
        """Heard."""
        self.heard.append(offer)

    def event(self, event: Event) -> None:
        """Heard."""
        self.heard.append(event)

    def match_ended(self, result: MatchResult) -> None:
        """Heard."""
        self.heard.append(result)


def test_a_match_is_played_to_its_end() -> None:
    """The result has totals, a winner, a reason, and all that happened and was done."""
    match = play_match([dice, dice], game=GAME, seed=1)
    assert match.termination is Termination.SCORE
    assert max(match.totals) >= 300
    assert match.winner == match.totals.index(max(match.totals))
    assert (match.points(0), match.points(1)) == ((1.0, 0.0) if match.winner == 0 else (0.0, 1.0))
    assert sum(isinstance(event, DealStarted) for event in match.events) == match.deals
    assert {move.deal_no for move in match.transcript} == set(range(match.deals))
    assert match.names == ("dice", "dice")


def test_the_same_seed_gives_the_same_match() -> None:
    """Decks, dice and so all that happens depend on the seed alone."""
    once, again = (play_match([dice, dice], game=GAME, seed=7) for _ in range(2))
    assert once == again
    assert play_match([dice, dice], game=GAME, seed=8).events[1] != once.events[1]


def test_matches_come_in_pairs_with_the_same_decks() -> None:
    """Two in a row differ in the seats alone, and every pair has decks of its own."""
    matches = list(play_matches([dice, first], 4, game=GAME, rules={"max_deals": 1}, seed=1))
    hands = [[event for event in match.events if isinstance(event, HandDealt)] for match in matches]
    assert [match.places for match in matches] == [(0, 1), (1, 0), (0, 1), (1, 0)]
    assert [match.names for match in matches][:2] == [("dice", "first"), ("first", "dice")]
    assert hands[0] == hands[1]
    assert hands[2] == hands[3]
    assert hands[0] != hands[2]


def test_hooks_hear_what_a_seat_may_know() -> None:
    """Offer first, then every event with the other's cards hidden, the result last."""
    bots = [Hearing(), Hearing()]
    match = play_match(bots, game=GAME, seed=3)
    for seat, bot in enumerate(bots):
        offer, *events, result = bot.heard
        assert isinstance(offer, MatchOffer)
        assert (offer.seat, offer.game, offer.rules["target"]) == (seat, GAME, 300)
        assert len(events) == len(match.events)
        drawn = [event for event in events if isinstance(event, CardDrawn)]
        assert all((event.card == HIDDEN) == (event.seat != seat) for event in drawn)
        assert isinstance(result, MatchResult)
        assert result.outcome is (Outcome.WON if match.winner == seat else Outcome.LOST)
        assert result.totals == match.totals


def test_decisions_count_the_actions_of_the_match() -> None:
    """The id of a decision is the number of actions before it, draws made for a bot included."""
    bot = Hearing()
    match = play_match([bot, dice], game=GAME, seed=3)
    assert [match.transcript[decision.decision_id].seat for decision in bot.asked] == [0] * len(bot.asked)
    assert not any(decision.legal == (DRAW,) for decision in bot.asked)
    assert all(move.auto == isinstance(move.action, Draw) for move in match.transcript)


def test_a_bot_may_draw_for_itself() -> None:
    """Without auto_draw the bot is asked for its draws, and the same match is played."""

    class Drawing(Hearing):
        auto_draw = False

    bot = Drawing()
    match = play_match([bot, first], game=GAME, rules={"max_deals": 1}, seed=3)
    assert sum(decision.legal == (DRAW,) for decision in bot.asked) == 13
    assert sum(move.auto for move in match.transcript) == 13


def test_a_drawn_match_is_half_a_point_for_both() -> None:
    """Bots that always pass reach the limit of deals with nothing."""
    match = play_match([first, first], game=GAME, rules={"max_deals": 3})
    assert (match.termination, match.winner, match.totals, match.deals) == (Termination.DEAL_LIMIT, None, (0, 0), 3)
    assert (match.points(0), match.points(1)) == (0.5, 0.5)


def test_illegal_answers_are_strikes_as_in_an_arena() -> None:
    """Each is told, the bot is asked again, and the fourth loses the match."""
    refused: list[Rejection] = []

    class Stubborn(Bot):
        def choose(self, _: Decision) -> Answer:
            """Never legal in a trick."""
            return PASS

        def rejected(self, rejection: Rejection) -> None:
            """Heard."""
            refused.append(rejection)

    match = play_match([Stubborn, first], game=GAME)
    assert (match.termination, match.at_fault, match.winner) == (Termination.ILLEGAL, 0, 1)
    assert [rejection.strikes_left for rejection in refused] == [2, 1, 0, 0]
    assert {rejection.reason for rejection in refused} == {Reason.NOT_LEGAL}
    assert refused[0].text.startswith("DB-4")


def test_a_bot_may_resign() -> None:
    """The other side wins."""
    match = play_match([first, lambda _: Resign()], game=GAME)
    assert (match.termination, match.at_fault, match.winner) == (Termination.RESIGN, 1, 0)


def test_notes_are_in_the_transcript() -> None:
    """What a bot remarks stands beside what it did."""
    match = play_match([lambda _: Choice(0, "first"), first], game=GAME, rules={"max_deals": 1})
    assert {move.note for move in match.transcript if move.seat == 0 and not move.auto} == {"first"}
    assert str(match.transcript[0]).startswith("deal 0, seat ")


def test_options_change_the_rules() -> None:
    """A preset and single options are those of the game."""
    offers: list[MatchOffer] = []

    class Asking(Bot):
        def choose(self, decision: Decision) -> Answer:
            """The highest bid, so that the match ends."""
            bids = [a for a in decision.legal if isinstance(a, Call) and a.kind is CallKind.BID]
            return bids[0] if bids else 0

        def match_started(self, offer: MatchOffer) -> None:
            """Heard."""
            offers.append(offer)

    play_match([Asking, first], game=GAME, preset="seed", rules={"max_deals": 2})
    assert (offers[0].rules["target"], offers[0].rules["max_deals"]) == (100, 2)


@pytest.mark.parametrize(
    ("bots", "options", "error", "complaint"),
    [
        ([first], {}, BotError, "draw-bridge has 2 seats: give 2 bots, not 1"),
        ([Hearing(), 7], {}, BotError, "7 is no bot"),
        ([first, first], {"game": "bridge"}, UnknownGame, "there is no game bridge"),
        ([first, first], {"preset": "fast"}, BadRules, "draw-bridge has no preset fast"),
        ([first, first], {"rules": {"targets": 3}}, BadRules, "draw-bridge has no option targets"),
    ],
)
def test_what_cannot_be_played_is_said(
    bots: list[BotLike], options: dict[str, object], error: type[Exception], complaint: str
) -> None:
    """The error says what is wrong and what would be right."""
    with pytest.raises(error, match=complaint):
        play_match(bots, **{"game": GAME, **options})  # type: ignore[arg-type]  # wrong on purpose


def test_one_bot_cannot_sit_on_two_seats() -> None:
    """An instance plays one seat; a class plays both."""
    bot = Hearing()
    with pytest.raises(BotError, match="one bot cannot sit on two seats"):
        play_match([bot, bot], game=GAME)
    assert play_match([Hearing, Hearing], game=GAME, rules={"max_deals": 1}).deals == 1


def test_a_bot_is_not_made_to_play_what_it_does_not_know() -> None:
    """A bot's games are heeded."""

    class Other(Hearing):
        games = ("smear",)

    with pytest.raises(BotError, match="Other does not play draw-bridge: it plays smear"):
        play_match([Other, first], game=GAME)


def test_four_bots_play_two_against_two() -> None:
    """Partners sit across and stay together; two matches in a row have the same decks, with the sides changed."""
    bots = [Hearing() for _ in range(4)]
    matches = list(play_matches(bots, 2, game="smear", rules={"max_hands": 3}, seed=1))
    assert [match.places for match in matches] == [(0, 1, 2, 3), (1, 0, 3, 2)]
    hands = [[event for event in match.events if isinstance(event, HandDealt)] for match in matches]
    assert hands[0][:4] == hands[1][:4]
    for match in matches:
        assert len(match.totals) == 2
        assert match.points(0) == match.points(2) == 1 - match.points(1) == 1 - match.points(3)
    for seat, bot in enumerate(bots):
        told = [event for event in bot.heard if isinstance(event, HandDealt)][:4]
        assert {event.seat for event in told if HIDDEN not in event.cards} == {seat}
        assert {decision.view.seat for decision in bot.asked} == {
            matches[0].places.index(seat),
            matches[1].places.index(seat),
        }


def test_two_bots_play_as_pairs() -> None:
    """One bot for each side has an instance on each seat of it, and neither knows the other's cards."""
    made: list[Hearing] = []

    class Pair(Hearing):
        def __init__(self) -> None:
            super().__init__()
            made.append(self)

    first, second = play_matches([Pair, dice], 2, game="smear", rules={"max_hands": 2}, seed=1)
    assert (first.places, second.places) == ((0, 1, 0, 1), (1, 0, 1, 0))
    assert len(made) == 2
    assert first.points(0) == 1 - first.points(1)
    seats = [{decision.view.seat for decision in bot.asked} for bot in made]
    assert seats == [{0, 1}, {2, 3}]
    with pytest.raises(BotError, match="one bot cannot sit on two seats: give the class, not an instance"):
        play_match([Hearing(), dice], game="smear")
    with pytest.raises(BotError, match="smear has 4 seats: give 2 or 4 bots, not 3"):
        play_match([dice] * 3, game="smear")
