"""Actions: what a seat does when it is asked. Imperative, where events are past tense.

The text form of an action starts with its kind, because `2C` is both a bid and a card: `draw`, `pass`, `bid 2C`,
`bid 3`, `double`, `redouble`, `discard TS 8S`, `play 9H`. A call alone is written `P`, `1C` to `7NT`, `X`, `XX`, in
Smear `2` to `4`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, TypeAlias

from engine.card import PACK_52, SUITS, Card, Strain, parse_card


class CallKind(IntEnum):
    """The kinds of a call (DB-5.2)."""

    PASS = 1
    BID = 2
    DOUBLE = 3
    REDOUBLE = 4


@dataclass(frozen=True, slots=True)
class Draw:
    """Take the next card of the stock (DB-4.13)."""

    def __str__(self) -> str:
        return "draw"


@dataclass(frozen=True, slots=True)
class Call:
    """A pass, bid, double or redouble. Level and strain are those of a bid; a Smear bid has no strain."""

    kind: CallKind
    level: int = 0
    strain: Strain = Strain.NONE

    @property
    def token(self) -> str:
        """The call alone, as rule books write it: `P`, `2C`, `3`, `X`, `XX`."""
        match self.kind:
            case CallKind.BID:
                return f"{self.level}{self.strain}"
            case CallKind.PASS:
                return "P"
            case CallKind.DOUBLE:
                return "X"
            case CallKind.REDOUBLE:
                return "XX"

    def __str__(self) -> str:
        return f"bid {self.token}" if self.kind is CallKind.BID else self.kind.name.lower()


@dataclass(frozen=True, slots=True)
class Discard:
    """Put cards of the hand away, face down; `cards` stand in ascending order (SM-4.2)."""

    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return " ".join(["discard", *map(str, self.cards)])


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card to the trick."""

    card: Card

    def __str__(self) -> str:
        return f"play {self.card}"


Action: TypeAlias = Draw | Call | Discard | Play

# One object for each action that exists, so that engines hand out and compare them without making any.
DRAW: Final = Draw()
PASS: Final = Call(CallKind.PASS)
DOUBLE: Final = Call(CallKind.DOUBLE)
REDOUBLE: Final = Call(CallKind.REDOUBLE)
STRAIN_BIDS: Final = tuple(
    Call(CallKind.BID, level, strain) for level in range(1, 8) for strain in (*SUITS, Strain.NOTRUMP)
)
"""The 35 bids of a bridge auction, each beating all before it (DB-5.4)."""
LEVEL_BIDS: Final = {level: Call(CallKind.BID, level) for level in range(1, 8)}
"""Bids without a strain, by level."""
PLAYS: Final = {card: Play(card) for card in PACK_52}

_CALLS: Final = {
    **{call.token: call for call in (PASS, DOUBLE, REDOUBLE, *STRAIN_BIDS, *LEVEL_BIDS.values())},
    **{f"{bid.level}N": bid for bid in STRAIN_BIDS if bid.strain is Strain.NOTRUMP},
    "PASS": PASS,
    "DOUBLE": DOUBLE,
    "DBL": DOUBLE,
    "REDOUBLE": REDOUBLE,
    "RDBL": REDOUBLE,
}


def parse_call(text: str) -> Call:
    """The call that `text` names (`P`, `1NT`, `xx`, `3n`, `dbl`); ValueError when it names none."""
    call = _CALLS.get(text.strip().upper())
    if call is None:
        raise ValueError(f"{text!r} is no call: a call is P, X, XX or a bid such as 1C, 3NT or, without a strain, 3")
    return call


def parse_action(text: str) -> Action:
    """The action that `text` names, in the text form or as people write it; ValueError when it names none."""
    words = text.split()
    match [word.lower() for word in words]:
        case ["draw"]:
            return DRAW
        case ["play", _]:
            return PLAYS[parse_card(words[1])]
        case ["discard", _, *_]:
            return Discard(tuple(sorted(map(parse_card, words[1:]))))
        case ["bid" | "call", _]:
            return parse_call(words[1])
        case [_] if words[0].upper() in _CALLS:
            return parse_call(words[0])
    raise ValueError(f"{text!r} is no action: write draw, pass, double, redouble, bid 2C, discard TS 8S or play 9H")
