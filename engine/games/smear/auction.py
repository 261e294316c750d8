"""The auction (SM-3): one call each, the dealer's last; a bid of 4 ends it at once. A pass counts as 0."""

from __future__ import annotations

from typing import Final, Self

from engine.action import LEVEL_BIDS, PASS, Call, CallKind
from engine.card import Strain
from engine.errors import Refused
from engine.event import ContractSet
from engine.game import Rules

HIGHEST: Final = 4
SEATS: Final = 4
NO_BID: Final = 0
_PASS: Final = 0
_NO_CALL: Final = -1

_BIDS: Final = tuple(LEVEL_BIDS[level] for level in range(2, HIGHEST + 1))
_FROM: Final = {level: tuple(bid for bid in _BIDS if bid.level >= level) for level in range(HIGHEST + 2)}
"""The bids of at least that number, ascending."""
_HIGHER: Final = {level: (PASS, *_FROM[level + 1]) for level in range(HIGHEST + 1)}
_AS_HIGH: Final = {level: (PASS, *_FROM[level]) for level in range(HIGHEST + 1)}

_NUMBERS: Final = {PASS: _PASS, **{bid: bid.level for bid in _BIDS}}
# Every call is one object (`engine.action`), and to hash its fields would cost more than all the rest of making it.
_BY_IDENTITY: Final = {id(call): number for call, number in _NUMBERS.items()}

_CONTRACTS: Final = {
    (seat, bid.level): ContractSet(seat, bid.level, Strain.NONE, 1) for seat in range(SEATS) for bid in _BIDS
}


class Auction:
    """An auction of four seats. `bid` is the standing number or NO_BID, `bidder` the seat that made it."""

    __slots__ = ("bid", "bidder", "calls", "must_bid", "steals")

    def __init__(self, rules: Rules) -> None:
        self.calls: list[Call] = []
        self.bid = NO_BID
        self.bidder = 0
        self.steals = rules["dealer_steals"] == "on"
        self.must_bid = rules["all_pass"] == "dealer_must_bid"  # noqa: S105 - no password

    def legal(self) -> tuple[Call, ...]:
        """The legal calls: P, then the bids, ascending."""
        if len(self.calls) == SEATS - 1:  # the dealer's call
            if self.bid == NO_BID:
                return _BIDS if self.must_bid else _HIGHER[NO_BID]  # SM-3.5
            if self.steals:
                return _AS_HIGH[self.bid]
        return _HIGHER[self.bid]  # SM-3.2

    def make(self, seat: int, call: Call) -> bool:
        """Make a call for `seat`; True when it ends the auction. Raises Refused when it is not legal."""
        number = _BY_IDENTITY.get(id(call))
        if number is None:
            number = _NUMBERS.get(call, _NO_CALL)
        last = len(self.calls) == SEATS - 1
        if number > self.bid or (last and self.steals and number == self.bid != NO_BID):
            self.bid, self.bidder = number, seat
        elif number != _PASS or (last and self.must_bid and self.bid == NO_BID):
            raise self._refusal(number, call)
        self.calls.append(call)
        return last or self.bid == HIGHEST  # SM-3.3

    def contract(self) -> ContractSet | None:
        """The bid that stands, which names no suit (SM-3.4). None when nobody bid."""
        return None if self.bid == NO_BID else _CONTRACTS[self.bidder, self.bid]

    def copy(self) -> Self:
        """An independent auction in the same state."""
        twin = object.__new__(type(self))
        twin.calls, twin.bid, twin.bidder = self.calls.copy(), self.bid, self.bidder
        twin.steals, twin.must_bid = self.steals, self.must_bid
        return twin

    def _refusal(self, number: int, call: Call) -> Refused:
        if number == _PASS:
            return Refused("SM-3.5", "all others have passed, so the dealer must bid: 2, 3 or 4")
        if number != _NO_CALL:
            return Refused("SM-3.2", f"{call.token} is not higher than {self.bid}, the bid that stands")
        if call.kind is CallKind.BID:
            return Refused("SM-3.2", "a bid is 2, 3 or 4 and names no suit: trump is the suit that the bidder leads")
        return Refused("SM-3.2", "a call is a pass or a bid of 2, 3 or 4")
