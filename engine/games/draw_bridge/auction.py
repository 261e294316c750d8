"""The auction (DB-5), on numbers: a bid is its place on the ladder from 1C (0) to 7NT (34)."""

from __future__ import annotations

from functools import cache
from typing import Final, Self

from engine.action import DOUBLE, PASS, REDOUBLE, STRAIN_BIDS, Call
from engine.errors import Refused
from engine.event import ContractSet

NO_BID: Final = -1
_PASS: Final = -2
_DOUBLE: Final = -3
_REDOUBLE: Final = -4
_NO_CALL: Final = -5

_NUMBERS: Final = {
    **{bid: number for number, bid in enumerate(STRAIN_BIDS)},
    PASS: _PASS,
    DOUBLE: _DOUBLE,
    REDOUBLE: _REDOUBLE,
}
# Every call is one object (`engine.action`), and to hash its fields would cost more than all the rest of making it.
_BY_IDENTITY: Final = {id(call): number for call, number in _NUMBERS.items()}

_DOUBLINGS: Final[dict[int, tuple[Call, ...]]] = {1: (PASS, DOUBLE), 2: (PASS, REDOUBLE), 4: (PASS,)}
_LEGAL: Final = {
    multiplier: [calls + STRAIN_BIDS[number + 1 :] for number in range(len(STRAIN_BIDS))]
    for multiplier, calls in _DOUBLINGS.items()
}
_OPENINGS: Final[tuple[Call, ...]] = (PASS, *STRAIN_BIDS)

_NO_DOUBLE: Final = {2: "{} is your own bid and already doubled", 4: "{} is already redoubled"}
_NO_REDOUBLE: Final = {1: "{} is not doubled", 4: "{} is already redoubled"}


@cache
def _contract(declarer: int, bid: int, multiplier: int) -> ContractSet:
    """One object for each of the 210 contracts."""
    return ContractSet(declarer, STRAIN_BIDS[bid].level, STRAIN_BIDS[bid].strain, multiplier)


class Auction:
    """An auction of two seats in turn.

    `bid` is the standing bid's number or NO_BID, `declarer` who made it, `multiplier` 1, 2 when it is doubled, 4 when
    it is redoubled. The multiplier alone tells whose bid faces the caller: 1 and 4 the opponent's, 2 his own.
    """

    __slots__ = ("bid", "calls", "declarer", "multiplier")

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.bid = NO_BID
        self.declarer = 0
        self.multiplier = 1

    def legal(self) -> tuple[Call, ...]:
        """The legal calls: P, then X or XX if legal, then the bids that beat the standing one, ascending."""
        return _OPENINGS if self.bid == NO_BID else _LEGAL[self.multiplier][self.bid]

    def make(self, seat: int, call: Call) -> bool:
        """Make a call for `seat`; True when it ends the auction. Raises Refused when it is not legal."""
        number = _BY_IDENTITY.get(id(call))
        if number is None:
            number = _NUMBERS.get(call, _NO_CALL)
        ends = False
        if number > self.bid:
            self.bid, self.declarer, self.multiplier = number, seat, 1  # a new bid cancels doubles (DB-5.7)
        elif number == _PASS:
            # A pass ends the auction once there is a bid (DB-5.9); without one the second pass does (DB-5.11, DB-5.12).
            ends = self.bid != NO_BID or bool(self.calls)
        elif number == _DOUBLE and self.bid != NO_BID and self.multiplier == 1:
            self.multiplier = 2
        elif number == _REDOUBLE and self.multiplier == 2:
            self.multiplier = 4
        else:
            raise self._refusal(number, call)
        self.calls.append(call)
        return ends

    def contract(self) -> ContractSet | None:
        """The contract that stands: whoever made the last bid is declarer (DB-5.10). None when nobody bid."""
        return None if self.bid == NO_BID else _contract(self.declarer, self.bid, self.multiplier)

    def copy(self) -> Self:
        """An independent auction in the same state."""
        twin = type(self)()
        twin.calls = self.calls.copy()
        twin.bid = self.bid
        twin.declarer = self.declarer
        twin.multiplier = self.multiplier
        return twin

    def _refusal(self, number: int, call: Call) -> Refused:
        standing = "" if self.bid == NO_BID else STRAIN_BIDS[self.bid].token
        if number == _DOUBLE:
            reason = _NO_DOUBLE[self.multiplier].format(standing) if standing else "there is no bid to double"
            return Refused("DB-5.5", reason)
        if number == _REDOUBLE:
            reason = _NO_REDOUBLE[self.multiplier].format(standing) if standing else "there is no bid to redouble"
            return Refused("DB-5.6", reason)
        if number == _NO_CALL:
            return Refused("DB-5.3", "a bid is a level from 1 to 7 and a denomination, such as 2C or 3NT")
        return Refused("DB-5.4", f"{call.token} does not beat {standing}")
