"""What an arena says, made by hand: a match "m1" in which anything may be said in any order, and nobody plays.

Messages that a match does bring about are made by `arena.bot.testing.ScriptedMatch`; what an arena says beside a match
is made by `welcome`, `rejected` and `goodbye` of `arena.bot.testing`.
"""

from __future__ import annotations

from typing import Any

from arena.bot.testing import Message
from arena.bot.testing.stream import to_bytes
from arena.v1 import match_pb2, play_pb2
from arena.wire import decision_chunk
from engine.action import PLAYS, Action
from engine.card import parse_card
from engine.clock import SECOND, TimeLeft
from engine.view import Trick, View

HAND = tuple(sorted(map(parse_card, ("2C", "9H", "AS"))))
LEGAL: tuple[Action, ...] = tuple(PLAYS[card] for card in HAND)
LEFT = TimeLeft(60 * SECOND, 10 * SECOND)


def both(*messages: Message) -> play_pb2.PlayResponse:
    """Messages joined into one response, as an arena joins them."""
    return play_pb2.PlayResponse.FromString(b"".join(map(to_bytes, messages)))


def happened(seq: int, **kinds: Any) -> play_pb2.PlayResponse:
    """A response with one event; one beside the match has no `seq`, which is 0."""
    return play_pb2.PlayResponse(events=[play_pb2.Event(seq=seq, **kinds)])


def offer(match_id: str = "m1", **changes: Any) -> play_pb2.MatchOffered:
    """An offer of a match to seat 0."""
    fields = {
        "match_id": match_id,
        "game": "draw-bridge",
        "rules_version": 1,
        "rules": {"target": "300", "reveal": "hidden"},
        "seat": 0,
        "names": ["tester", "other"],
        "sides": [0, 1],
    }
    return play_pb2.MatchOffered(**{**fields, **changes})


def offered(match_id: str = "m1", **changes: Any) -> play_pb2.PlayResponse:
    """The response that offers a match."""
    return happened(0, match_offered=offer(match_id, **changes))


def started(match_id: str = "m1") -> play_pb2.PlayResponse:
    """All seats are ready."""
    return happened(0, match_started=play_pb2.MatchStarted(match_id=match_id))


def resumed(match_id: str = "m1", **changes: Any) -> play_pb2.PlayResponse:
    """The stream has taken over a match."""
    return happened(0, resumed=play_pb2.Resumed(offer=offer(match_id), **{"totals": [0, 0], "last_seq": 5, **changes}))


def asked(decision_id: int = 0, legal: tuple[Action, ...] = LEGAL) -> play_pb2.PlayResponse:
    """A question: seat 0 leads to a trick of the play."""
    view = View(
        seat=0,
        deal_no=0,
        dealer=1,
        phase="play",
        hand=HAND,
        hand_counts=(3, 3),
        totals=(0, 0),
        taken=(4, 6),
        table=Trick(0, ()),
    )
    return play_pb2.PlayResponse.FromString(decision_chunk(decision_id, view, legal, LEFT))


def ended(match_id: str = "m1", *, seq: int = 9) -> play_pb2.PlayResponse:
    """Seat 0 has won."""
    message = play_pb2.MatchEnded(
        match_id=match_id,
        outcomes=[match_pb2.OUTCOME_WON, match_pb2.OUTCOME_LOST],
        totals=[310, 40],
        termination=match_pb2.TERMINATION_SCORE,
        text="tester won 310 - 40",
        log_hash=b"h",
    )
    return happened(seq, match_ended=message)
