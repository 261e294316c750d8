"""Opens a match: its id, its seed, its header, its log; all that is settled before the first word of it is said."""

from __future__ import annotations

import secrets
import time
from pathlib import Path

from arena.config import ArenaConfig, arena_version
from arena.errors import BadDataFolder
from arena.legs import FirstLeg
from arena.ratings import kind_of
from arena.replay import Journal
from arena.schedule import Pairing, seeded_match_id, seeded_server_seed, seeded_set_id
from arena.session import Lane
from arena.sitting import Sitting
from arena.v1 import replay_pb2
from arena.wire import rules_from_text, rules_to_text, time_control_from_proto, time_control_to_proto
from engine.deck import DeckSource, commitment
from engine.game import Game
from engine.games import find
from engine.terms import TableTerms


def running_folder(data: Path) -> Path:
    """Where the logs of running matches are."""
    return data / "running"


def make_running_folder(data: Path) -> None:
    """Make that folder if it is not there. BadDataFolder when it cannot be one."""
    folder = running_folder(data)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise BadDataFolder(data, f"{folder.name} cannot be a folder in it: {(error.strerror or '').lower()}") from None


def journal_path(data: Path, run: str, match_id: str) -> Path:
    """Where the log of a running match is."""
    return running_folder(data) / f"{run}.{match_id}.arp"


def open_match(
    config: ArenaConfig, pairing: Pairing, lanes: tuple[Lane, ...], first_leg: FirstLeg | None = None
) -> Sitting:
    """Settle a new match and begin its log. A later leg of a set is played on the decks of `first_leg`.

    Raises JournalBroken when the log cannot be written.
    """
    if config.seed is not None:
        match_id = seeded_match_id(config.seed, pairing)
        set_id = seeded_set_id(config.seed, pairing)
        server_seed = seeded_server_seed(config.seed, pairing)
    elif first_leg is not None:
        match_id, set_id, server_seed = secrets.token_hex(8), first_leg.match_id, first_leg.server_seed
    else:
        match_id = set_id = secrets.token_hex(8)
        server_seed = secrets.token_bytes(32)
    game = find(pairing.game)
    header = replay_pb2.ReplayHeader(
        match_id=match_id,
        set_id=set_id,
        leg=pairing.leg,
        legs=pairing.legs,
        run=config.run,
        number=pairing.number,
        game=game.name,
        rules_version=game.rules_version,
        rules=rules_to_text(config.rules[game.name]),
        seats=[
            replay_pb2.ReplaySeat(bot=lane.bot, software=lane.software, lane=lane.number, auto_draw=lane.auto_draw)
            for lane in lanes
        ],
        time_control=time_control_to_proto(config.control),
        commitment=commitment(match_id, server_seed),
        server_seed=server_seed,
        seeded=config.seed is not None,
        offered_unix_ms=time.time_ns() // 1_000_000,
        arena_version=arena_version(),
        rated=config.rated and kind_of(pairing.bots, game.sides) is not None,
        attempt=pairing.attempt,
    )
    journal = Journal.create(journal_path(config.data, config.run, match_id), header)
    return Sitting(terms_of(header, config, game, first_leg), header, lanes, journal)


def terms_of(
    header: replay_pb2.ReplayHeader, config: ArenaConfig, game: Game, first_leg: FirstLeg | None
) -> TableTerms:
    """The terms of a match as its header has them; `first_leg` is that of its set when it is a later one."""
    nonces = None if first_leg is None else first_leg.nonces
    return TableTerms(
        game=game,
        rules=rules_from_text(game, header.rules),
        source=DeckSource(
            header.server_seed,
            header.set_id,
            game.name,
            game.pack,
            len(game.sides),
            fixed_nonces=() if header.seeded else nonces,
        ),
        control=time_control_from_proto(header.time_control),
        auto_draw=tuple(seat.auto_draw for seat in header.seats),
        ready_within_us=config.limits.ready_within_us,
        away_us=config.limits.away_us,
    )


def pairing_of(header: replay_pb2.ReplayHeader) -> Pairing:
    """The planned match that a header belongs to."""
    bots = tuple(seat.bot for seat in header.seats)
    return Pairing(header.number, header.game, bots, header.attempt, header.leg, header.legs)
