"""What the naive games share: how a match waits for its seats, the list of what was told, and what a seat may know.

A game is written down as rules are: one program from the first deal to the end, which stops at `yield seat, phase,
legal` wherever a seat has to act and is given what the seat does. Actions are texts (`play 9H`, `bid 2C`, `pass`,
`draw`, `discard TS 8S`), and so is all that is told:

    deal 3 0              the fourth deal has begun, dealer seat 0
    hand 1 AS KD          dealt to seat 1; `kitty 1 ..`, `discard 1 ..` likewise
    drawn 1 AS shown      drawn by seat 1; `shown` if it lay face up
    top AS                turned face up
    call 1 2H             called by seat 1: P, X, XX or a bid
    contract 1 2H XX      declarer seat 1, redoubled
    trump H               or NT
    play 1 AS             played by seat 1
    taken 1               the trick was taken by seat 1
    scored 3 0 180        points of the deal by side
    totals 60 240         totals by side after it
    opened 1 TS 8S        what seat 1 had put away face down, public now
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from typing import TypeVar

RANKS = "23456789TJQKA"
PACK = [rank + suit for suit in "CDHS" for rank in RANKS]

Rules = dict[str, int | str]
Asked = tuple[int, str, list[str]]  # a seat, the phase, what is legal
Given = TypeVar("Given")
Part = Generator[Asked, str, Given]
Course = Part[None]


class NotAllowed(ValueError):
    """The rules do not allow this action now."""


def best(trick: list[str], trump: str) -> int:
    """The place in a trick of the card that wins it: the highest trump, else the highest card of the suit led.

    Every game has this rule: DB-6.4, SM-5.4, GW-4.3. `trump` is empty, or NT, when there is none.
    """
    trumps = [card for card in trick if card[1] == trump]
    strong = trumps or [card for card in trick if card[1] == trick[0][1]]
    return trick.index(max(strong, key=lambda card: RANKS.index(card[0])))


class NaiveMatch(ABC):
    """A match: `turn` is the seat to act, None at the end; `legal` its actions; `told` all that was told so far,
    `story` that of this deal in words, and `before` the totals before it.

    `ending` is `score` or `deal_limit` once the match is over, `winner` then a side or None. Of the deal scored last:
    `points` by side, `bidder` (None when nobody bid), `bid` (its level or number), and whether it was `made`.
    """

    sides: tuple[int, ...] = (0, 1)

    def __init__(self, rules: Rules, first_dealer: int, deck: Callable[[int], list[str]]) -> None:
        self.rules, self.dealer, self.deck = rules, first_dealer, deck
        self.deal_no = 0
        self.totals = [0, 0]
        self.ending: str | None = None
        self.winner: int | None = None
        self.points = [0, 0]
        self.bidder: int | None = None
        self.bid = 0
        self.made = False
        self.told: list[str] = []
        self.story: list[list[str]] = []
        self.before = self.totals
        self.stock: list[str] = []
        self.taken = [0, 0]
        self.turn: int | None = None
        self.phase = ""
        self.legal: list[str] = []
        self._course = self.match()
        self._wait(next, self._course)

    @abstractmethod
    def match(self) -> Course:
        """All deals of the match."""

    @abstractmethod
    def settled(self, totals: list[int]) -> list[int]:
        """The totals after the deal scored last, if they were these before it."""

    @abstractmethod
    def won(self, totals: list[int]) -> int | None:
        """The side that has won with the deal scored last, if these are the totals after it."""

    def close(self, most: int) -> bool:
        """The deal is over; True if the match is, too: won, or at its limit of deals (DB-8, SM-8, GW-7)."""
        self.totals = self.settled(self.totals)
        self.tell("scored", self.deal_no, *self.points)
        self.tell("totals", *self.totals)
        self.winner = self.won(self.totals)
        if self.winner is not None:
            self.ending = "score"
        elif self.deal_no + 1 == (most or 1000):  # DB-8.3, SM-8.6, GW-7.4
            self.ending = "deal_limit"
            if self.totals[0] != self.totals[1]:
                self.winner = 0 if self.totals[0] > self.totals[1] else 1
        if self.ending is None:
            self.deal_no += 1
        return self.ending is not None

    def tell(self, *words: object) -> None:
        """Something happened."""
        line = list(map(str, words))
        self.told.append(" ".join(line))
        if line[0] == "deal":
            self.before, self.story = self.totals, []
        self.story.append(line)

    def apply(self, action: str) -> None:
        """The seat to act does this; NotAllowed, with nothing changed, if it may not."""
        if action not in self.legal:
            raise NotAllowed(f"{action!r} is none of {self.legal}")
        self._wait(self._course.send, action)

    def _wait(self, resume: Callable[..., Asked], given: object) -> None:
        try:
            self.turn, self.phase, self.legal = resume(given)
        except StopIteration:
            self.turn, self.legal = None, []

    def hand(self, seat: int) -> list[str]:
        """The cards that the seat holds, in the order of the pack: all that came to it and has not left it."""
        held: set[str] = set()
        for line in self.story:
            if line[1] == str(seat) and line[0] in ("hand", "kitty", "drawn"):
                held |= {*line[2:]}
            elif line[1] == str(seat) and line[0] in ("play", "discard"):
                held -= {*line[2:]}
        return [card for card in PACK if card in held]

    def view(self, seat: int) -> dict[str, str]:
        """What the seat may know: its own cards, what all have seen, and nothing else (DB-9, SM-9, GW-8)."""
        story = self.story
        tricks, table = self._tricks()
        return {
            "deal": f"{self.deal_no} dealer {self.dealer}",
            "phase": self.phase,
            "hand": " ".join(self.hand(seat)),
            "counts": " ".join(str(len(self.hand(other))) for other in range(len(self.sides))),
            "totals": " ".join(map(str, self.before)),
            "taken": " ".join(map(str, self.taken)),
            "tricks": " / ".join(tricks),
            "table": table,
            "calls": " / ".join(" ".join(words[1:]) for words in story if words[0] == "call"),
            "draws": " / ".join(self.heard(" ".join(words), seat) for words in story if words[0] == "drawn"),
            "stock": str(len(self.stock)),
            "shown": self._shown(),
            "contract": "".join(" ".join(words[1:]) for words in story if words[0] == "contract"),
            "trump": "".join(words[1] for words in story if words[0] == "trump"),
            "kitty": " ".join(self._own("kitty", seat)),
            "discards": " ".join(self._own("discard", seat)),
        }

    def heard(self, line: str, seat: int | None) -> str:
        """What the seat, or a spectator, is told of a line, without the cards of others (DB-9, SM-9, GW-8)."""
        kind, *words = line.split()
        if kind not in ("hand", "kitty", "discard", "drawn") or words[0] == str(seat) or words[-1] == "shown":
            return line
        return " ".join([kind, words[0]] + ["??" for _ in words[1:]])

    def _tricks(self) -> tuple[list[str], str]:
        """The complete tricks as `leader: cards -> winner`, and the table as `leader: cards`."""
        tricks: list[str] = []
        table: list[list[str]] = []
        for kind, *words in self.story:
            if kind == "play":
                table.append(words)
            elif kind == "taken":
                tricks.append(f"{table[0][0]}: {' '.join(card for _, card in table)} -> {words[0]}")
                table = []
        if not self.legal or not self.legal[0].startswith("play"):
            return tricks, ""
        leader = table[0][0] if table else self.turn
        return tricks, f"{leader}: {' '.join(card for _, card in table)}"

    def _shown(self) -> str:
        """The card that was turned up last, unless something was drawn since."""
        last = [words for words in self.story if words[0] in ("top", "drawn")][-1:]
        return last[0][1] if last and last[0][0] == "top" else ""

    def _own(self, kind: str, seat: int) -> list[str]:
        """The cards that came to the seat, or left it, in that way."""
        return [card for words in self.story if words[:2] == [kind, str(seat)] for card in words[2:]]
