"""Watching a match while it is played.

On a terminal: one panel that changes in place, and a line that stays for each finished deal. The display may fall
behind the match, so that a person can follow it. In a pipe: the lines alone, as they come.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterable
from math import inf
from typing import Final, TypeAlias

import trio
from rich.box import ROUNDED
from rich.console import Group
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from arena.cli.board import Board, TrickSeen
from arena.cli.listening import harmless
from arena.cli.printing import clean, console, on_terminal, say
from arena.lobby import Lobby
from arena.v1 import play_pb2
from engine.event import CallMade, DealScored, Event, TrickTaken

log = logging.getLogger("arena.cli")

Told: TypeAlias = AsyncIterable[tuple[Board, Event | str]]
"""What happens at a table, and the sentence with which a match ends."""

PACE: Final[dict[type, float]] = {TrickTaken: 0.025, CallMade: 0.05, DealScored: 0.2}
"""Seconds for which an event of that kind stays on the screen before the next is shown."""
PATIENCE: Final = 7.0
"""Seconds that the display may spend on pauses in one match; after them it shows what comes at once."""
WIDTH: Final = 100
"""The widest that the panel becomes."""
_GAP: Final = "   "
_FRAME: Final = 14
"""What the panel's border and the column of labels take of its width."""


class LiveBoard:
    """Looks on at the matches of a lobby, and shows them."""

    def __init__(self) -> None:
        self._send, self._receive = trio.open_memory_channel[tuple[Board, Event | str]](inf)
        self._boards: dict[str, Board] = {}
        self._lobby: Lobby | None = None

    def watch(self, lobby: Lobby) -> None:
        """Look on there."""
        self._lobby = lobby
        lobby.watchers.append(self)

    @harmless
    def told(self, match_id: str, seq: int, event: Event) -> None:
        """Something happened; the lobby tells."""
        del seq
        board = self._boards.get(match_id) or self._new_board(match_id)
        if board is not None:
            self._send.send_nowait((board, event))

    @harmless
    def over(self, match_id: str, ended: play_pb2.MatchEnded | None) -> None:
        """The match has ended; the lobby tells."""
        board = self._boards.pop(match_id, None)
        if board is not None and ended is not None:
            self._send.send_nowait((board, ended.text))

    def leave(self) -> None:
        """All is over; `follow` ends when it has shown what there is."""
        self._send.close()

    async def follow(self) -> None:
        """Show what happens until `leave`. A fault of the display is logged, and the match goes on unseen."""
        try:
            await (_follow_on_terminal if on_terminal() else _follow_in_lines)(self._receive)
        except Exception:
            log.exception("the match cannot be shown any more")

    def _new_board(self, match_id: str) -> Board | None:
        director = self._lobby.directors.get(match_id) if self._lobby is not None else None
        if director is None:
            return None
        header = director.header
        names = tuple(seat.bot for seat in header.seats)
        board = Board(f"{header.run}/{header.match_id}", names, director.table.sides)
        self._boards[match_id] = board
        return board


async def _follow_in_lines(told: Told) -> None:
    async for board, what in told:
        line = _line(board, what)
        if line:
            say(line)


async def _follow_on_terminal(told: Told) -> None:
    patience = PATIENCE
    with Live(console=console(), auto_refresh=False, transient=True) as live:
        async for board, what in told:
            line = _line(board, what)
            if line:
                live.console.print(Text(clean(line)))
            pause = min(PACE.get(type(what), 0.0), patience)
            if pause:
                live.update(panel(board), refresh=True)
                patience -= pause
                await trio.sleep(pause)


def _line(board: Board, what: Event | str) -> str:
    """Bring the board up to date; gives the line that stays of it, if one does."""
    if isinstance(what, str):
        return what
    board.saw(what)
    return board.deal_line() if isinstance(what, DealScored) else ""


def panel(board: Board) -> Panel:
    """The table as a spectator sees it: who leads, the deal, its auction, its last tricks."""
    width = min(console().width, WIDTH)
    grid = Table.grid(padding=(0, 2))
    grid.add_row(Text("phase", "dim"), Text(board.phase))
    grid.add_row(Text("auction", "dim"), Text(clean(board.auction)))
    grid.add_row(Text("contract", "dim"), Text(clean(board.bargain), "bold"))
    grid.add_row(Text("tricks", "dim"), _tricks(board, width - _FRAME))
    heading = f" {board.title}: deal {board.deal_no}, dealer {board.names[board.dealer]} "
    return Panel(
        Group(_standing(board), grid),
        box=ROUNDED,
        title=Text(clean(heading)),
        title_align="left",
        width=width,
    )


def _standing(board: Board) -> Table:
    table = Table.grid(padding=(0, 3))
    table.add_row(Text(""), Text("total", "dim"), Text("tricks", "dim"))
    best = max(board.totals)
    for side, (total, tricks) in enumerate(zip(board.totals, board.taken, strict=True)):
        style = "bold green" if total == best and total != min(board.totals) else "bold"
        table.add_row(Text(clean(board.side_name(side)), style), Text(str(total), style), Text(str(tricks)))
    return table


def _tricks(board: Board, room: int) -> Text:
    """The latest tricks, oldest first, as many as there is room for; at least one."""
    shown: list[Text] = []
    for trick in reversed(board.tricks):
        text = _trick(board, trick)
        room -= text.cell_len + len(_GAP)
        if shown and room < 0:
            break
        shown.append(text)
    return Text(_GAP, no_wrap=True, overflow="ellipsis").join(reversed(shown))


def _trick(board: Board, trick: TrickSeen) -> Text:
    """The cards in order of play, the winner's in bold, and who led."""
    text = Text()
    if trick.cards:
        text.append(f"{clean(board.names[trick.cards[0][0]])} ", "dim")
    for number, (seat, card) in enumerate(trick.cards):
        colour = "red" if str(card)[-1] in "HD" else ""
        text.append(" " if number else "")
        text.append(str(card), f"bold underline {colour}".strip() if seat == trick.winner else colour)
    return text
