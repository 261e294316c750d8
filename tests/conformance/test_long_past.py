"""A match with hundreds of deals behind it."""

from __future__ import annotations

from arena.conformance.long_past import long_past
from arena.v1 import play_pb2
from engine.game import Game
from playing import every_game


@every_game
def test_a_long_past_is_numbered_like_one_that_happened(game: Game) -> None:
    """As large as was asked for; seq from 1 without a gap, each deal begun and scored once, in order."""
    past, deals = long_past(game.name, 20_000)
    size = play_pb2.PlayResponse(events=past).ByteSize()
    assert 20_000 <= size < 30_000
    assert [event.seq for event in past] == list(range(1, len(past) + 1))
    assert [event.deal_started.deal_no for event in past if event.HasField("deal_started")] == list(range(deals))
    assert [event.deal_scored.deal_no for event in past if event.HasField("deal_scored")] == list(range(deals))
