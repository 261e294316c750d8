"""The conversation in proto/README.md takes place: the arena says what is shown when the bot says what is shown."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any, TypeAlias, cast

import trio
from trio.testing import MockClock

from arena.config import Limits
from arena.director import Director
from arena.lag import LagMeter
from arena.ratings import START_MILLI, Leg, rate_set
from arena.replay import Journal, sentence
from arena.session import Lane, Session, welcome
from arena.sitting import Sitting
from arena.transport import Call
from arena.v1 import play_pb2, replay_pb2
from arena.wire import action_to_proto, match_ended_to_proto, rules_to_text, time_control_to_proto, view_from_proto
from engine.action import parse_action
from engine.card import Card
from engine.clock import TimeControl
from engine.deck import DeckSource, commitment
from engine.game import complete_rules
from engine.games import find
from engine.terms import STRIKES, TableTerms
from telling import matches, shown, text

STORY = Path(__file__).resolve().parents[2] / "proto" / "README.md"

# The secrets of the vectors, so that a reader can deal this match again.
MATCH = "set-0001"
SERVER_SEED = bytes(range(32))
NONCES = (bytes(16), b"\xff" * 16)

CALLS = (["bid 1H", "double"], ["bid 1S", "pass"])
"""What each seat says in the auction, by the way the first of otter's calls is refused."""
BREAK_AFTER = 61
"""Otter's stream breaks once it has answered this decision."""

Said: TypeAlias = play_pb2.PlayRequest | play_pb2.PlayResponse


def rule_of_thumb(decision: play_pb2.Decision) -> int:
    """Index of a card: lead the highest, win as cheaply as possible, throw the lowest away."""
    view = view_from_proto(decision.view)
    cards = [Card(action.play.card) for action in decision.legal]
    if view.table is None or not view.table.cards:
        return cards.index(max(cards, key=lambda card: (card.rank, -card.suit)))
    led = view.table.cards[0]
    ranks = {led.suit: 100, view.trump: 200}
    beating = [c for c in cards if ranks.get(c.suit, 0) + c.rank > ranks[led.suit] + led.rank]
    return cards.index(min(beating or cards, key=lambda card: (card.suit is view.trump, card.rank, card.suit)))


class Line:
    """Stands for the call under a session: what the arena sends goes on record and to the bot."""

    def __init__(self, transcript: list[Said]) -> None:
        self.transcript = transcript
        self.scope = trio.CancelScope()
        self.out, self.events = trio.open_memory_channel[play_pb2.Event](100)

    def send_nowait(self, data: bytes) -> None:
        """Take a message of the arena's."""
        response = play_pb2.PlayResponse.FromString(data)
        self.transcript.append(response)
        for event in response.events:
            self.out.send_nowait(event)

    def end(self, *_: object) -> None:
        """The arena ends the call."""
        self.out.close()


class Player:
    """A bot in its seat. It thinks for a fixed time, calls by a script and plays by a rule of thumb."""

    def __init__(self, seat: int, name: str, think: float) -> None:
        self.seat = seat
        self.think = think
        self.calls = list(CALLS[seat])
        self.lane = Lane(name, 0, auto_draw=True)
        self.transcript: list[Said] = []
        self.seq = 0

    def hello(self, session: str, **more: Any) -> None:
        """Open a stream and say Hello on it."""
        self.line = Line(self.transcript)
        self.lane.session = Session(cast("Call", self.line), self.lane, session)
        hello = play_pb2.Hello(
            protocol_version=1, software_name="otter", software_version="1.0", auto_draw=True, **more
        )
        self.transcript.append(play_pb2.PlayRequest(hello=hello))
        self.lane.session.send(welcome(self.lane.session, Limits(), STRIKES))

    async def play(self, director: Director) -> None:
        """Answer whatever the arena asks until the match is over."""
        async for event in self.line.events:
            self.seq = max(self.seq, event.seq)
            match event.WhichOneof("kind"):
                case "match_offered":
                    ready = play_pb2.Ready(match_id=MATCH, nonce=NONCES[self.seat])
                    self.transcript.append(play_pb2.PlayRequest(ready=ready))
                    director.ready(self.seat, ready)
                case "decision":
                    self.asked = event.decision
                    await self.answer(director)
                    if self.seat == 0 and self.asked.decision_id == BREAK_AFTER:
                        return
                case "rejected":
                    await self.answer(director)
                case "match_ended":
                    return

    async def answer(self, director: Director) -> None:
        """Think, then choose."""
        await trio.sleep(self.think)
        choose = play_pb2.Choose(decision_id=self.asked.decision_id)
        if self.asked.view.phase == "auction":
            choose.action.CopyFrom(action_to_proto(parse_action(self.calls.pop(0))))
        else:
            choose.index = rule_of_thumb(self.asked)
        self.transcript.append(play_pb2.PlayRequest(choose=choose))
        director.choose(self.seat, choose)

    async def live(self, director: Director) -> None:
        """Play; come back once."""
        await self.play(director)
        if self.asked.decision_id == BREAK_AFTER and self.seat == 0:
            self.lane.session = None
            director.lost(self.seat)
            await trio.sleep(0.3)
            resume = play_pb2.Resume(match_id=MATCH, seat=self.seat, last_seq=self.seq)
            self.hello("c41d0e77f02b", resume=resume)
            director.returned(self.seat, resume)
            await self.play(director)


def sitting(folder: Path, players: list[Player]) -> Sitting:
    """A match of one deal between the players, as the arena would seat it."""
    game = find("draw-bridge")
    rules, control = complete_rules(game, "match", {"target": 60}), TimeControl()
    header = replay_pb2.ReplayHeader(
        match_id=MATCH,
        game=game.name,
        rules_version=game.rules_version,
        rules=rules_to_text(rules),
        seats=[replay_pb2.ReplaySeat(bot=player.lane.bot, auto_draw=True) for player in players],
        time_control=time_control_to_proto(control),
        commitment=commitment(MATCH, SERVER_SEED),
    )
    source = DeckSource(SERVER_SEED, MATCH, game.name, game.pack, len(game.sides))
    terms = TableTerms(game, rules, source, control, auto_draw=(True, True))
    return Sitting(terms, header, tuple(p.lane for p in players), Journal.create(folder / "match.arp", header))


async def close(director: Director) -> play_pb2.MatchEnded:
    """Tell the end of the match; its set is closed with it."""
    finish = director.finish
    assert finish is not None
    names = [lane.bot for lane in director.lanes]
    words = sentence(finish.termination, names, finish.at_fault, finish.winner, finish.totals)
    log_hash = hashlib.sha256(b"the log of this example").digest()
    ended = match_ended_to_proto(MATCH, finish, director.table.sides, words, log_hash)
    ended.reveal.set_id = MATCH
    ended.reveal.server_seed = SERVER_SEED
    ended.reveal.nonces[:] = director.nonces
    after = rate_set({}, [Leg(tuple(names), director.table.sides, finish.winner)])
    for bot in names:
        ended.reveal.ratings.add(bot=bot, before_milli=START_MILLI, after_milli=after[bot].milli)
    return ended


async def perform(folder: Path) -> list[Said]:
    """Play the match and give all that was said on otter's streams."""
    players = [Player(0, "otter", 0.040), Player(1, "heron", 0.025)]
    for player, session in zip(players, ("2f7c1e90ab45", "90aa3bd5e610"), strict=True):
        player.hello(session)
    director = Director(sitting(folder, players), LagMeter(), Limits())
    async with trio.open_nursery() as nursery:
        for player in players:
            nursery.start_soon(player.live, director)
        director.offer()
        await director.run(close)
        nursery.cancel_scope.cancel()
    last = players[0].lane.session
    assert last is not None
    last.goodbye(play_pb2.GOODBYE_REASON_FINISHED, "all matches are played")
    return players[0].transcript


async def test_conversation_takes_place(tmp_path: Path, autojump_clock: MockClock) -> None:
    """Every message on the page is said, word for word and in this order, in a match that two bots really play."""
    del autojump_clock
    transcript = await perform(tmp_path)
    said = [
        ["# arena to bot" if isinstance(message, play_pb2.PlayResponse) else "# bot to arena", *text(message)]
        for message in transcript
    ]
    (tmp_path / "conversation.txt").write_text("\n\n".join("\n".join(lines) for lines in said))
    pages, heard = shown(STORY), iter(said)
    assert len(pages) >= 15
    for page in pages:
        assert any(matches(page, lines) for lines in heard), f"not said, see {tmp_path}/conversation.txt: {page}"
