"""Where the two legs of a set part: the first decision that the two bots took differently on the same cards.

Both legs have the same decks and dealers, with the bots' seats changed. Up to some decision they go the same way; there
one bot did this and the other that, each from the same seat with the same knowledge. What the deal brought that side
in either leg is what the decision swung: luck with the cards is taken out of it, what followed is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Line = Mapping[str, Any]
"""A line of the export of a replay (`arena replay export`)."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a bot did in its leg: the action as text, the match, and its side's points less the other's in that deal.

    `points` is None when the deal was not completed.
    """

    bot: str
    action: str
    match_id: str
    points: int | None


@dataclass(frozen=True, slots=True)
class Swing:
    """The first decision at which the legs of a set part. `decision` counts the actions of the match, from 0."""

    set_id: str
    deal: int
    decision: int
    seat: int
    first: Choice
    second: Choice

    @property
    def points(self) -> int | None:
        """How much more the first bot got from it than the second; None when a deal was not completed."""
        if self.first.points is None or self.second.points is None:
            return None
        return self.first.points - self.second.points

    @property
    def worse(self) -> Choice:
        """Who came off worse; the first where nobody did."""
        return self.second if (self.points or 0) > 0 else self.first


@dataclass(frozen=True, slots=True)
class _Move:
    deal: int
    seat: int
    text: str


class _Leg:
    """A leg as its export tells it."""

    def __init__(self, lines: Iterable[Line], sides: Sequence[int]) -> None:
        self.moves: list[_Move] = []
        self.points: dict[int, list[int]] = {}
        self.head: Line = {}
        self._sides = sides
        deal = 0
        for line in lines:
            match line["type"]:
                case "match":
                    self.head = line
                case "deal":
                    deal = line["n"]
                case "deal_end":
                    self.points[line["n"]] = line["points"]
                case "draw" | "call" | "discard" | "play":
                    self.moves.append(_Move(deal, line["seat"], _text(line)))

    def choice(self, move: _Move) -> Choice:
        """What was done there and what came of the deal."""
        points = self.points.get(move.deal)
        side = self._sides[move.seat]
        ahead = None if points is None else points[side] - max(p for other, p in enumerate(points) if other != side)
        return Choice(self.head["seats"][move.seat], move.text, self.head["match_id"], ahead)


def swing(first: Iterable[Line], second: Iterable[Line], sides: Sequence[int]) -> Swing | None:
    """Where two legs part, given their exports and the side of each seat; None if they are the same to the end."""
    one, other = _Leg(first, sides), _Leg(second, sides)
    for decision, (here, there) in enumerate(zip(one.moves, other.moves, strict=False)):
        if here != there:
            return Swing(one.head["set_id"], here.deal, decision, here.seat, one.choice(here), other.choice(there))
    return None


def worst_first(swings: Iterable[Swing]) -> list[Swing]:
    """The largest swings first, those of no completed deal last."""
    return sorted(swings, key=lambda each: (each.points is None, -abs(each.points or 0), each.set_id))


def _text(line: Line) -> str:
    match line["type"]:
        case "call":
            return f"call {line['call']}"
        case "discard":
            return " ".join(["discard", *line["cards"]])
        case "play":
            return f"play {line['card']}"
    return "draw"
