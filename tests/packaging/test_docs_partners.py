"""The deal in proto/smear.md takes place: a pair is told what is shown when it says what is shown."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from trio.testing import MockClock, wait_all_tasks_blocked

from arena.v1 import play_pb2
from arena.wire import action_to_proto
from engine.action import parse_action
from memory_arena import MemoryArena, MemoryBot, MemoryCall, memory_arena
from telling import matches, shown, text

PAGE: Final = Path(__file__).resolve().parents[2] / "proto" / "smear.md"
SEED: Final = 3
ANSWERS: Final = {"auction": "bid 3", "discard": "discard CK D9 DJ"}
"""What otter's first lane says, by the phase; all others pass, and everybody plays the highest card that is legal."""

Said = play_pb2.PlayRequest | play_pb2.PlayResponse


def choose(decision: play_pb2.Decision) -> play_pb2.Choose:
    """What a seat answers."""
    answer = play_pb2.Choose(decision_id=decision.decision_id)
    if decision.view.seat == 0 and decision.view.phase in ANSWERS:
        answer.action.CopyFrom(action_to_proto(parse_action(ANSWERS[decision.view.phase])))
    else:
        answer.index = len(decision.legal) - 1 if decision.view.phase == "play" else 0
    return answer


class Recorded(MemoryCall):
    """A stream that keeps all that is said on it."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[Said] = []

    def send_nowait(self, data: bytes) -> None:
        """The arena speaks."""
        self.said.append(play_pb2.PlayResponse.FromString(data))
        super().send_nowait(data)

    def say_bytes(self, data: bytes) -> None:
        """The bot speaks."""
        self.said.append(play_pb2.PlayRequest.FromString(data))
        super().say_bytes(data)


async def perform(folder: Path) -> list[Said]:
    """Play the match and give all that was said on the stream of otter's first lane."""
    call = Recorded()
    seats = (("otter", 0, call), ("heron", 0, MemoryCall()), ("otter", 1, MemoryCall()), ("heron", 1, MemoryCall()))
    async with memory_arena(folder, ("otter", "heron"), game="smear", seed=SEED, target=2) as arena:
        for name, lane, stream in seats:
            bot = MemoryBot(name, choose, think=0.04, lane=lane, call=stream)
            arena.nursery.start_soon(bot.play, arena.lobby)
            await wait_all_tasks_blocked()
        await ended(arena)
    return call.said


async def ended(arena: MemoryArena) -> None:
    """Wait for the end, and until all have been told of it."""
    await arena.after(1)
    await wait_all_tasks_blocked()


async def test_a_deal_with_partners_takes_place(tmp_path: Path, autojump_clock: MockClock) -> None:
    """Every message on the page is said, word for word and in this order, on one lane of a pair that really plays."""
    said = [
        ["# arena to bot" if isinstance(message, play_pb2.PlayResponse) else "# bot to arena", *text(message)]
        for message in await perform(tmp_path)
    ]
    (tmp_path / "deal.txt").write_text("\n\n".join("\n".join(lines) for lines in said))
    heard = iter(said)
    pages = shown(PAGE)
    assert len(pages) >= 8
    for page in pages:
        assert any(matches(page, lines) for lines in heard), f"never said, or not in this order:\n{page}"
