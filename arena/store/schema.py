"""The tables of a data folder's database.

`matches`, `seats` and `replays` are the record: written once, never changed. `ratings` and `rating_changes` follow from
it and can be computed again at any time. `bots` is the registry: who may play on an arena that is not open. Times are
milliseconds since 1970 UTC, ratings thousandths of a point.
"""

from __future__ import annotations

from typing import Final

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

from arena.store.exact import read_exactly

VERSION: Final = 3
"""The version of these tables; `arena.store.upgrade` brings older ones up to it."""

metadata: Final = MetaData()

meta: Final = Table(
    "meta",
    metadata,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
    sqlite_with_rowid=False,
)

runs: Final = Table(
    "runs",
    metadata,
    Column("run", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("seeded", Boolean, nullable=False),
    Column("created_ms", Integer, nullable=False),
    # What the run plays, as JSON, to go on from; empty for a ladder, which plays whoever comes.
    Column("settings", Text, nullable=False, server_default=""),
    sqlite_with_rowid=False,
)

matches: Final = Table(
    "matches",
    metadata,
    # The order of the log: matches are numbered as they end, and a number is never used twice.
    Column("seq", Integer, primary_key=True),
    Column("run", Text, ForeignKey("runs.run"), nullable=False),
    Column("match_id", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("set_id", Text, nullable=False),
    Column("leg", Integer, nullable=False),
    Column("legs", Integer, nullable=False),
    Column("game", Text, nullable=False),
    Column("rules_version", Integer, nullable=False),
    Column("rules", Text, nullable=False),
    Column("rated", Boolean, nullable=False),
    Column("termination", Text, nullable=False),
    Column("winner", Integer),
    Column("at_fault", Integer),
    Column("totals", Text, nullable=False),
    Column("deals", Integer, nullable=False),
    Column("offered_ms", Integer, nullable=False),
    Column("ended_ms", Integer, nullable=False),
    Column("log_hash", LargeBinary, nullable=False),
    UniqueConstraint("run", "match_id"),
    UniqueConstraint("run", "number", "attempt"),
    CheckConstraint("winner IS NULL OR termination NOT LIKE 'void%'", name="nobody_wins_a_void_match"),
    Index("sets", "run", "set_id"),
    sqlite_autoincrement=True,
)

seats: Final = Table(
    "seats",
    metadata,
    Column("seq", Integer, ForeignKey("matches.seq"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("side", Integer, nullable=False),
    Column("bot", Text, nullable=False),
    Column("software", Text, nullable=False),
    Column("actions", Integer, nullable=False, server_default="0"),
    Column("rejected", Integer, nullable=False, server_default="0"),
    Index("matches_of_a_bot", "bot", "seq"),
    sqlite_with_rowid=False,
)

replays: Final = Table(
    "replays",
    metadata,
    Column("seq", Integer, ForeignKey("matches.seq"), primary_key=True),
    Column("packed", LargeBinary, nullable=False),
)

# Without row ids a table's content is all that there is of it: computed again, it is the same to the byte.
ratings: Final = Table(
    "ratings",
    metadata,
    Column("run", Text, ForeignKey("runs.run"), primary_key=True),
    Column("game", Text, primary_key=True),
    Column("rules_version", Integer, primary_key=True),
    Column("rules", Text, primary_key=True),
    Column("kind", Text, primary_key=True),
    Column("bot", Text, primary_key=True),
    Column("milli", Integer, nullable=False),
    Column("matches", Integer, nullable=False),
    sqlite_with_rowid=False,
)

rating_changes: Final = Table(
    "rating_changes",
    metadata,
    # The match that closed the set.
    Column("seq", Integer, ForeignKey("matches.seq"), primary_key=True),
    Column("bot", Text, primary_key=True),
    Column("before_milli", Integer, nullable=False),
    Column("after_milli", Integer, nullable=False),
    sqlite_with_rowid=False,
)

bots: Final = Table(
    "bots",
    metadata,
    # Never used twice, so an old token never stands for another bot.
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    Column("version", Text, nullable=False),
    Column("owner", Text, nullable=False),
    Column("created_ms", Integer, nullable=False),
    # SHA-256 of the secret in the bot's token; nothing here lets anybody in.
    Column("digest", LargeBinary, nullable=False),
    Column("revoked_ms", Integer),
    # The number of the last change to this row, of all changes in this table: a reader asks what is new since one.
    Column("change", Integer, nullable=False),
    UniqueConstraint("name", "version"),
    UniqueConstraint("change"),
    sqlite_autoincrement=True,
)

for _table in metadata.tables.values():
    read_exactly(_table)
