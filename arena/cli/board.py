"""What a spectator sees of a match, kept up to date event by event, and said in words.

Fed with events as `engine.event.redact(event, None)` leaves them; knows no game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from engine.card import Card, Strain
from engine.event import (
    CallMade,
    CardDrawn,
    CardPlayed,
    ContractSet,
    DealScored,
    DealStarted,
    Discarded,
    Event,
    KittyTaken,
    ScoreLine,
    TopCardShown,
    TrickTaken,
    TrumpNamed,
)
from engine.seating import teams


@dataclass(slots=True)
class TrickSeen:
    """A trick: who played what, in order, and the seat that took it, None while it is on the table."""

    cards: list[tuple[int, Card]] = field(default_factory=list)
    winner: int | None = None


@dataclass(slots=True)
class Board:
    """A match as far as it went: its title, the names by seat, the side of each seat."""

    title: str
    names: tuple[str, ...]
    sides: tuple[int, ...]
    deal_no: int = 0
    dealer: int = 0
    totals: tuple[int, ...] = ()
    calls: list[CallMade] = field(default_factory=list)
    contract: ContractSet | None = None
    trump: Strain = Strain.NONE
    tricks: list[TrickSeen] = field(default_factory=list)
    taken: list[int] = field(default_factory=list)
    """Tricks by side that may count: not those after which cards were drawn, and since the contract if there is one."""
    finished: DealScored | None = None
    exchanging: bool = False
    """A seat has taken cards and not yet put as many away."""
    drawing: bool = True
    """The trick on the table, or the next one, is one after which cards are drawn, as far as that can be seen."""
    drawn: bool = False
    """Cards have been drawn since the last trick."""
    face_up: bool | None = None
    """The top card of the stock lies face up; None if in this deal it never did."""

    def __post_init__(self) -> None:
        self.totals = self.totals or (0,) * self.side_count
        self.taken = [0] * self.side_count

    @property
    def side_count(self) -> int:
        """How many sides play against each other."""
        return max(self.sides) + 1

    @property
    def phase(self) -> str:
        """What the deal is about now, in a word."""
        if self.finished is not None:
            return "scored"
        if self.exchanging:
            return "discard"
        if self.contract is None and self.calls:
            return "auction"
        return "draw" if self.contract is None and self.drawing else "play"

    def side_name(self, side: int) -> str:
        """The names of a side's seats."""
        return teams(self.names, self.sides)[side]

    def saw(self, event: Event) -> None:
        """Take in what happened."""
        match event:
            case DealStarted():
                self._new_deal(event)
            case CallMade():
                self.calls.append(event)
            case ContractSet():
                self.contract = event
                self.taken = [0] * self.side_count
                self.tricks.clear()
            case TrumpNamed():
                self.trump = event.strain
            case DealScored():
                self._no_draw()
                self.totals = event.totals
                self.finished = event
            case _:
                self._saw_cards(event)

    def _saw_cards(self, event: Event) -> None:
        match event:
            case KittyTaken() | Discarded():
                self.exchanging = isinstance(event, KittyTaken)
            case TopCardShown():
                self.face_up = True
            case CardDrawn():
                self.drawn = True
                self.face_up = False if event.shown else self.face_up
            case CardPlayed():
                if not self.tricks or self.tricks[-1].winner is not None:
                    self._lead()
                self.tricks[-1].cards.append((event.seat, event.card))
            case TrickTaken() if self.tricks:  # none when the watching began in the middle of it
                self.tricks[-1].winner = event.seat
                if self.phase != "draw":
                    self._count()
            case _:
                pass

    def _count(self) -> None:
        winner = self.tricks[-1].winner if self.tricks else None
        if winner is not None:
            self.taken[self.sides[winner]] += 1

    def _no_draw(self) -> None:
        """What looked like a trick with draws had none: it may count."""
        if self.phase == "draw" and not self.drawn:
            self._count()

    def _lead(self) -> None:
        self._no_draw()
        expected = self.drawn if self.tricks else self.face_up or self.trump is Strain.NONE
        self.drawing = expected and self.face_up is not False
        self.drawn = False
        self.tricks.append(TrickSeen())

    def _new_deal(self, event: DealStarted) -> None:
        self.deal_no, self.dealer = event.deal_no, event.dealer
        self.contract, self.trump, self.finished = None, Strain.NONE, None
        self.calls, self.tricks, self.taken = [], [], [0] * self.side_count
        self.exchanging, self.drawing, self.drawn, self.face_up = False, True, False, None

    # -- in words

    @property
    def auction(self) -> str:
        """The calls so far: `P 1D 2H X P`."""
        return " ".join(call.call.token for call in self.calls)

    @property
    def bargain(self) -> str:
        """Who plays what: `2H X by random`, with the trump suit where the bid does not name it; else trump alone."""
        if self.contract is None:
            return "" if self.trump is Strain.NONE else f"trump {self.trump}"
        return f"{self.contract} by {self._declarer}"

    @property
    def _declarer(self) -> str:
        if self.contract is None:
            return ""
        named = self.contract.strain is not Strain.NONE or self.trump is Strain.NONE
        return self.names[self.contract.declarer] + ("" if named else f", trump {self.trump}")

    @property
    def score(self) -> str:
        """Each side's total: `steady 40, random 310`."""
        return ", ".join(f"{self.side_name(side)} {total}" for side, total in enumerate(self.totals))

    def deal_line(self) -> str:
        """A finished deal in one line: auction, contract, tricks, score, totals."""
        if self.finished is None:
            return ""
        parts = [f"deal {self.deal_no}"]
        if self.calls:
            parts.append(self.auction)
        if self.contract is not None:
            tricks = self.taken[self.sides[self.contract.declarer]]
            parts.append(f"declarer {self._declarer}, {tricks} trick{'' if tricks == 1 else 's'}")
        items = self._shared() if self.side_count < len(self.sides) else map(self._item, self.finished.lines)
        parts.append("; ".join(items) or self._points(self.finished))
        parts.append(f"totals {self.score}")
        return " | ".join(parts)

    def _shared(self) -> Iterator[str]:
        """What each side of partners got, then what is said of the deal: `high, jack to a + c; low to b + d`."""
        lines = self.finished.lines if self.finished is not None else ()
        for side in range(self.side_count):
            won = [
                line.name + (f" {line.points:+d}" if line.points != 1 else "")
                for line in lines
                if line.side == side and line.points
            ]
            if won:
                yield f"{', '.join(won)} to {self.side_name(side)}"
        yield from (line.name for line in lines if not line.points)

    def _item(self, line: ScoreLine) -> str:
        return f"{line.name}: {self.side_name(line.side)} {line.points:+d}" if line.points else line.name

    def _points(self, scored: DealScored) -> str:
        gains = [f"{self.side_name(side)} {points:+d}" for side, points in enumerate(scored.points) if points]
        return ", ".join(gains) or ("no score" if self.contract else "passed out")
