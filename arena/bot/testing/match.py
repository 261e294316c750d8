"""A match as a script plays it: the bot under test on one seat, dice on all others, a true table below."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final

from arena.v1 import play_pb2
from arena.wire import (
    action_from_proto,
    decision_chunk,
    event_to_proto,
    match_ended_to_proto,
    rejected_to_proto,
    rules_to_text,
    time_control_to_proto,
)
from engine.action import Action
from engine.clock import TimeControl
from engine.deck import DeckSource, commitment
from engine.effect import Ask, Effect, Finish, Reject, Tell
from engine.event import redact
from engine.game import Rules, complete_rules
from engine.games import find
from engine.states import Termination
from engine.table import Table
from engine.terms import TableTerms
from engine.view import View

Player = Callable[[Ask, View], int]
"""Chooses for a seat: the index of a legal action."""
NONCE: Final = bytes(16)
"""What every other seat says with Ready."""


class ScriptedMatch:
    """A match of `game`, with the bot under test on `seat`. Every message is made as an arena makes it.

    Begin it with `start`; `news` is what the bot has to be told then and after each `answer`. `seed`, a whole number or
    a word, decides the cards and what the other seats do, so that the match can be played again, as in a run with a
    fixed seed; with `fair` the nonces count too, and the bot can prove the decks. `players` choose for other seats
    instead of the dice. Time stands still at this table; `control` is only what the bot is told.

    Raises UnknownGame and BadRules.
    """

    def __init__(
        self,
        game: str,
        *,
        seat: int = 0,
        seed: int | str = 0,
        match_id: str = "",
        preset: str = "match",
        rules: Mapping[str, str | int] | None = None,
        auto_draw: bool = True,
        fair: bool = False,
        players: Mapping[int, Player] | None = None,
        control: TimeControl | None = None,
    ) -> None:
        self.game = find(game)
        self.seat = seat
        self.rules: Rules = complete_rules(self.game, preset, rules)
        self.match_id = match_id or f"scripted-{seed}"
        self.server_seed = hashlib.sha256(f"arena-scripted-1/{seed}".encode()).digest()
        self.control = control or TimeControl()
        seats = len(self.game.sides)
        source = DeckSource(
            self.server_seed, self.match_id, self.game.name, self.game.pack, seats, fixed_nonces=None if fair else ()
        )
        self._fair = fair
        drawn_for = tuple(other != seat or auto_draw for other in range(seats))
        self._table = Table(TableTerms(self.game, self.rules, source, control=self.control, auto_draw=drawn_for))
        self._dice = Random(f"arena-scripted-1/{seed}/dice")  # noqa: S311 - which card a sparring partner plays
        self._players = dict(players or {})
        self._nonces = [NONCE] * seats
        self._told = 0
        self._put = -1
        """The question that was told last."""
        self._refused: list[play_pb2.Event] = []
        self._events: list[play_pb2.Event] = []
        self._deal_begins = 0
        self._finish: Finish | None = None

    # -- what the bot is told

    @property
    def offer(self) -> play_pb2.Event:
        """The offer of the match."""
        seats = len(self.game.sides)
        offered = play_pb2.MatchOffered(
            match_id=self.match_id,
            game=self.game.name,
            rules_version=self.game.rules_version,
            rules=rules_to_text(self.rules),
            time_control=time_control_to_proto(self.control),
            seat=self.seat,
            names=["tested" if seat == self.seat else f"dice-{seat}" for seat in range(seats)],
            sides=self.game.sides,
            commitment=commitment(self.match_id, self.server_seed),
            ready_within_ms=20_000,
        )
        return play_pb2.Event(match_offered=offered)

    @property
    def started(self) -> play_pb2.Event:
        """All seats are ready."""
        message = play_pb2.MatchStarted(match_id=self.match_id, nonces=self._nonces if self._fair else ())
        return play_pb2.Event(match_started=message)

    def resumed(self, *, awaits_ready: bool = False) -> play_pb2.Event:
        """A stream has taken over the match. `started`, `since` and `question` follow, as far as there is one."""
        message = play_pb2.Resumed(
            offer=self.offer.match_offered,
            totals=self._table.totals,
            last_seq=self.last_seq,
            awaits_ready=awaits_ready,
        )
        return play_pb2.Event(resumed=message)

    def since(self, seq: int) -> list[play_pb2.Event]:
        """The events of the current deal after `seq`, as the seat is told them. `news` goes on from there."""
        self._told = len(self._events)
        return [event for event in self._events[self._deal_begins :] if event.seq > seq]

    def news(self) -> list[play_pb2.Event]:
        """All that has happened and was not told by this function before, then the question if the bot is asked.

        A question is told once. It stays open when an answer is refused, and is not told again: the bot has it.
        """
        fresh, self._refused = [*self._events[self._told :], *self._refused], []
        self._told = len(self._events)
        if self.asked and self._put != self.decision_id:
            self._put = self.decision_id
            fresh.append(self.question)
        return fresh

    @property
    def question(self) -> play_pb2.Event:
        """The open question of the bot's seat. RuntimeError if it is not asked."""
        ask = self._ask
        if ask is None or ask.seat != self.seat:
            raise RuntimeError("the bot's seat is not asked")
        chunk = decision_chunk(ask.decision_id, self.view, ask.legal, ask.left)
        return play_pb2.PlayResponse.FromString(chunk).events[0]

    # -- where it stands

    @property
    def last_seq(self) -> int:
        """The seq of the last event; 0 before the start."""
        return self._events[-1].seq if self._events else 0

    @property
    def asked(self) -> bool:
        """It is the bot's turn."""
        return self._ask is not None and self._ask.seat == self.seat

    @property
    def decision_id(self) -> int:
        """The id of the open question."""
        return self._table.decision_id

    @property
    def legal(self) -> Sequence[Action]:
        """What may be done at the open question, whosever it is; empty when nobody is asked."""
        return self._ask.legal if self._ask is not None else ()

    @property
    def view(self) -> View:
        """What the bot's seat may know. RuntimeError before the start."""
        return self._table.playing.view(self.seat)

    @property
    def over(self) -> bool:
        """The match has ended; `news` has told it."""
        return self._finish is not None

    # -- what is done

    def start(self, nonce: bytes = NONCE) -> list[play_pb2.Event]:
        """Begin with what the bot said with Ready, play up to its first question, and return what it has to be told."""
        self._nonces[self.seat] = nonce
        effects: list[Effect] = []
        for seat, share in enumerate(self._nonces):
            effects += self._table.ready(seat, share, 0)
        self._carry_out(effects)
        self._others()
        return [self.started, *self.news()]

    def answer(self, choose: play_pb2.Choose) -> str:
        """Take the bot's answer and play on to its next question; why it was refused, empty if it was not.

        `news` tells what came of it, a refusal too.
        """
        if choose.decision_id == self.decision_id:
            self._put = self.decision_id  # who answers a question has been told it, by whatever way
        choice: Action | int | None = None
        match choose.WhichOneof("choice"):
            case "index":
                choice = choose.index
            case "action":
                choice = action_from_proto(choose.action)
        refused = len(self._refused)
        self._carry_out(self._table.submit(self.seat, choose.decision_id, choice, 0, note=choose.note))
        self._others()
        return self._refused[-1].rejected.text if len(self._refused) > refused else ""

    def act(self, index: int) -> None:
        """Choose for whoever is asked, the bot's seat too: as if it had answered before it was heard of."""
        ask = self._ask
        if ask is None:
            raise RuntimeError("nobody is asked")
        self._carry_out(self._table.submit(ask.seat, ask.decision_id, index, 0))

    def play_until(self, phase: str = "", *, most: int = 2000) -> bool:
        """Let dice choose for all seats until the bot's is asked in `phase` (empty: in any); False if that never comes.

        What happens meanwhile counts as told.
        """
        for _ in range(most):
            if self.over:
                return False
            if self.asked and phase in ("", self.view.phase):
                self._told = len(self._events)
                return True
            self.act(self._dice.randrange(len(self.legal)))
        return False

    def resign(self, seat: int | None = None) -> None:
        """A seat gives up, the bot's if none is named."""
        self._carry_out(self._table.resign(self.seat if seat is None else seat))

    def break_off(self, termination: Termination = Termination.VOID_ARENA) -> None:
        """End the match at once, as an arena does that has failed."""
        if self._finish is None:
            self._end(Finish(termination, None, None, self._table.totals, 0))

    # -- the rest

    @property
    def _ask(self) -> Ask | None:
        return None if self._finish is not None else self._table.question(0)

    def _others(self) -> None:
        """Play on until the bot's seat is asked."""
        while (ask := self._ask) is not None and ask.seat != self.seat:
            player = self._players.get(ask.seat)
            index = player(ask, self._table.playing.view(ask.seat)) if player else self._dice.randrange(len(ask.legal))
            self._carry_out(self._table.submit(ask.seat, ask.decision_id, index, 0))

    def _carry_out(self, effects: Sequence[Effect]) -> None:
        for effect in effects:
            match effect:
                case Tell(seq, event):
                    told = event_to_proto(redact(event, self.seat), seq)
                    if told.HasField("deal_started"):
                        self._deal_begins = len(self._events)
                    self._events.append(told)
                case Reject() if effect.seat == self.seat:
                    self._refused.append(play_pb2.Event(rejected=rejected_to_proto(effect)))
                case Finish():
                    self._end(effect)

    def _end(self, finish: Finish) -> None:
        self._finish = finish
        text, log_hash = f"The match has ended: {finish.termination}.", hashlib.sha256(self.match_id.encode()).digest()
        message = match_ended_to_proto(self.match_id, finish, self.game.sides, text, log_hash)
        nonces = self._nonces if self._events and self._fair else ()
        message.reveal.CopyFrom(play_pb2.Reveal(set_id=self.match_id, server_seed=self.server_seed, nonces=nonces))
        self._events.append(play_pb2.Event(seq=self.last_seq + 1, match_ended=message))
