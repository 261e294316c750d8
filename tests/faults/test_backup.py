"""Backups: made while matches are played, whole or not there, checked before they are taken back, and gone on with."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sqlite3
import stat
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from click.testing import CliRunner

from arena.backup import back_up, restore
from arena.cli.app import arena as group
from arena.replay import read_replay, verify
from arena.store import Result, Store
from broken_folders import whole_folder
from memory_arena import MemoryBot, memory_arena, same_choice
from real_arena import arena as start_arena
from real_arena import run_arena
from restarting import RULES, journal_of, pair

MATCHES = 8


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a match recorded and one running."""
    folder = tmp_path_factory.mktemp("whole") / "data"
    trio.run(whole_folder, folder, clock=trio.testing.MockClock(autojump_threshold=0))
    return folder


def names(folder: Path) -> list[str]:
    """What is in a folder."""
    return sorted(path.name for path in folder.iterdir())


def proved(data: Path) -> list[Result]:
    """The results of a folder, first match first; each replay is proved, and the ratings are those of the results."""
    with Store.open(data, hold=True) as store:
        results = store.matches(limit=1000)[::-1]
        for result in results:
            report = verify(read_replay(store.replay(result)), known_hash=result.log_hash)
            assert not report.failures, report.failures
        ratings = store.ratings()
        store.rebuild_ratings()
        assert store.ratings() == ratings
    return results


@pytest.mark.parametrize("step", range(2))
async def test_backups_in_the_middle_of_play_are_whole(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, step: int
) -> None:
    """Whenever it is made, a backup holds all that anybody was told, and an arena plays on from it to the end."""
    told: list[str] = []
    made = list[tuple[Path, list[str]]]()
    async with memory_arena(tmp_path / "data", matches=MATCHES, **RULES) as arena:
        arena.lobby.on_ended.append(lambda director, _: told.append(director.header.match_id))
        for name in ("a", "b"):
            for lane in (0, 1):
                bot = MemoryBot(name, same_choice(name), think=0.01 + 0.003 * lane)
                arena.nursery.start_soon(lambda bot=bot, lane=lane: bot.play(arena.lobby, lane=lane))
        while not arena.lobby.quiet.is_set():
            await trio.sleep(0.31 + 0.17 * step)
            backup, known = tmp_path / f"backup-{len(made)}", list(told)
            held = back_up(tmp_path / "data", backup)
            assert (held.ended, held.running) == (len(known), len(arena.lobby.directors))
            made.append((backup, known))
        numbers = sorted(result.number for result in arena.results())
    assert numbers == list(range(1, MATCHES + 1))
    assert len(made) > 3
    for number, (backup, known) in enumerate(made[:: max(1, len(made) // 3)]):
        data = tmp_path / f"restored-{number}"
        restore(backup, data)
        assert [result.match_id for result in proved(data)] == known
        async with memory_arena(data, matches=MATCHES, **RULES) as arena:
            played = await arena.play(*pair())
        assert [result.match_id for result in played[: len(known)]] == known
        # A running match of the lane that does not come back is void, and played again.
        assert sorted(result.number for result in played if not result.termination.void) == numbers
        proved(data)


async def test_a_match_that_ends_while_it_is_copied_is_there_once(
    tmp_path: Path, autojump_clock: trio.testing.MockClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the logs and the database a match ends: its result is in the backup, its log is not."""
    copy_to = Store.copy_to
    async with memory_arena(tmp_path / "data", **RULES) as arena:
        bots = pair()
        for bot in bots:
            bot.think = 0.01
            arena.nursery.start_soon(bot.play, arena.lobby)
        await trio.sleep(0.2)
        assert journal_of(tmp_path / "data").exists()
        snapshot = tmp_path / "logs"
        shutil.copytree(tmp_path / "data" / "running", snapshot)
        await arena.lobby.quiet.wait()

        def late(store: Store, folder: Path) -> None:
            """Copy the database, as if the log had been copied a while ago."""
            shutil.copytree(snapshot, folder / "running", dirs_exist_ok=True)
            copy_to(store, folder)

        monkeypatch.setattr(Store, "copy_to", late)
        held = back_up(tmp_path / "data", tmp_path / "backup")
    assert (held.ended, held.running) == (1, 0)
    assert list((tmp_path / "backup" / "running").iterdir()) == []
    assert len(proved(tmp_path / "backup")) == 1


def test_a_frame_that_is_being_written_is_left_out(whole: Path, tmp_path: Path) -> None:
    """A log is copied up to its last whole frame, and a log without a whole header is none."""
    data = tmp_path / "data"
    shutil.copytree(whole, data)
    log = journal_of(data)
    content = log.read_bytes()
    log.write_bytes(content[:-3])
    (data / "running" / "match-1.0f0f.arp").write_bytes(content[:20])
    back_up(data, tmp_path / "backup")
    (copy,) = (tmp_path / "backup" / "running").iterdir()
    assert content.startswith(copy.read_bytes())
    assert read_replay(copy.read_bytes()).frames == read_replay(content).frames[:-1]


def test_a_backup_is_its_owners_alone(whole: Path, tmp_path: Path) -> None:
    """Nobody else may read it, for it holds seeds; beside it nothing is left, and the log keeps its time."""
    back_up(whole, tmp_path / "backup")
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "backup").rglob("*")}
    assert modes.pop("arena.db") == 0o600
    assert modes.pop("running") == 0o700
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE((tmp_path / "backup").stat().st_mode) == 0o700
    assert names(tmp_path) == ["backup"]
    assert journal_of(tmp_path / "backup").stat().st_mtime == pytest.approx(journal_of(whole).stat().st_mtime)


def test_settings_are_kept(whole: Path, tmp_path: Path) -> None:
    """The file of settings goes into the backup and back."""
    shutil.copytree(whole, tmp_path / "data")
    (tmp_path / "data" / "arena.toml").write_text("[limits]\nlanes = 3\n")
    back_up(tmp_path / "data", tmp_path / "backup")
    restore(tmp_path / "backup", tmp_path / "again")
    assert (tmp_path / "again" / "arena.toml").read_text() == "[limits]\nlanes = 3\n"


def ask(*words: str | Path) -> tuple[int, str]:
    """An `arena` command's exit code and its one line of complaint, without a traceback."""
    done = CliRunner().invoke(group, [str(word) for word in words], prog_name="arena")
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
    lines = done.stderr.splitlines()
    assert len(lines) == (done.exit_code == 2)
    return done.exit_code, lines[0].removeprefix("arena: ") if lines else ""


def test_a_backup_overwrites_nothing(whole: Path, tmp_path: Path) -> None:
    """A destination that is there is refused, whatever it is, and so is a data folder with something in it."""
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("file", "folder", "link"):
        there = tmp_path / name
        text = f"{there} is there already: give the name of a folder that is not there yet"
        assert ask("backup", there, "--data", whole) == (2, text)
    assert ask("backup", tmp_path / "backup", "--data", whole) == (0, "")
    (tmp_path / "folder" / "notes").touch()
    for name in ("file", "folder", "link"):
        there = tmp_path / name
        text = f"data folder {there} is not empty: a backup needs a new one, give another --data"
        assert ask("restore", tmp_path / "backup", "--data", there) == (2, text)
    assert names(tmp_path) == ["backup", "file", "folder", "link"]


def test_both_commands_speak_json(whole: Path, tmp_path: Path) -> None:
    """With --json each prints one document that says how many matches there are."""
    for words, where in ((["backup", tmp_path / "b", "--data", whole], "b"), (["restore", tmp_path / "b"], "d")):
        place = [] if where == "b" else ["--data", tmp_path / "d"]
        done = CliRunner().invoke(group, [str(word) for word in [*words, *place, "--json"]], prog_name="arena")
        name = "backup" if where == "b" else "data"
        assert json.loads(done.stdout) == {name: str(tmp_path / where), "ended": 1, "running": 1}


def test_nothing_to_copy(tmp_path: Path) -> None:
    """Where no arena has played there is nothing to back up, and what is no backup is not restored."""
    (tmp_path / "empty").mkdir()
    text = f"no arena has played in {tmp_path / 'empty'}: give the folder of one with --data"
    assert ask("backup", tmp_path / "backup", "--data", tmp_path / "empty") == (2, text)
    text = f"there is no arena.db in {tmp_path / 'empty'}: give a folder that 'arena backup' has made"
    code, line = ask("restore", tmp_path / "empty", "--data", tmp_path / "data")
    assert (code, line) == (2, f"{tmp_path / 'empty'} is not restored: {text}")
    assert names(tmp_path) == ["empty"]


def change_replay(backup: Path) -> None:
    """A byte of a stored replay is another."""
    with closing(sqlite3.connect(backup / "arena.db")) as connection, connection:
        ((packed,),) = connection.execute("SELECT packed FROM replays").fetchall()
        connection.execute("UPDATE replays SET packed = ?", (packed[:99] + bytes([packed[99] ^ 1]) + packed[100:],))


def change_hash(backup: Path) -> None:
    """A recorded hash is another."""
    with closing(sqlite3.connect(backup / "arena.db")) as connection, connection:
        connection.execute("UPDATE matches SET log_hash = ?", (bytes(32),))


def cut_database(backup: Path) -> None:
    """The end of the database is not there."""
    os.truncate(backup / "arena.db", 20_000)


def flip_log(backup: Path) -> None:
    """A bit of a running match's log is flipped."""
    log = journal_of(backup)
    data = log.read_bytes()
    log.write_bytes(data[:500] + bytes([data[500] ^ 1]) + data[501:])


def rename_log(backup: Path) -> None:
    """A log has the name of another match."""
    journal_of(backup).rename(backup / "running" / "match-1.other.arp")


def remove_seats(backup: Path) -> None:
    """A result is gone, its seats are there."""
    with closing(sqlite3.connect(backup / "arena.db")) as connection, connection:
        connection.execute("DELETE FROM matches")


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (change_replay, "the replay of match match-1/"),
        (change_hash, "is not the one whose hash is recorded"),
        (cut_database, "its database"),
        (flip_log, "is damaged: frame "),
        (rename_log, "match-1.other.arp is no log of a match of its runs"),
        (remove_seats, "its database is damaged: a row of "),
    ],
)
def test_a_damaged_backup_is_not_restored(
    whole: Path, tmp_path: Path, damage: Callable[[Path], object], says: str
) -> None:
    """Every part is checked first; what is wrong is said, and no data folder is made."""
    backup = tmp_path / "backup"
    back_up(whole, backup)
    damage(backup)
    code, line = ask("restore", backup, "--data", tmp_path / "data")
    assert code == 2
    assert line.startswith(f"{backup} is not restored: ")
    assert says in line
    assert ".part" not in line
    assert names(tmp_path) == ["backup"]


def test_a_backup_of_an_older_arena_is_brought_up_in_the_copy(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The backup itself stays as it is."""
    from arena.store import schema, upgrade  # noqa: PLC0415 - patched below

    back_up(whole, tmp_path / "backup")
    before = (tmp_path / "backup" / "arena.db").read_bytes()
    monkeypatch.setattr(upgrade, "STEPS", {**upgrade.STEPS, schema.VERSION: lambda _: None})
    monkeypatch.setattr(schema, "VERSION", schema.VERSION + 1)
    restore(tmp_path / "backup", tmp_path / "data")
    with Store.open(tmp_path / "data", hold=False) as store:
        assert store.upgraded is None
    assert (tmp_path / "backup" / "arena.db").read_bytes() == before


def test_a_disk_without_room_leaves_no_half_backup(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When something cannot be written there is one line, and nothing where the backup should be or beside it."""

    def fail(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    for name in ("fsync", "utime", "fdopen"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, fail)
            text = f"cannot write {tmp_path / 'backup'}: no space left on device"
            assert ask("backup", tmp_path / "backup", "--data", whole) == (2, text)
        assert names(tmp_path) == []


def test_a_running_arena_is_backed_up_and_killed_and_restored(tmp_path: Path) -> None:
    """A process plays; a backup made beside it holds what the process had told, and goes on elsewhere."""
    place = str(tmp_path / "data")
    bot = f"{shlex.quote(sys.executable)} -m sample_bots.python.random_bot"
    words = ["match", bot, bot, "--run", "night", "--matches", "40", "--option", "max_deals=2", "--seed", "5"]
    with start_arena(*words, "--data", place) as playing:
        line = playing.wait_line(" of 40")
        told = int(line.split(" of 40")[0].split()[-1])
        said = run_arena("backup", str(tmp_path / "backup"), "--data", place)
        playing.signal(9)
        playing.wait()
    assert said.splitlines()[1].startswith("go back to it with: ")
    said = run_arena("restore", str(tmp_path / "backup"), "--data", str(tmp_path / "again"))
    ended = int(said.split(" holds ")[1].split()[0])
    assert ended >= told
    results = proved(tmp_path / "again")
    assert len(results) == ended
    words[words.index("40")] = str(ended + 2)
    run_arena(*words, "--data", str(tmp_path / "again"))
    assert [one.number for one in sorted(proved(tmp_path / "again"), key=lambda one: one.number)] == [
        number + 1 for number in range(ended + 2)
    ]
