"""Pieces of questions. A piece is a serialised message in which only some fields are set, made by protobuf and then
remembered: the finished tricks, the calls, the draws and the actions on offer have mostly been said before.

Joining pieces in the order of their field numbers gives byte for byte what serialising the whole message would give.
Every memory is bounded; each holds what some hundred running matches repeat, at some hundred bytes an entry.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final, Generic, TypeVar

from arena.v1 import play_pb2, view_pb2
from arena.wire.actions import CALLS, action_to_proto
from arena.wire.cards import card_to_proto, cards_to_proto, strain_to_proto
from arena.wire.events import call_made_to_proto, contract_to_proto, draw_to_proto, event_to_proto
from arena.wire.views import trick_to_proto
from engine.action import DRAW, PLAYS, Action
from engine.card import Card, Strain
from engine.event import CallMade, CardDrawn, ContractSet, Event
from engine.view import Trick

T = TypeVar("T")


class Growing(Generic[T]):
    """The bytes of tuples that grow: each view of a deal repeats the tricks of the view before, and mostly as the same
    objects. For each first item and seat, the longest tuple so far is remembered, and only what came after is
    serialised.
    """

    __slots__ = ("_most", "_piece", "_seen")

    def __init__(self, piece: Callable[[T], bytes], most: int = 4096) -> None:
        self._piece = piece
        self._most = most
        self._seen: dict[tuple[int, int], tuple[tuple[T, ...], bytes]] = {}

    def __call__(self, items: tuple[T, ...], seat: int = 0) -> bytes:
        """The pieces of `items`, joined. `seat` keeps apart what begins alike for two seats and then differs."""
        if not items:
            return b""
        # The memory keeps its tuples alive, so that an id found in it is the id of no other object.
        key = (id(items[0]), seat)
        known, data = self._seen.get(key, ((), b""))
        if items[: len(known)] != known:
            known, data = (), b""
        if len(known) < len(items):
            if len(self._seen) >= self._most:
                self._seen.clear()
            data += b"".join(map(self._piece, items[len(known) :]))
            self._seen[key] = (items, data)
        return data


@lru_cache(maxsize=4096)
def happening(event: Event) -> bytes:
    """Of an Event: what happened, without its number."""
    return event_to_proto(event).SerializeToString()


@lru_cache(maxsize=4096)
def deal(seat: int, deal_no: int, dealer: int, phase: str) -> bytes:
    """Of a View: whose it is, and of which deal."""
    return view_pb2.View(seat=seat, deal_no=deal_no, dealer=dealer, phase=phase).SerializeToString()


@lru_cache(maxsize=4096)
def table(leader: int, cards: tuple[Card, ...]) -> bytes:
    """Of a View: the trick on the table."""
    return view_pb2.View(table=trick_to_proto(Trick(leader, cards))).SerializeToString()


def trick(taken: Trick) -> bytes:
    """Of a View: one complete trick."""
    return view_pb2.View(tricks=[trick_to_proto(taken)]).SerializeToString()


def call(made: CallMade) -> bytes:
    """Of a View: one call."""
    return view_pb2.View(calls=[call_made_to_proto(made)]).SerializeToString()


def draw(drawn: CardDrawn) -> bytes:
    """Of a View: one draw."""
    return view_pb2.View(draws=[draw_to_proto(drawn)]).SerializeToString()


tricks: Final = Growing(trick)
calls: Final = Growing(call)
draws: Final = Growing(draw)


@lru_cache(maxsize=4096)
def counts(stock_count: int, shown: Card, hand_counts: tuple[int, ...]) -> bytes:
    """Of a View: the stock and the sizes of the hands."""
    stock = view_pb2.View(stock_count=stock_count, shown=card_to_proto(shown), hand_counts=hand_counts)
    return stock.SerializeToString()


@lru_cache(maxsize=4096)
def course(contract: ContractSet | None, trump: Strain, taken: tuple[int, ...]) -> bytes:
    """Of a View: what is played for, and how it stands."""
    settled = None if contract is None else contract_to_proto(contract)
    return view_pb2.View(contract=settled, trump=strain_to_proto(trump), taken=taken).SerializeToString()


@lru_cache(maxsize=4096)
def put_away(kitty: tuple[Card, ...], discards: tuple[Card, ...]) -> bytes:
    """Of a View: the undealt cards that the seat took, and its discards."""
    return view_pb2.View(kitty=cards_to_proto(kitty), discards=cards_to_proto(discards)).SerializeToString()


@lru_cache(maxsize=4096)
def totals(points: tuple[int, ...]) -> bytes:
    """Of a View: the score of the match."""
    return view_pb2.View(totals=points).SerializeToString()


def _offer(action: Action) -> bytes:
    return play_pb2.Decision(legal=[action_to_proto(action)]).SerializeToString()


# Actions of which there is one object each, for as long as the program lives. So the id of one of them is no other
# object's, and looking it up is several times faster than hashing its value.
_SINGLE: Final[tuple[Action, ...]] = (DRAW, *CALLS, *PLAYS.values())
_OFFERS: Final = {id(action): _offer(action) for action in _SINGLE}


_other_offer: Final = lru_cache(maxsize=8192)(_offer)  # discards: 4,960 are possible of 3 cards in a pack of 32


def offers(legal: Sequence[Action]) -> bytes:
    """Of a Decision: the actions on offer. One that is none of the single objects is known by its value."""
    return b"".join([_OFFERS.get(id(action)) or _other_offer(action) for action in legal])
