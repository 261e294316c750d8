"""The engine and a naive game play the same match in lockstep, and every difference between them is an error.

A match is decided by its number alone: rules, decks, moods, what is tried that is forbidden, and what is looked at.
So the number that a Difference names is all that it takes to see it again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

from engine.action import Action, Call, Discard, Play, parse_action
from engine.card import HIDDEN, PACK_52, Card
from engine.errors import Refused
from engine.event import (
    CallMade,
    CardDrawn,
    CardPlayed,
    ContractSet,
    DealScored,
    DealStarted,
    Discarded,
    Event,
    HandDealt,
    KittyTaken,
    TopCardShown,
    TrickTaken,
    TrumpNamed,
    redact,
)
from engine.game import DealResult, Game
from engine.match import Match
from engine.view import Trick, View
from naive.course import NaiveMatch
from naive.draw_bridge import DrawBridge
from naive.german_whist import GermanWhist
from naive.smear import Smear
from playing import Mood, choose

NAIVE: Final[dict[str, type[NaiveMatch]]] = {"draw-bridge": DrawBridge, "german-whist": GermanWhist, "smear": Smear}
MOST: Final = 400
"""Actions after which a match is left as it is: random players may go on for ever (DB-7.6)."""
LOOK: Final = 0.1
"""The share of decisions at which all that the seats may know is compared."""
BIDS: Final = [f"bid {level}{strain}" for level in range(1, 8) for strain in ("", "C", "D", "H", "S", "NT")]


class Difference(AssertionError):
    """The engine and the naive game do not agree."""


TEXT: Final = {card: str(card) for card in (HIDDEN, *PACK_52)}
"""Every card in words; 20,000 matches name many."""


def listed(cards: Sequence[Card]) -> str:
    """Cards in words."""
    return " ".join([TEXT[card] for card in cards])


def in_words(action: Action) -> str:
    """An action in words."""
    return f"play {TEXT[action.card]}" if isinstance(action, Play) else str(action)


def lines(event: Event) -> Iterator[str]:  # noqa: C901 - one case for each kind of event
    """An event in the words of `naive.course`."""
    match event:
        case DealStarted():
            yield f"deal {event.deal_no} {event.dealer}"
        case HandDealt():
            yield f"hand {event.seat} {listed(event.cards)}"
        case KittyTaken():
            yield f"kitty {event.seat} {listed(event.cards)}"
        case Discarded():
            yield f"discard {event.seat} {listed(event.cards)}"
        case CardDrawn():
            yield f"drawn {event.seat} {TEXT[event.card]}" + " shown" * event.shown
        case TopCardShown():
            yield f"top {event.card}"
        case CallMade():
            yield f"call {event.seat} {event.call.token}"
        case ContractSet():
            yield f"contract {event.declarer} {event}"
        case TrumpNamed():
            yield f"trump {event.strain}"
        case CardPlayed():
            yield f"play {event.seat} {TEXT[event.card]}"
        case TrickTaken():
            yield f"taken {event.seat}"
        case DealScored():
            yield " ".join(map(str, ("scored", event.deal_no, *event.points)))
            yield " ".join(map(str, ("totals", *event.totals)))
            yield from (f"opened {opened.seat} {listed(opened.cards)}" for opened in event.shown)


def known(view: View) -> dict[str, str]:
    """A view in the words of `naive.course`."""

    def told(trick: Trick | None) -> str:
        return f"{trick.leader}: {listed(trick.cards)}" if trick is not None else ""

    return {
        "deal": f"{view.deal_no} dealer {view.dealer}",
        "phase": view.phase,
        "hand": listed(view.hand),
        "counts": " ".join(map(str, view.hand_counts)),
        "totals": " ".join(map(str, view.totals)),
        "taken": " ".join(map(str, view.taken)),
        "tricks": " / ".join(f"{told(trick)} -> {trick.winner}" for trick in view.tricks),
        "table": told(view.table),
        "calls": " / ".join(f"{call.seat} {call.call.token}" for call in view.calls),
        "draws": " / ".join(line for draw in view.draws for line in lines(draw)),
        "stock": str(view.stock_count),
        "shown": str(view.shown) if view.shown else "",
        "contract": f"{view.contract.declarer} {view.contract}" if view.contract is not None else "",
        "trump": str(view.trump),
        "kitty": listed(view.kitty),
        "discards": listed(view.discards),
    }


def random_rules(game: Game, dice: Random) -> dict[str, int | str]:
    """A preset, or each option by itself, with small numbers so that matches end and totals meet the target."""
    if dice.random() < 0.1:
        return dict(dice.choice(list(game.presets.values())))
    rules: dict[str, int | str] = {}
    for option in game.options:
        if option.words:
            rules[option.name] = dice.choice(option.words)
        elif option.high is not None and option.high < 100:
            rules[option.name] = dice.choice(
                (option.low, min(2, option.high), option.high, dice.randint(option.low, option.high))
            )
        else:
            presets = [int(preset[option.name]) for preset in game.presets.values()]
            rules[option.name] = dice.choice([option.low, option.low, *range(option.low, 5), 20, 60, *presets])
    return rules


def random_deck(game: Game, dice: Random) -> list[Card]:
    """A shuffled deck, or one that deals every seat long suits."""
    if dice.random() < 0.7:
        return dice.sample(game.pack, len(game.pack))
    seats, suits = len(game.sides), dice.sample(range(1, 5), 4)
    by_suit = sorted(dice.sample(game.pack, len(game.pack)), key=lambda card: suits[card.suit - 1])
    due = [place % seats if dice.random() < 0.9 else dice.randrange(seats) for place in range(len(game.pack))]
    places = sorted(range(len(game.pack)), key=due.__getitem__)
    return [card for _, card in sorted(zip(places, by_suit, strict=True))]


def suits_left(hand: Sequence[Card], away: Discard) -> int:
    """Of how many suits a hand is after a discard."""
    return len({card.suit for card in hand if card not in away.cards})


class Comparison:
    """Match `number` of a game, by the engine (`game`, `match_type`) and by the naive game of that name."""

    def __init__(self, game: Game, number: int, match_type: type[Match] = Match) -> None:
        self.game, self.number = game, number
        self.pack = listed(game.pack).split()
        self.dice, self.eyes = Random(f"{game.name} {number}"), Random(f"{game.name} {number} eyes")
        self.rules = random_rules(game, self.dice)
        self.first_dealer = self.dice.randrange(len(game.sides))
        moods = [self.dice.choice(list(Mood)) for _ in game.sides]
        self.moods = self.dice.choice((moods, moods[:1] * len(moods)))
        self.whim = self.dice.choice((0.0, 0.1))
        # Which card a seat plays: any, its lowest or its highest. One that gives and one that takes make long scores.
        self.keen = self.dice.choice(([None, None], [None, None], [min, max], [max, min], [None, max], [None, min])) * 2
        self.acts: list[str] = []
        self.match = match_type(game, self.rules, self.first_dealer, self.deck)
        self.naive = NAIVE[game.name](dict(self.rules), self.first_dealer, self.deck_texts)
        self.heard = 0

    def deck(self, deal_no: int) -> list[Card]:
        """The deck of a deal."""
        return random_deck(self.game, Random(f"{self.game.name} {self.number} {deal_no}"))

    def deck_texts(self, deal_no: int) -> list[str]:
        """The same in words."""
        return listed(self.deck(deal_no)).split()

    def play(self) -> NaiveMatch:
        """Play the match; gives the naive one at its end. Difference says where the two part."""
        self.compare_told(self.match.start())
        while len(self.acts) < MOST:
            self.compare("seat to act", self.match.turn, self.naive.turn)
            legal = sorted(map(in_words, self.match.legal()))
            self.compare("legal actions", legal, sorted(self.naive.legal))
            if self.eyes.random() < LOOK or not legal:
                self.look()
            if not legal:
                break
            self.probe()
            self.act()
        ending = self.match.ending.value if self.match.ending is not None else None
        self.compare("ending and winner", (ending, self.match.winner), (self.naive.ending, self.naive.winner))
        return self.naive

    def look(self) -> None:
        """What the seats hold, and all that each may know."""
        hands = self.match.deal.hands()
        for seat, side in enumerate(self.naive.sides):
            self.compare(
                f"side and hand of seat {seat}",
                (self.game.sides[seat], listed(hands[seat])),
                (side, " ".join(self.naive.hand(seat))),
            )
            self.compare(f"what seat {seat} may know", known(self.match.view(seat)), self.naive.view(seat))

    def act(self) -> None:
        """The seat to act does something legal in both."""
        deal, action = self.match.deal, self.chosen()
        self.acts.append(f"{self.match.turn} {action}")
        try:
            events = self.match.apply(action)
        except Refused as refusal:
            raise self.difference("what is legal", f"refused, {refusal}", "legal") from refusal
        self.naive.apply(str(action))
        self.compare_told(events)
        if deal.turn is None:
            self.compare_result(deal.result())

    def chosen(self) -> Any:
        """What the seat to act does, as its mood and its cards are."""
        legal, seat = self.match.legal(), self.naive.turn
        assert seat is not None
        keen = self.keen[seat]
        plays = [action for action in legal if isinstance(action, Play)]
        if keen is not None and plays:
            return keen(plays, key=lambda play: (play.card.rank, play.card.suit))
        discards = [action for action in legal if isinstance(action, Discard)]
        if keen is not None and discards:
            hand = self.match.deal.hands()[seat]
            return min(discards, key=lambda away: (suits_left(hand, away), self.dice.random()))
        mood = self.moods[seat]
        if self.dice.random() < self.whim:
            mood = Mood.RANDOM
        return choose(legal, mood, self.dice)

    def probe(self) -> None:
        """Something that may be forbidden: both take it, or neither does."""
        text = self.anything()
        action, twin = parse_action(text), self.match.deal.copy()
        text = str(action)
        try:
            twin.apply(action)
        except Refused as refusal:
            said = f"refused, {refusal}"
        else:
            said = "accepted"
        allowed = "accepted" if text in self.naive.legal else "refused"
        if said.split(",")[0] != allowed:
            raise self.difference(f"the answer to {text!r}", said, allowed)

    def anything(self) -> str:
        """An action of any kind, of the one that is due more often than others, and cards of the hand likewise."""
        seat, dice = self.naive.turn, self.eyes
        assert seat is not None
        due = {Play: "play", Discard: "discard", Call: "bid"}.get(type(self.match.legal()[0]), "other")
        kind = dice.choice(("play", "discard", "bid", "other", due, due, due, due))
        if kind == "bid":
            return dice.choice(BIDS)
        if kind == "other":
            return dice.choice(("draw", "pass", "double", "redouble"))
        hand = self.naive.hand(seat)
        cards = hand if hand and dice.random() < 0.7 else self.pack
        number = 1 if kind == "play" else dice.randint(1, min(4, len(cards)))
        pick = dice.sample if dice.random() < 0.8 else dice.choices  # a card twice
        return " ".join((kind, *pick(cards, k=number)))

    def summary(self) -> str:
        """Rules, all that was told, and the end, a line each."""
        rules = [f"rule {name} {value}" for name, value in self.rules.items()]
        end = f"end {self.naive.ending} {self.naive.winner} {self.rules['target']}"
        return "\n".join((*rules, *self.naive.told, end, ""))

    def compare_told(self, events: list[Event]) -> None:
        """What happened; now and then what each seat and a spectator are told of it."""
        told, self.heard = self.naive.told[self.heard :], len(self.naive.told)
        self.compare("what happened", [line for event in events for line in lines(event)], told)
        if self.eyes.random() < LOOK:
            for seat in (None, *range(len(self.game.sides))):
                engine = [line for event in events for line in lines(redact(event, seat))]
                self.compare(f"what seat {seat} is told", engine, [self.naive.heard(line, seat) for line in told])

    def compare_result(self, result: DealResult) -> None:
        """Who bid how much and made it; and what the deal would have meant if the totals had been others before it."""
        naive = self.naive
        bid = naive.bidder, naive.bid, naive.made
        self.compare("bidder, bid and made", (result.declarer, result.level, result.made), bid)
        # A side lacked just what it won, a little, far more, or was over already, as `must_bid_to_win` allows (SM-8.3).
        short = (*result.points, *result.points, *result.points, 1, 2, -5, 100)
        for _ in range(12):
            before = [int(self.rules["target"]) - self.eyes.choice(short) for _ in result.points]
            after = self.game.settle(self.rules, tuple(before), result)
            self.compare(f"totals {before} after the deal", list(after), naive.settled(before))
            winner = self.game.winner(self.rules, after, result)
            self.compare(f"who wins with {after}", winner, naive.won(list(after)))

    def compare(self, what: str, engine: object, naive: object) -> None:
        """Difference unless the two are the same."""
        if engine != naive:
            raise self.difference(what, engine, naive)

    def difference(self, what: str, engine: object, naive: object) -> Difference:
        """What differs, and all that it takes to see it again."""
        if isinstance(engine, dict) and isinstance(naive, dict):
            names = [name for name in engine if engine[name] != naive.get(name)]
            engine, naive = ({name: side.get(name) for name in names} for side in (engine, naive))
        rules = " ".join(f"{name}={value}" for name, value in self.rules.items())
        return Difference(
            f"{what}\n  engine: {engine}\n  naive:  {naive}\n"
            f"  match {self.number} of {self.game.name}, first dealer {self.first_dealer}, {rules}\n"
            f"  actions: {', '.join(self.acts)}"
        )
