"""The live display: what a spectator is shown of a match, on a terminal and in a pipe."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from io import StringIO
from types import SimpleNamespace
from typing import cast

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from trio.testing import MockClock

from arena.cli import live
from arena.cli.board import Board
from arena.cli.live import PATIENCE, LiveBoard, panel
from arena.lobby import Lobby
from arena.v1 import play_pb2, replay_pb2
from engine.action import DOUBLE, PASS, STRAIN_BIDS, Call, parse_call
from engine.card import Strain, parse_card
from engine.deck import DeckSource
from engine.event import (
    CallMade,
    CardPlayed,
    ContractSet,
    DealScored,
    DealStarted,
    Event,
    KittyTaken,
    ScoreLine,
    TrickTaken,
    TrumpNamed,
    redact,
)
from engine.game import Game, complete_rules
from engine.games import find
from engine.match import Match
from playing import Mood, Plan, every_game, plans, play, steps, to_the_end

Golden = Callable[[str, Iterable[str]], None]

NAMES = ("steady", "random")


def _match_events(seed: int, deals: int) -> list[Event]:
    """What a spectator is told of a match between two random players that bid low."""
    game = find("draw-bridge")
    source = DeckSource(seed.to_bytes(32, "big"), "live-1", game.name, game.pack, 2)
    rules = complete_rules(game, changes={"max_deals": deals, "target": 100_000})
    match = Match(game, rules, source.dealer(()), source.decks((b"", b"")))
    dice = random.Random(seed)
    told = match.start()
    while match.turn is not None:
        legal = match.legal()
        calls = [action for action in legal if isinstance(action, Call) and action in (PASS, DOUBLE, *STRAIN_BIDS[:10])]
        told += match.apply(dice.choice(calls or legal))
    return [redact(event, None) for event in told]


def _live_board(events: list[Event], names: tuple[str, ...] = NAMES) -> LiveBoard:
    """A board that has been told these events, and the end, of a match of its lobby."""
    header = replay_pb2.ReplayHeader(run="demo", match_id="m1", seats=[replay_pb2.ReplaySeat(bot=bot) for bot in names])
    director = SimpleNamespace(header=header, table=SimpleNamespace(sides=(0, 1)))
    lobby = SimpleNamespace(watchers=[], directors={"m1": director})
    shown = LiveBoard()
    shown.watch(cast("Lobby", lobby))
    assert lobby.watchers == [shown]
    for seq, event in enumerate(events, 1):
        shown.told("m1", seq, event)
    shown.over("m1", play_pb2.MatchEnded(text="steady wins 310 to 40."))
    shown.leave()
    return shown


async def test_in_a_pipe_there_is_one_line_for_each_deal(capsys: pytest.CaptureFixture[str], golden: Golden) -> None:
    """A match in a pipe is as many plain lines as it has deals: auction, declarer, tricks, score, totals."""
    await _live_board(_match_events(seed=1, deals=12)).follow()
    golden("cli-live-lines.txt", capsys.readouterr().out.splitlines())


async def test_the_display_is_paced_and_its_pauses_are_bounded(
    autojump_clock: MockClock,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a terminal the display lingers on each trick, and never longer than its patience in a whole match."""
    assert autojump_clock.autojump_threshold == 0
    out = StringIO()
    monkeypatch.setattr(live, "on_terminal", lambda: True)
    monkeypatch.setattr(live, "console", lambda: Console(file=out, force_terminal=True, width=100))
    spent = []
    for deals in (1, 12):
        start = trio.current_time()
        await _live_board(_match_events(seed=2, deals=deals)).follow()
        spent.append(trio.current_time() - start)
    assert 26 * 0.02 <= spent[0] <= 26 * 0.03 + 2
    assert spent[1] == pytest.approx(PATIENCE)
    assert len(re.findall(r"deal \d+ \|", out.getvalue())) == 13


def _partner_events(seed: int, hands: int) -> list[Event]:
    """What a spectator is told of a match between four random players in two partnerships."""
    rules = {**complete_rules(find("smear"), changes={"target": 99})}
    record = play(find("smear"), to_the_end(Plan({**rules, "max_hands": hands}, 3, Mood.ORDINARY, seed, 0)))
    return [redact(event, None) for event in record.events]


def _text(board: Board, monkeypatch: pytest.MonkeyPatch) -> str:
    console = Console(file=StringIO(), width=80)
    monkeypatch.setattr(live, "console", lambda: console)
    with console.capture() as capture:
        console.print(panel(board))
    return capture.get()


def test_the_panel_shows_the_table(monkeypatch: pytest.MonkeyPatch, golden: Golden) -> None:
    """The panel holds names, totals, deal, dealer, phase, auction, contract, tricks won and the last tricks."""
    board = Board("demo/m1", NAMES, (0, 1))
    pages = []
    for event in _match_events(seed=3, deals=3):
        board.saw(event)
        if isinstance(event, CallMade | DealScored) or (isinstance(event, TrickTaken) and board.deal_no == 1):
            pages.append(_text(board, monkeypatch))
    golden("cli-live-panel.txt", "".join(pages[20:50:6]).splitlines())


def test_the_panel_shows_four_seats(monkeypatch: pytest.MonkeyPatch, golden: Golden) -> None:
    """Partners stand together with their total and tricks, leaders and bidder by their own names."""
    board = Board("demo/m1", ("steady-1", "random-1", "steady-2", "random-2"), (0, 1, 0, 1))
    pages, lines = [], []
    for event in _partner_events(seed=6, hands=3):
        board.saw(event)
        if isinstance(event, KittyTaken | TrickTaken):
            pages.append(_text(board, monkeypatch))
        if isinstance(event, DealScored):
            lines.append(board.deal_line())
    golden("cli-live-partners.txt", [*"".join(pages[7:13:2]).splitlines(), *lines])


@every_game
@given(st.data())
def test_the_board_knows_the_phase_and_counts_what_counts(game: Game, data: st.DataObject) -> None:
    """In any game a trick is shown in the phase in which it was played, and the tricks of a side are those of its view;
    one who looks on is told no more than that.
    """
    plan = data.draw(plans(game, most=120))
    board = Board("demo/m1", tuple("abcdef"[: len(game.sides)]), game.sides)
    seen, phase = 0, ""
    for record in steps(game, plan):
        told = record.events[seen:]
        seen = len(record.events)
        for event in told:
            board.saw(redact(event, None))
            if isinstance(event, TrickTaken):
                assert board.phase == phase
        phase = record.match.deal.phase
        assert tuple(board.taken) == record.match.view(0).taken


def test_a_name_cannot_send_commands_to_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Names are shown as they are, without markup and without control characters."""
    board = Board("demo/m1", ("[bold]a\x1b[2J", "b"), (0, 1))
    page = _text(board, monkeypatch)
    assert "[bold]a\\x1b[2J" in page
    assert "\x1b[2J" not in page


def test_partners_are_one_side() -> None:
    """With four seats and two sides, totals and tricks are those of the sides, and trump is named with the declarer."""
    board = Board("demo/m1", ("a", "b", "c", "d"), (0, 1, 0, 1))
    bid = parse_call("3")
    for event in (
        DealStarted(2, 3),
        CallMade(0, bid),
        CallMade(1, PASS),
        CallMade(2, PASS),
        CallMade(3, PASS),
        ContractSet(0, 3, Strain.NONE, 1),
        CardPlayed(0, parse_card("TC")),
        TrumpNamed(Strain.CLUBS),
        CardPlayed(1, parse_card("7C")),
        CardPlayed(2, parse_card("JC")),
        CardPlayed(3, parse_card("8C")),
        TrickTaken(2),
        DealScored(2, (3, 1), (3, 1), (ScoreLine("high", 0, 1), ScoreLine("low", 1, 1))),
    ):
        board.saw(event)
    assert board.taken == [1, 0]
    assert board.deal_line() == (
        "deal 2 | 3 P P P | declarer a, trump C, 1 trick | high to a + c; low to b + d | totals a + c 3, b + d 1"
    )


def test_a_bot_that_plays_itself_is_named_once() -> None:
    """A side whose seats have one name is called by it."""
    assert Board("demo/m1", ("a", "b", "a", "b"), (0, 1, 0, 1)).side_name(0) == "a"
