"""Bots in memory that lose a match by their own fault, in each of the ways that there are."""

from __future__ import annotations

from typing import Final

from arena.v1 import action_pb2, play_pb2
from memory_arena import MemoryBot

FAULTS: Final = ("timeout", "illegal", "malformed", "resign", "disconnect")
"""The ways."""


def the_end(bot: MemoryBot) -> play_pb2.MatchEnded:
    """The one end of a match that a bot was told."""
    (event,) = bot.of("match_ended")
    return event.match_ended


def misbehave(kind: str, bot: MemoryBot) -> None:
    """Make a bot lose the match by its own fault, in the way that `kind` names, from its fifth decision on."""
    plain = bot.choose

    def choose(decision: play_pb2.Decision) -> play_pb2.Choose | None:
        if len(bot.of("decision")) < 5:
            return plain(decision)
        match kind:
            case "illegal":
                for _ in range(4):
                    wrong = action_pb2.Action(call=action_pb2.Call(kind=action_pb2.CALL_KIND_REDOUBLE))
                    bot.call.say(choose=play_pb2.Choose(decision_id=decision.decision_id, action=wrong))
            case "malformed":
                for _ in range(4):
                    bot.call.say(choose=play_pb2.Choose(decision_id=decision.decision_id))
            case "resign":
                bot.call.say(resign=play_pb2.Resign(match_id=bot.of("match_offered")[-1].match_offered.match_id))
            case "disconnect":
                bot.call.hang_up()
        return None

    bot.choose = choose
