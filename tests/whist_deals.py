"""Deals of German Whist for tests, and the worked examples as its RULES.md has them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from engine.action import DRAW, PLAYS, Action
from engine.card import PACK_52, Card, Strain, parse_card
from engine.event import CardDrawn, CardPlayed, Event, TrickTaken
from engine.game import RuleValue, complete_rules
from engine.games import find
from engine.trick import PLACES, hand_of
from engine.view import Trick
from rules_page import rules_page

GAME: Final = find("german-whist")
RULES: Final = rules_page(GAME)
SUITS: Final = {"C": Strain.CLUBS, "D": Strain.DIAMONDS, "H": Strain.HEARTS, "S": Strain.SPADES}


def cards(text: str) -> tuple[Card, ...]:
    """The cards that `AS KD` names."""
    return tuple(map(parse_card, text.split()))


def stacked(hands: tuple[str, str], stock: str, *, dealer: int = 1) -> tuple[Card, ...]:
    """The deck that gives the seats these hands, in this order, and this stock; what is left comes last."""
    first, second = cards(hands[1 - dealer]), cards(hands[dealer])
    named = [card for pair in zip(first, second, strict=True) for card in pair] + list(cards(stock))
    return (*named, *(card for card in PACK_52 if card not in named))


def new_deal(
    deck: Iterable[Card] = PACK_52, *, dealer: int = 1, told: list[Event] | None = None, **changes: RuleValue
) -> Any:
    """A deal under `seed` with options changed. Any, because tests look inside."""
    return GAME.deal(
        complete_rules(GAME, "seed", changes), tuple(deck), deal_no=0, dealer=dealer, totals=(0, 0), told=told
    )


def first_half(hands: tuple[str, str], stock: str, *, dealer: int = 1) -> Any:
    """A deal of these hands and this stock, at its first lead."""
    size = len(hands[0].split())
    return new_deal(stacked(hands, stock, dealer=dealer), dealer=dealer, hand_cards=size)


def second_half(hands: tuple[str, str], trump: str, *, leader: int = 0) -> Any:
    """A deal at the first lead of its second half, when the seats hold these cards."""
    size = len(hands[0].split())
    deal = new_deal(hand_cards=size)
    deal.draws = [CardDrawn(number % 2, card) for number, card in enumerate(deal.stock)]
    deal.tricks = [Trick(0, PACK_52[:2], leader)] * size
    deal.held = [hand_of(PLACES[card] for card in cards(hand)) for hand in hands]
    deal.trump, deal.turn = SUITS[trump], leader
    return deal


def examples(title: str) -> list[list[str]]:
    """The rows of the table of worked examples with that title, cell by cell, without back quotes."""
    section = RULES.split(f"\n### {title}\n")[1].split("\n#")[0]
    rows = [line.strip("|").replace("`", "").split("|") for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in row] for row in rows[2:]]


@dataclass(frozen=True)
class TrickTold:
    """A trick of a worked example; `drawn` are the winner's and the loser's card, nothing in the second half."""

    leader: int
    lead: Card
    follow: Card
    winner: int
    drawn: tuple[Card, ...]

    def actions(self) -> Iterator[tuple[int, Action]]:
        """Who does what in it."""
        yield self.leader, PLAYS[self.lead]
        yield 1 - self.leader, PLAYS[self.follow]
        if self.drawn:
            yield from ((self.winner, DRAW), (1 - self.winner, DRAW))

    def events(self) -> Iterator[Event]:
        """What is told of it, but for the next card that is turned up."""
        yield from (CardPlayed(self.leader, self.lead), CardPlayed(1 - self.leader, self.follow))
        yield TrickTaken(self.winner)
        if self.drawn:
            yield CardDrawn(self.winner, self.drawn[0], shown=True)
            yield CardDrawn(1 - self.winner, self.drawn[1])


@dataclass(frozen=True)
class DealTold:
    """A whole deal of a worked example, dealer seat 1."""

    hands: tuple[str, str]
    stock: str
    trump: Strain
    tricks: tuple[TrickTold, ...]
    at_second_half: tuple[set[Card], ...]
    taken: list[int]

    @property
    def deck(self) -> tuple[Card, ...]:
        """The deck that deals it."""
        return stacked(self.hands, self.stock)


def deal_told(title: str) -> DealTold:
    """The whole deal that a worked example writes down."""
    text = RULES.split(f"\n### {title}: ")[1].split("```")[1]

    def line(start: str) -> str:
        found = re.search(rf"^{re.escape(start)} *(.*)$", text, re.MULTILINE)
        assert found is not None, start
        return found[1]

    tricks = re.findall(r"(\d+) ([01]) (\w\w) (\w\w) -> ([01])(?: \((\w\w) (\w\w)\))?", text)
    size = len(line("seat 0:").split())
    assert [int(number) for number, *_ in tricks] == list(range(1, 2 * size + 1))
    held = re.split(r" +[01]: ", line("hands at the second half   0:"))
    return DealTold(
        hands=(line("seat 0:"), line("seat 1:")),
        stock=line("stock (top first):"),
        trump=SUITS[line("trump")],
        tricks=tuple(
            TrickTold(int(leader), parse_card(lead), parse_card(follow), int(winner), cards(f"{first} {second}"))
            for _, leader, lead, follow, winner, first, second in tricks
        ),
        at_second_half=tuple(set(cards(hand)) for hand in held),
        taken=[int(number) for number in line("tricks").split("-")],
    )
