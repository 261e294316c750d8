"""The law that carries the arena, at its edge: whole matches over streams, and every byte that goes out on them.

A match is played twice, the second time with all cards that a listener has not seen in other places. Decks are put in
at one point, `DeckSource`; ids, commitment and time are the same. Whatever the arena sends that listener, a seat that
also makes mistakes or a spectator who looks on, must be the same messages to the byte.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random

import pytest
import trio

from arena.services import handlers
from arena.transport.discovery import Health
from arena.v1 import arena_pb2, play_pb2
from arena.wire import action_to_proto
from engine.action import Action, Discard, Play
from engine.card import PACK_52, Card
from engine.deck import DeckSource
from engine.game import Game
from memory_arena import MemoryArena, MemoryBot, MemoryCall, memory_arena
from playing import Mood, Plan, Record, every_game, play
from secrecy import side_by_side

WATCH = "/arena.v1.ArenaService/WatchMatch"
MISTAKES = 3
"""One more would forfeit the match."""


@dataclass
class Puppet(MemoryBot):
    """Does what a record says, and keeps every message as it came; with `dice` it makes mistakes first."""

    acts: dict[int, Action] = field(default_factory=dict)
    dice: Random | None = None
    messages: list[bytes] = field(default_factory=list)
    mistakes: int = 0

    async def answer(self, event: play_pb2.Event) -> None:
        """Act by the record; where it ends, think for ever."""
        if event.WhichOneof("kind") != "decision":
            await super().answer(event)
            return
        decision = event.decision
        action = self.acts.get(decision.decision_id)
        if action is None:
            return
        if self.dice is not None and self.mistakes < MISTAKES and self.dice.random() < 0.2:
            self.mistakes += 1
            self._send(decision, wrong(decision, self.dice))
        self._send(decision, action)

    def _send(self, decision: play_pb2.Decision, action: Action) -> None:
        self.call.say(choose=play_pb2.Choose(decision_id=decision.decision_id, action=action_to_proto(action)))

    async def listen(self, arena: MemoryArena) -> None:
        """Play on a stream of its own, without the arena's draws."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self.call.serve, arena.lobby.play)
            self.call.say(hello=play_pb2.Hello(protocol_version=1, name=self.name))
            async for data in self.call.responses:
                self.messages.append(data)
                for event in play_pb2.PlayResponse.FromString(data).events:
                    await self.answer(event)


def wrong(decision: play_pb2.Decision, dice: Random) -> Action:
    """An action that is not among those offered."""
    cards = dice.sample(PACK_52, 5)
    guesses: list[Action] = [Discard(tuple(sorted(cards[:3]))), *map(Play, cards)]
    return next(guess for guess in guesses if action_to_proto(guess) not in decision.legal)


async def watch(arena: MemoryArena, match_id: str, call: MemoryCall) -> None:
    """Look on at a match as a spectator does."""
    call.say_bytes(arena_pb2.WatchMatchRequest(match_id=match_id).SerializeToString())
    await call.serve(handlers(arena.lobby, arena.store, Health())[WATCH])


async def heard(folder: Path, record: Record, listener: int | None, seed: int) -> list[bytes]:
    """Every message that the listener is sent while the match of the record is played; None is a spectator."""
    game = record.match.game
    acts = dict(enumerate(action for _, _, action in record.acts))
    bots = [
        Puppet(f"bot-{seat}", lambda _: None, acts=acts, dice=Random(seed) if seat == listener else None)
        for seat in range(len(game.sides))
    ]
    bots[0].ready_after = 1.0
    spectator = MemoryCall()
    names = [bot.name for bot in bots]
    async with memory_arena(folder, names, game=game.name, seed=1, **record.match.rules) as arena:
        for bot in bots:
            arena.nursery.start_soon(bot.listen, arena)
            await trio.sleep(0.1)  # in the order of the seats
        (director,) = arena.lobby.directors.values()
        arena.nursery.start_soon(watch, arena, director.header.match_id, spectator)
        await trio.sleep(5)
        assert director.table.decision_id == len(record.acts), "the arena has not played what the record has"
        sent = await _drained(spectator) if listener is None else bots[listener].messages
        arena.nursery.cancel_scope.cancel()
    return sent


async def _drained(call: MemoryCall) -> list[bytes]:
    found: list[bytes] = []
    with trio.move_on_after(0.1):
        while True:
            found.append(await call.responses.receive())
    return found


def injected(monkeypatch: pytest.MonkeyPatch, record: Record, dealer: int) -> None:
    """Deal the record's decks, whatever the seed says, and let no dice name the sessions."""

    def deck(number: int, decks: Sequence[tuple[Card, ...]]) -> tuple[Card, ...]:
        return decks[number]

    monkeypatch.setattr("secrets.token_hex", lambda size: "0" * 2 * size)
    monkeypatch.setattr(DeckSource, "decks", lambda _self, _nonces: partial(deck, decks=record.decks))
    monkeypatch.setattr(DeckSource, "dealer", lambda _self, _nonces: dealer)


def unfinished(game: Game, seed: int, *, most: int) -> Record:
    """A match by random rules that is not over."""
    dice = Random(f"{game.name}/{seed}")
    rules = dict(dice.choice(list(game.presets.values())))
    for option in game.options:
        if option.words:
            rules[option.name] = dice.choice(option.words)
    dealer = dice.randrange(len(game.sides))
    plan = Plan(rules, dealer, dice.choice([Mood.ORDINARY, Mood.RANDOM]), seed, dice.randrange(most))
    while (record := play(game, plan)).match.ending is not None:
        plan = Plan(rules, dealer, plan.mood, seed, len(record.acts) - 1)
    return record


@every_game
async def test_what_a_listener_is_sent_does_not_depend_on_hidden_cards(
    game: Game,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    autojump_clock: trio.testing.MockClock,
    *,
    soak: bool,
) -> None:
    """For every seat and a spectator: the same messages, to the byte, wherever the cards lie that it has not seen."""
    compared = other_hands = 0
    for seed in range(400 if soak else 14):
        record = unfinished(game, seed, most=150)
        dealer = record.events[0].dealer  # type: ignore[union-attr]  # a match begins with DealStarted
        listener = (*range(len(game.sides)), None)[seed % (len(game.sides) + 1)]
        pairs = list(side_by_side(record, listener, Random(seed)))
        if not pairs or len(pairs[-1][1].acts) < len(record.acts):
            continue
        again, twin = pairs[-1]
        sent = []
        for name, played in (("one", again), ("other", twin)):
            injected(monkeypatch, played, dealer)
            sent.append(await heard(tmp_path / f"{seed}-{name}", played, listener, seed))
        assert sent[0] == sent[1], f"seed {seed}, listener {listener}"
        assert sum(map(len, sent[0])) > 0
        compared += 1
        other_hands += again.match.deal.hands() != twin.match.deal.hands()
    assert compared >= 5
    assert other_hands >= compared / 2


@every_game
async def test_the_comparison_finds_a_leak(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, autojump_clock: trio.testing.MockClock
) -> None:
    """With a redaction that hides nothing, what a spectator is sent differs at once."""
    monkeypatch.setattr("arena.director.redact", lambda event, _seat: event)
    record = unfinished(game, 3, most=40)
    dealer = record.events[0].dealer  # type: ignore[union-attr]  # a match begins with DealStarted
    *_, (again, twin) = side_by_side(record, None, Random(3))
    sent = []
    for name, played in (("one", again), ("other", twin)):
        played.acts[:] = []
        injected(monkeypatch, played, dealer)
        sent.append(await heard(tmp_path / name, played, None, 3))
    assert sent[0] != sent[1]
