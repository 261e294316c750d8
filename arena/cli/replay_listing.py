"""A match in a list, from the record or from a file."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from arena.cli.printing import Json, iso_time
from arena.replay import Replay
from arena.store import Result
from arena.wire import termination_from_proto
from engine.games import registered
from engine.seating import members


@dataclass(frozen=True, slots=True)
class Listed:
    """What lists say of a match. `bots` and `sides` are by seat; times are ISO 8601, in UTC; `winner` is a side."""

    match_id: str
    set_id: str
    leg: int
    legs: int
    run: str
    number: int
    attempt: int
    game: str
    rules_version: int
    bots: tuple[str, ...]
    sides: tuple[int, ...]
    termination: str | None
    winner: int | None
    at_fault: int | None
    totals: tuple[int, ...]
    deals: int
    rated: bool
    offered: str
    ended: str | None
    log_hash: str

    @property
    def name(self) -> str:
        """As commands take it: `RUN/MATCH`."""
        return f"{self.run}/{self.match_id}"

    @property
    def victors(self) -> str:
        """The bots of the side that won, or what there is instead."""
        if self.winner is None:
            return "" if self.termination is None or self.termination.startswith("void") else "drawn"
        won = dict(zip(sorted(set(self.sides)), members(self.bots, self.sides), strict=True)).get(self.winner, ())
        return "+".join(won)

    @property
    def document(self) -> dict[str, Json]:
        """As JSON."""
        return asdict(self)


def from_result(result: Result) -> Listed:
    """A match of the record."""
    return Listed(
        match_id=result.match_id,
        set_id=result.set_id,
        leg=result.leg,
        legs=result.legs,
        run=result.run,
        number=result.number,
        attempt=result.attempt,
        game=result.game,
        rules_version=result.rules_version,
        bots=result.bots,
        sides=tuple(player.side for player in result.players),
        termination=result.termination.value,
        winner=result.winner,
        at_fault=result.at_fault,
        totals=result.totals,
        deals=result.deals,
        rated=result.rated,
        offered=iso_time(result.offered_ms),
        ended=iso_time(result.ended_ms),
        log_hash=result.log_hash.hex(),
    )


def from_replay(replay: Replay) -> Listed:
    """A match of a file, as its log tells it; nothing of it is proved by that."""
    header, end = replay.header, replay.ended
    bots = tuple(seat.bot for seat in header.seats)
    game = registered().get(header.game)
    termination = termination_from_proto(end.termination) if end is not None else None
    last_us = replay.entries[-1].frame.at_us if replay.entries else 0
    return Listed(
        match_id=header.match_id,
        set_id=header.set_id,
        leg=header.leg,
        legs=header.legs,
        run=header.run,
        number=header.number,
        attempt=header.attempt,
        game=header.game,
        rules_version=header.rules_version,
        bots=bots,
        sides=game.sides if game is not None and len(game.sides) == len(bots) else tuple(range(len(bots))),
        termination=termination.value if termination is not None else None,
        winner=end.winner if end is not None and end.HasField("winner") else None,
        at_fault=end.at_fault if end is not None and end.HasField("at_fault") else None,
        totals=tuple(end.totals) if end is not None else (),
        deals=end.deals_complete if end is not None else 0,
        rated=header.rated,
        offered=iso_time(header.offered_unix_ms),
        ended=iso_time(header.offered_unix_ms + last_us // 1000) if end is not None else None,
        log_hash=replay.head.hex(),
    )
