"""A bot that says all sorts of nonsense in one of its matches: no other match is any different for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import trio.testing

from arena.lobby import Lobby
from arena.replay import read_replay, verify
from arena.v1 import action_pb2, card_pb2, play_pb2
from memory_arena import MemoryArena, MemoryBot, MemoryCall, hello, memory_arena, same_choice
from restarting import actions

LANES = 3
MATCHES = {f"s1-draw-bridge-{number:06d}" for number in range(1, LANES + 1)}
RULES: Any = {"max_deals": 2, "target": 10_000}


@dataclass
class Fuzzer:
    """Says something odd before most of its answers, breaks off by it, and comes back; three strikes and no more."""

    lane: int
    dice: Random
    strikes: int = 0
    said: int = 0
    streams: list[MemoryBot] = field(default_factory=list)

    async def play(self, lobby: Lobby) -> None:
        """Play until all is played."""
        while not any(stream.of("goodbye") for stream in self.streams):
            stream = MemoryBot("a", lambda decision: self._answer(stream, decision), call=MemoryCall())  # noqa: B023 - used in this turn of the loop alone
            self.streams.append(stream)
            await stream.play(lobby, lane=self.lane)

    def _answer(self, stream: MemoryBot, decision: play_pb2.Decision) -> play_pb2.Choose:
        if self.dice.random() < 0.7:
            self.said += 1
            self.dice.choice([self._garbage, self._elsewhere, self._too_much, self._wrong])(stream, decision)
        return same_choice("a")(decision)

    def _garbage(self, stream: MemoryBot, _: play_pb2.Decision) -> None:
        """Bytes that are no message, or one that may not be said twice."""
        if self.dice.random() < 0.5:
            stream.call.say_bytes(b"\xff" + self.dice.randbytes(20))
        else:
            stream.call.say(hello=hello("a", lane=self.lane))

    def _elsewhere(self, stream: MemoryBot, decision: play_pb2.Decision) -> None:
        """What belongs to another match, another decision or another seat."""
        offers = [event.match_offered for event in stream.of("match_offered")]
        offers += [event.resumed.offer for event in stream.of("resumed")]
        for match_id in MATCHES - {offers[-1].match_id}:
            stream.call.say(resign=play_pb2.Resign(match_id=match_id))
            stream.call.say(ready=play_pb2.Ready(match_id=match_id, nonce=bytes(16)))
        for other in (decision.decision_id + 1, 2**63):
            stream.call.say(choose=play_pb2.Choose(decision_id=other, index=0))

    def _too_much(self, stream: MemoryBot, decision: play_pb2.Decision) -> None:
        """A remark of a megabyte with the answer, and the answer again and again."""
        answer = same_choice("a")(decision)
        answer.note = "n" * 1_000_000
        for _ in range(self.dice.randrange(1, 6)):
            stream.call.say(choose=answer)

    def _wrong(self, stream: MemoryBot, decision: play_pb2.Decision) -> None:
        """An action that the rules forbid, or that is none: a card that is not held, a bid too low, a wrong number."""
        if self.strikes < 3:
            self.strikes += 1
            legal = [action.SerializeToString() for action in decision.legal]
            cards = [card for card in card_pb2.Card.values() if card] + [17, 99]
            tried = [action_pb2.Action(play=action_pb2.Play(card=card)) for card in cards]
            forbidden = [action for action in tried if action.SerializeToString() not in legal]
            wrong = self.dice.choice([*forbidden, action_pb2.Action()])
            stream.call.say(choose=play_pb2.Choose(decision_id=decision.decision_id, action=wrong))


async def played(arena: MemoryArena, first: Fuzzer | MemoryBot) -> dict[int, list[tuple[int, int, bytes]]]:
    """All that was done in each match; lane 0 of a is played by `first`."""
    others = [(name, lane) for name in "ab" for lane in range(LANES) if (name, lane) != ("a", 0)]
    bots = [(MemoryBot(name, same_choice(name)), lane) for name, lane in others]
    arena.nursery.start_soon(first.play, arena.lobby)
    for bot, lane in bots:
        arena.nursery.start_soon(lambda bot=bot, lane=lane: bot.play(arena.lobby, lane=lane))
    await arena.lobby.quiet.wait()
    arena.lobby.dismiss(play_pb2.GOODBYE_REASON_FINISHED, "all matches are played")
    await trio.testing.wait_all_tasks_blocked()
    assert not any(bot.of("rejected") or bot.of("resumed") for bot, _ in bots)
    found = {}
    for result in arena.results():
        replay = read_replay(arena.store.replay(result))
        assert not verify(replay, known_hash=result.log_hash).failures
        found[result.number] = actions(replay)
    return found


async def test_nonsense_in_one_match_is_that_matchs_alone(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, *, soak: bool
) -> None:
    """P40: garbage, wrong numbers, cards not held, answers for other matches: all matches are what they would be."""
    async with memory_arena(tmp_path / "plain", matches=LANES, **RULES) as arena:
        plain = await played(arena, MemoryBot("a", same_choice("a")))
        assert {result.match_id for result in arena.results()} == MATCHES
    for seed in range(200 if soak else 5):
        fuzzer = Fuzzer(0, Random(seed))
        async with memory_arena(tmp_path / str(seed), matches=LANES, **RULES) as arena:
            assert await played(arena, fuzzer) == plain
        assert fuzzer.said > 20
        assert fuzzer.strikes == 3
        assert len(fuzzer.streams) > 3
