"""Watching a match while it is played.

On a terminal: one panel that changes in place, and a line that stays for each finished deal. The display may fall
behind the match, so that a person can follow it. In a pipe: the lines alone, as they come.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

import trio
from rich.box import ROUNDED
from rich.console import Group
from rich.live import Live
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from arena.cli.board import Board, TrickSeen
from arena.cli.printing import clean, console, on_terminal, say
from engine.event import CallMade, DealScored, Event, TrickTaken

PACE: Final[dict[type[Event], float]] = {TrickTaken: 0.025, CallMade: 0.05, DealScored: 0.2}
"""Seconds for which an event of that kind stays on the screen before the next is shown."""
PATIENCE: Final = 7.0
"""Seconds that the display may spend on pauses in one match; after them it shows what comes at once."""
WIDTH: Final = 100
"""The widest that the panel becomes."""
_GAP: Final = "   "
_FRAME: Final = 14
"""What the panel's border and the column of labels take of its width."""


async def follow(events: AsyncIterator[Event], board: Board, title: str) -> None:
    """Show a match until `events` end; they are a spectator's, `board` is as it was before the first of them."""
    if on_terminal():
        await _follow_on_terminal(events, board, title)
    else:
        await _follow_in_lines(events, board)


async def _follow_in_lines(events: AsyncIterator[Event], board: Board) -> None:
    async for event in events:
        board.saw(event)
        if isinstance(event, DealScored):
            say(board.deal_line())


async def _follow_on_terminal(events: AsyncIterator[Event], board: Board, title: str) -> None:
    patience = PATIENCE
    with Live(panel(board, title), console=console(), auto_refresh=False, transient=True) as live:
        async for event in events:
            board.saw(event)
            if isinstance(event, DealScored):
                live.console.print(Text(clean(board.deal_line())))
            pause = min(PACE.get(type(event), 0.0), patience)
            if pause:
                live.update(panel(board, title), refresh=True)
                patience -= pause
                await trio.sleep(pause)


def panel(board: Board, title: str) -> Panel:
    """The table as a spectator sees it: who leads, the deal, its auction, its last tricks."""
    width = min(console().width, WIDTH)
    grid = Table.grid(padding=(0, 2))
    grid.add_row(Text("phase", "dim"), Text(board.phase))
    grid.add_row(Text("auction", "dim"), Text(clean(board.auction)))
    grid.add_row(Text("contract", "dim"), Text(clean(board.bargain), "bold"))
    grid.add_row(Text("tricks", "dim"), _tricks(board, width - _FRAME))
    heading = f" {title}: deal {board.deal_no + 1}, dealer {board.names[board.dealer]} "
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
