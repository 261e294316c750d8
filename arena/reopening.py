"""Goes on with the matches that were running when the arena stopped, each from its log."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

from arena.config import ArenaConfig
from arena.errors import ArenaError, BadReplay
from arena.lobby import Lobby
from arena.opening import journal_path, pairing_of, running_folder, terms_of
from arena.replay import Journal, Reopened, Replay, read_replay, verify
from arena.replay.course import RESULT
from arena.replay.frames import MAGIC, Damaged, is_torn, scan
from arena.sitting import Sitting
from arena.store import Store
from engine.errors import BadRules, Refused
from engine.games import find


def take_up_running(lobby: Lobby, config: ArenaConfig, store: Store) -> list[str]:
    """Go on with this run's matches that have a log and no result. Gives a line for people on each.

    Raises ArenaError when a log is damaged elsewhere than at its end, or was written by other rules.
    """
    return [note for path in _logs(config) for note in _take_up(path, lobby, config, store)]


def _logs(config: ArenaConfig) -> list[Path]:
    return sorted(running_folder(config.data).glob(f"{config.run}.*.arp"))


def _take_up(path: Path, lobby: Lobby, config: ArenaConfig, store: Store) -> Iterator[str]:
    try:
        data, written = path.read_bytes(), path.stat().st_mtime
        if _is_empty(data):
            path.unlink()
            yield f"{path.name} has been removed: the arena stopped before it had written anything of that match"
            return
        reopened = Journal.reopen(path)
    except Damaged as damage:
        raise ArenaError(
            f"{path} is the log of a running match, and it is damaged: {damage}; move the file away to start without it"
        ) from None
    except BadReplay as error:
        raise _cannot_go_on(path, error) from None
    except OSError as error:
        raise ArenaError(
            f"{path} should be the log of a running match: it cannot be used, {(error.strerror or '').lower()}"
        ) from None
    outage_ms = max(0, round((time.time() - written) * 1000))
    match_id, cut = reopened.replay.header.match_id, f" ({reopened.note})" if reopened.note else ""
    if _is_recorded(reopened, config, store):
        reopened.journal.close()
        path.unlink()
        yield f"match {match_id} had ended and is recorded"
    else:
        try:
            _check(path, reopened.replay, config, store)
            _go_on(reopened, lobby, config, outage_ms)
        except (BadReplay, Refused, BadRules, LookupError) as error:
            reopened.journal.close()
            raise _cannot_go_on(path, error) from None
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


def _go_on(reopened: Reopened, lobby: Lobby, config: ArenaConfig, outage_ms: int) -> None:
    header, frames = reopened.replay.header, reopened.replay.frames
    lanes = tuple(lobby.lane(seat.bot, seat.lane) for seat in header.seats)
    terms = terms_of(header, config, find(header.game), lobby.first_legs.of(pairing_of(header)))
    sitting = Sitting(terms, header, lanes, reopened.journal)
    lobby.take_up(sitting, frames, unix_ms=time.time_ns() // 1_000_000, outage_ms=outage_ms)


def _cannot_go_on(path: Path, error: Exception) -> ArenaError:
    return ArenaError(
        f"{path} is the log of a running match that this arena cannot go on with: {error}; "
        "start the version that wrote it, or move the file away"
    )


def _check(path: Path, replay: Replay, config: ArenaConfig, store: Store) -> None:
    """Raise BadReplay unless the log tells the beginning of the match after which its file is named.

    What could not be proved in the end must not be played on.
    """
    header = replay.header
    if path != journal_path(config.data, header.run, header.match_id):
        raise BadReplay("header", f"it is of match {replay.name}")
    if len({(seat.bot, seat.lane) for seat in header.seats}) < len(header.seats):
        raise BadReplay("header", "two of its seats are the same lane of the same bot")
    legs = store.legs(config.run, header.set_id) if header.leg > 1 else []
    first = next((read_replay(store.replay(leg)) for leg in legs if leg.leg == 1), None)
    report = verify(replay, known_hash=None, first_leg=first)
    for finding in report.failures:
        if replay.ended is not None or finding.check != RESULT:
            raise BadReplay(finding.check, finding.text)
