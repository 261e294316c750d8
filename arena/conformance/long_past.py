"""A match with so much behind it that telling of it takes a message as large as one likes."""

from __future__ import annotations

from itertools import count

from arena.bot.testing import ScriptedMatch
from arena.conformance.course import first, later
from arena.v1 import play_pb2


def long_past(game: str, size: int) -> tuple[list[play_pb2.Event], int]:
    """What happened in the first deals of a match, `size` bytes at least, and the number of deals: all have the same
    cards, and in each everybody did the first thing that was allowed.
    """
    deal = _deal(game)
    deals = -(-size // play_pb2.PlayResponse(events=deal).ByteSize())
    return [later(event, number * len(deal), number) for number in range(deals) for event in deal], deals


def _deal(game: str) -> list[play_pb2.Event]:
    """All that happens in one deal of a match that goes on after it."""
    for seed in count():
        match = ScriptedMatch(game, seed=f"long past {seed}")
        told = match.start()
        while not match.over and match.view.deal_no == 0:
            match.answer(first(match))
            told += match.news()
        if not match.over:
            break
    happened = [event for event in told if event.seq]
    second = next(at for at, event in enumerate(happened) if event.deal_started.deal_no == 1)
    return happened[:second]
