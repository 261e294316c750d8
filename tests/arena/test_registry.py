"""The registry of bots: changed beside the arena that runs on the folder, read by what is new."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.errors import Ambiguous, ArenaError, DataFolderHeld, NotFound
from arena.identity import digest_of
from arena.store import Registry, Store


@pytest.fixture
def registry(tmp_path: Path) -> Iterator[Registry]:
    """The registry of a new data folder."""
    with Registry.open(tmp_path / "data", create=True) as opened:
        yield opened


def add(registry: Registry, name: str, version: str = "1") -> int:
    """Register a bot; its id."""
    secret = f"{name} {version}"
    return registry.add(name, version, owner="ann", digest=digest_of(secret), now_ms=1).id


def test_a_bot_is_registered_once(registry: Registry) -> None:
    """Name and version together are the bot; a second time is refused, after a revocation too."""
    ids = [add(registry, "heron"), add(registry, "heron", "2"), add(registry, "otter")]
    assert len(set(ids)) == 3
    with pytest.raises(ArenaError, match="heron@2 is registered already: register another --version"):
        add(registry, "heron", "2")
    registry.revoke("heron", "2", now_ms=5)
    with pytest.raises(ArenaError, match="heron@2 was registered, and revoked: register another --version"):
        add(registry, "heron", "2")
    assert [one.bot for one in registry.all()] == ["heron@1", "heron@2", "otter@1"]


def test_a_revocation_is_of_a_version_or_of_all(registry: Registry) -> None:
    """It says whom it struck: those that were good until then."""
    for version in "123":
        add(registry, "heron", version)
    add(registry, "otter")
    assert [one.bot for one in registry.revoke("heron", "2", now_ms=5)] == ["heron@2"]
    assert [one.bot for one in registry.revoke("heron", None, now_ms=6)] == ["heron@1", "heron@3"]
    assert registry.revoke("heron", None, now_ms=7) == []
    assert {one.bot: one.revoked_ms for one in registry.all()} == {
        "heron@1": 6,
        "heron@2": 5,
        "heron@3": 6,
        "otter@1": None,
    }


def test_a_rotation_changes_the_digest_alone(registry: Registry) -> None:
    """The bot keeps its id and all that it has; a revoked one is good again."""
    number = add(registry, "heron")
    registry.revoke("heron", None, now_ms=5)
    fresh = registry.rotate("heron", None, digest_of("new"))
    assert (fresh.id, fresh.bot, fresh.owner, fresh.revoked_ms) == (number, "heron@1", "ann", None)
    assert fresh.digest == digest_of("new")
    assert registry.all() == [fresh]


def test_a_rotation_wants_one_bot(registry: Registry) -> None:
    """A name with several versions is not enough, and a bot that is not there is said to be not there."""
    add(registry, "heron")
    add(registry, "heron", "2")
    with pytest.raises(Ambiguous, match="heron could be heron@1, heron@2"):
        registry.rotate("heron", None, digest_of("new"))
    for name, version, wanted in (("otter", None, "otter"), ("heron", "3", "heron@3")):
        with pytest.raises(NotFound, match=f"no bot {wanted} is registered in "):
            registry.rotate(name, version, digest_of("new"))
        with pytest.raises(NotFound, match=f"no bot {wanted} is registered in "):
            registry.revoke(name, version, now_ms=5)


def test_what_is_new_is_found_by_its_number(registry: Registry) -> None:
    """Whoever knows all up to a change is told each bot that was changed since, once, in its latest state."""
    for name in ("heron", "otter", "wren"):
        add(registry, name)
    known = registry.changed_after(0)[-1].change
    assert registry.changed_after(known) == []
    registry.rotate("otter", None, digest_of("new"))
    registry.revoke("heron", None, now_ms=5)
    registry.revoke("otter", None, now_ms=6)
    assert [(one.bot, one.revoked_ms) for one in registry.changed_after(known)] == [("heron@1", 5), ("otter@1", 6)]


def test_the_registry_is_changed_beside_the_arena_that_holds_the_folder(tmp_path: Path) -> None:
    """The folder's holder and the registry both write, and each sees what the other wrote."""
    with Store.open(tmp_path, hold=True) as store, Registry.open(tmp_path) as mine, Registry.open(tmp_path) as other:
        for number in range(20):
            add(mine, f"bot-{number}")
            store.open_run(f"run-{number}", "match", seeded=False, created_ms=number)
        assert len(other.all()) == 20
        assert len(store.runs()) == 20


def test_a_folder_that_must_be_made_first_is_made_by_its_holder(tmp_path: Path) -> None:
    """Only adding makes a data folder; one that is of an older version and in use is not touched."""
    with pytest.raises(NotFound, match="no arena has played in"):
        Registry.open(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()
    Registry.open(tmp_path / "data", create=True).close()
    with Store.open(tmp_path / "data", hold=True):
        with closing(sqlite3.connect(tmp_path / "data" / "arena.db")) as connection, connection:
            connection.execute("DROP TABLE bots")
            connection.execute("UPDATE meta SET value = '1' WHERE name = 'version'")
        with pytest.raises(DataFolderHeld):
            Registry.open(tmp_path / "data", create=True)


def test_an_id_is_never_used_twice(tmp_path: Path) -> None:
    """An old token can never stand for a newer bot, even where somebody has deleted rows by hand."""
    with Registry.open(tmp_path, create=True) as registry:
        first = add(registry, "heron")
        with closing(sqlite3.connect(tmp_path / "arena.db")) as connection, connection:
            connection.execute("DELETE FROM bots")
        assert add(registry, "otter") > first
