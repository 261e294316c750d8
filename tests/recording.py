"""Matches played at a table with made-up time and logged as the arena logs them, and a forger who edits such logs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final, TypeVar

from google.protobuf.message import Message

from arena.entries import frame_of, nonces_of, ready_frame, records_of, restart_frame
from arena.replay import Journal, Replay, Report, read_replay
from arena.replay.frames import MAGIC, NO_HEAD, chain, encode, scan
from arena.v1 import replay_pb2
from arena.wire import rules_to_text, time_control_to_proto
from engine.action import Action
from engine.clock import SECOND, TimeControl
from engine.deck import DeckSource, commitment
from engine.effect import Effect, Finish
from engine.game import complete_rules
from engine.games import find
from engine.table import Table
from engine.terms import TableTerms

SEED: Final = bytes(range(32))
NONCES: Final = (b"\x11" * 16, b"\x22" * 32, b"\x33" * 20, b"\x44" * 24)


def any_of(dice: Random) -> Callable[[Sequence[Action]], Action]:
    """A player that takes any action, the same one whatever order they are offered in."""
    return lambda legal: dice.choice(sorted(legal, key=str))


@dataclass
class Tape:
    """A match being played and logged. Every answer takes `think_us`, of which the arena was late for `lag_us`."""

    folder: Path
    game_name: str = "draw-bridge"
    match_id: str = "m1"
    rules: dict[str, str | int] = field(default_factory=lambda: {"max_deals": 1})
    control: TimeControl = field(default_factory=TimeControl)
    auto_draw: tuple[bool, ...] = (False, True)
    header: dict[str, Any] = field(default_factory=dict)
    fixed_nonces: tuple[bytes, ...] | None = None
    nonces: tuple[bytes, ...] = NONCES
    think_us: int = 12_345
    lag_us: int = 345
    names: tuple[str, ...] = ("steady", "random", "third", "fourth")

    def __post_init__(self) -> None:
        self.game = find(self.game_name)
        rules = complete_rules(self.game, "match", self.rules)
        seats = len(self.game.sides)
        self.auto_draw = tuple(self.auto_draw[seat % len(self.auto_draw)] for seat in range(seats))
        message = replay_pb2.ReplayHeader(
            match_id=self.match_id,
            set_id=self.match_id,
            leg=1,
            legs=1,
            run="demo",
            number=1,
            game=self.game.name,
            rules_version=self.game.rules_version,
            rules=rules_to_text(rules),
            seats=[
                replay_pb2.ReplaySeat(bot=name, software=f"{name} 1.0", auto_draw=auto)
                for name, auto in zip(self.names[:seats], self.auto_draw, strict=True)
            ],
            time_control=time_control_to_proto(self.control),
            commitment=commitment(self.match_id, SEED),
            server_seed=SEED,
            offered_unix_ms=1_790_000_000_000,
            arena_version="0.1.0",
            rated=True,
        )
        message.MergeFrom(replay_pb2.ReplayHeader(**self.header))
        source = DeckSource(SEED, message.set_id, self.game.name, self.game.pack, seats, self.fixed_nonces)
        self.table = Table(TableTerms(self.game, rules, source, self.control, self.auto_draw))
        self.path = self.folder / f"{self.match_id}.arp"
        self.journal = Journal.create(self.path, message)
        self.now = 1_000
        self.finish: Finish | None = None

    def log(self, effects: Sequence[Effect]) -> None:
        """Carry out effects as far as the log is concerned."""
        frames = [frame for effect in effects if (frame := frame_of(effect, self.now)) is not None]
        self.journal.append(frames)
        for effect in effects:
            if isinstance(effect, Finish):
                self.finish = effect

    def ready(self, seats: int | None = None) -> Tape:
        """Let all seats say Ready, or the first few."""
        for seat in range(len(self.game.sides) if seats is None else seats):
            self.now += 1_000
            self.journal.append([ready_frame(seat, self.nonces[seat], self.now)])
            self.log(self.table.ready(seat, self.nonces[seat], self.now))
        return self

    def answer(self, choice: Action | int | None, note: str = "") -> None:
        """Let the seat in turn answer."""
        turn = self.table.turn
        assert turn is not None
        self.now += self.think_us
        self.table.lag += self.lag_us
        self.log(self.table.submit(turn, self.table.decision_id, choice, self.now, note=note))

    def play(self, dice: Random | None = None, actions: int = 10**9) -> Tape:
        """Play on at random to the end, or for so many answers."""
        choose = any_of(dice or Random(7))
        while self.finish is None and actions:
            self.answer(choose(self.table.playing.legal()), "hm" if self.table.decision_id % 10 == 3 else "")
            actions -= 1
        return self

    def wait(self, seconds: float) -> None:
        """Let time pass, and the table see it."""
        self.now += round(seconds * SECOND)
        self.log(self.table.tick(self.now))

    def restart(self) -> None:
        """Kill the arena and start it again: the table is made anew from the log."""
        self.journal.close()
        reopened = Journal.reopen(self.path)
        self.journal = reopened.journal
        self.table = Table(self.table.terms)
        frames = reopened.replay.frames
        self.table.recall(records_of(frames), nonces_of(frames, len(self.game.sides)))
        self.now += 1_000
        self.journal.append([restart_frame(self.now, 1_790_000_100_000, 2_500)])
        self.log(self.table.restart(self.now))

    def back(self) -> None:
        """All seats come back after a restart."""
        for seat in range(len(self.game.sides)):
            self.now += 1_000
            self.log(self.table.back(seat, self.now))

    def data(self) -> bytes:
        """The log as it is now."""
        return self.path.read_bytes()

    def replay(self) -> Replay:
        """The log as it is now, read."""
        return read_replay(self.data())


M = TypeVar("M", bound=Message)
Edit = Callable[[replay_pb2.ReplayHeader, list[replay_pb2.Frame]], object]


def forge(data: bytes, edit: Edit, *, refit: bool = True) -> Replay:
    """A log after somebody's edit, with all checksums made to fit, and with `refit` the hash chain in it too."""
    replay = read_replay(data)
    header = _copy(replay.header)
    frames = [_copy(frame) for frame in replay.frames]
    edit(header, frames)
    # A header that was left alone keeps its bytes: its map has no fixed order.
    bodies = [header.SerializeToString() if header != replay.header else next(scan(data)).body]
    head = chain(NO_HEAD, bodies[0])
    for frame in frames:
        if refit and frame.WhichOneof("entry") == "deal":
            frame.deal.log_hash = head
        if refit and frame.WhichOneof("entry") == "ended":
            frame.ended.log_hash = head
        bodies.append(frame.SerializeToString())
        head = chain(head, bodies[-1])
    return read_replay(file_of(bodies))


def file_of(bodies: Sequence[bytes]) -> bytes:
    """The file with these frames."""
    return MAGIC + b"".join(map(encode, bodies))


def _copy(message: M) -> M:
    copy = type(message)()
    copy.CopyFrom(message)
    return copy


def first(frames: Sequence[replay_pb2.Frame], kind: str, skip: int = 0) -> int:
    """The place among the frames of the first of a kind, after `skip` others of it."""
    return [place for place, frame in enumerate(frames) if frame.WhichOneof("entry") == kind][skip]


def failures(report: Report) -> dict[str, str]:
    """What failed in a verification, by check."""
    return {finding.check: finding.text for finding in report.failures}
