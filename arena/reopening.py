"""Goes on with the matches that were running when the arena stopped, each from its log."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from arena.config import ArenaConfig
from arena.errors import ArenaError, BadReplay
from arena.lobby import Lobby
from arena.opening import pairing_of, running_folder, terms_of
from arena.replay import Journal, Reopened
from arena.replay.frames import MAGIC, Damaged, is_torn, scan
from arena.sitting import Sitting
from arena.store import Store
from engine.errors import BadRules, Refused, UnknownGame
from engine.games import find


def take_up_running(lobby: Lobby, config: ArenaConfig, store: Store) -> list[str]:
    """Go on with this run's matches that have a log and no result. Gives a line for people on each.

    Raises ArenaError when a log is damaged elsewhere than at its end, or was written by other rules.
    """
    return [note for path in _logs(config) for note in _take_up(path, lobby, config, store)]


def _logs(config: ArenaConfig) -> list[Path]:
    return sorted(running_folder(config.data).glob(f"{config.run}.*.arp"))


def _take_up(path: Path, lobby: Lobby, config: ArenaConfig, store: Store) -> Iterator[str]:
    if _is_empty(path.read_bytes()):
        path.unlink()
        yield f"{path.name} has been removed: the arena stopped before it had written anything of that match"
        return
    outage_ms = max(0, round((time.time() - path.stat().st_mtime) * 1000))
    try:
        reopened = Journal.reopen(path)
    except BadReplay as damage:
        raise ArenaError(
            f"{path} is the log of a running match, and it is damaged: {damage}; move the file away to start without it"
        ) from None
    match_id, cut = reopened.replay.header.match_id, f" ({reopened.note})" if reopened.note else ""
    if _is_recorded(reopened, config, store):
        reopened.journal.close()
        path.unlink()
        yield f"match {match_id} had ended and is recorded"
    else:
        _go_on(path, reopened, lobby, config, outage_ms)
        had_ended = "had ended and is recorded now" if reopened.replay.ended is not None else ""
        yield f"match {match_id} {had_ended or f'goes on after an outage of {outage_ms / 1000:.1f} s'}{cut}"


def _is_empty(data: bytes) -> bool:
    """Not even the header is whole: the arena died while it made the file, before anybody was told of the match.

    A power cut can also leave nothing, or zeros, of a match whose first deal was being played.
    """
    try:
        return next(scan(data), None) is None
    except Damaged as damage:
        return damage.number == 0 and is_torn(data, damage)
    except BadReplay:
        return MAGIC.startswith(data) or not any(data)


def _is_recorded(reopened: Reopened, config: ArenaConfig, store: Store) -> bool:
    """The arena died between the record of the result and the removal of the log."""
    result = store.match(config.run, reopened.replay.header.match_id)
    return result is not None and result.log_hash == reopened.replay.head


def _go_on(path: Path, reopened: Reopened, lobby: Lobby, config: ArenaConfig, outage_ms: int) -> None:
    try:
        sitting = _sitting(reopened, lobby, config)
        frames = reopened.replay.frames
        lobby.take_up(sitting, frames, unix_ms=time.time_ns() // 1_000_000, outage_ms=outage_ms)
    except (Refused, BadRules, UnknownGame) as error:
        raise ArenaError(
            f"{path} is the log of a running match that this arena cannot go on with: {error}; "
            "start the version that wrote it, or move the file away"
        ) from None


def _sitting(reopened: Reopened, lobby: Lobby, config: ArenaConfig) -> Sitting:
    header = reopened.replay.header
    game = find(header.game)
    if header.rules_version != game.rules_version:
        raise BadRules(f"it is played by version {header.rules_version} of {game.name}, here is {game.rules_version}")
    lanes = tuple(lobby.lane(seat.bot, seat.lane) for seat in header.seats)
    return Sitting(
        terms_of(header, config, game, lobby.first_legs.of(pairing_of(header))), header, lanes, reopened.journal
    )
