"""`arena replay`: list, show, verify and export, from the data folder and from files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from click.testing import Result

from arena.replay import pack
from arena.replay.frames import scan
from arena.v1 import replay_pb2
from recording import Edit, Tape, file_of, forge

Run = Callable[..., Result]
Complaint = Callable[[Result], str]
Golden = Callable[[str, Iterable[str]], None]


@pytest.fixture
def tape(tmp_path: Path) -> Tape:
    """A match of two deals whose replay is the file m1.arp in the current folder, with one refused answer."""
    tape = Tape(tmp_path, rules={"max_deals": 2, "target": 9999}).ready()
    tape.play(actions=20)
    tape.answer(99)
    return tape.play()


# -- list


def test_list_shows_matches_newest_first(run: Run, recorded: Path, golden: Golden) -> None:
    """A person sees one line for each match: id, number, time, game, bots by seat, totals, winner, ending, deals."""
    golden("cli-replay-list.txt", run("replay", "list", "--data", recorded).stdout.splitlines())


def test_list_as_json_is_an_array_of_objects(run: Run, recorded: Path) -> None:
    """`--json` prints one array, whose objects are named by match_id, set_id and run."""
    listed = json.loads(run("replay", "list", "--data", recorded, "--json").stdout)
    assert [(match["run"], match["match_id"], match["set_id"]) for match in listed] == [
        ("night", "77aa04", "77aa04"),
        ("demo", "9c0003", "9c0003"),
        ("demo", "3f2b02", "3f2b02"),
        ("demo", "3f2a01", "3f2a01"),
    ]
    match = listed[0]
    assert match["bots"] == ["steady", "random"]
    assert match["termination"] == "deal_limit"
    assert match["ended"] == "2026-09-21T14:17:20+00:00"
    assert len(match["log_hash"]) == 64
    assert sum(match["totals"]) > 0


def test_list_can_be_narrowed(run: Run, recorded: Path) -> None:
    """--run, --bot and --limit choose; what was left out is said on standard error."""
    demo = json.loads(run("replay", "list", "--data", recorded, "--run", "demo", "--json").stdout)
    assert [match["number"] for match in demo] == [3, 2, 1]
    assert json.loads(run("replay", "list", "--data", recorded, "--bot", "nobody", "--json").stdout) == []
    short = run("replay", "list", "--data", recorded, "--limit", "2")
    assert len(short.stdout.splitlines()) == 3
    assert short.stderr == "arena: the newest 2 matches; --limit 0 shows all\n"
    assert run("replay", "list", "--data", recorded, "--limit", "4").stderr == ""


def test_list_reads_files_too(run: Run, tape: Tape) -> None:
    """Files are listed without a data folder, packed or not, ended or not."""
    Path("packed.zst").write_bytes(pack(tape.data()))
    Path("cut.arp").write_bytes(Tape(Path(), match_id="m2").ready().data())
    listed = json.loads(run("replay", "list", "m1.arp", "packed.zst", "cut.arp", "--json").stdout)
    assert [match["match_id"] for match in listed] == ["m1", "m1", "m2"]
    assert listed[0]["log_hash"] == listed[1]["log_hash"] == tape.replay().head.hex()
    assert [match["termination"] for match in listed] == ["deal_limit", "deal_limit", None]
    assert listed[2]["ended"] is None


# -- show


def test_show_tells_the_match(run: Run, tape: Tape, golden: Golden) -> None:
    """The story of a file in plain lines: hands, tricks, auction, score."""
    result = run("replay", "show", "m1.arp")
    assert result.exit_code == 0
    golden("cli-replay-show.txt", result.stdout.splitlines())
    assert tape.finish is not None


def test_show_can_tell_one_deal(run: Run, recorded: Path) -> None:
    """--deal N is the part of the story that begins with that deal, without the end of the match."""
    whole = run("replay", "show", "9c", "--data", recorded).stdout
    part = run("replay", "show", "9c", "--data", recorded, "--deal", "1").stdout
    assert part.startswith("deal 1, dealer ")
    assert part in whole
    assert "deal 0" not in part
    assert "log hash" not in part


def test_show_adds_times_and_notes_when_asked(run: Run, tape: Tape) -> None:
    """What decisions cost and what bots remarked is told only if asked for."""
    assert tape.finish is not None
    plain = run("replay", "show", "m1.arp").stdout
    assert "the longest" not in plain
    assert ": hm" not in plain
    assert "the longest 0.012 s" in run("replay", "show", "m1.arp", "--times").stdout
    assert ": hm" in run("replay", "show", "m1.arp", "--notes").stdout


def test_show_as_json_is_the_export_as_one_array(run: Run, recorded: Path) -> None:
    """--json prints the objects of the export, with --deal those of one deal, from its deck to its score."""
    exported = [json.loads(line) for line in run("replay", "export", "9c", "--data", recorded).stdout.splitlines()]
    assert json.loads(run("replay", "show", "9c", "--data", recorded, "--json").stdout) == exported
    deals = [
        json.loads(run("replay", "show", "9c", "--data", recorded, "--json", "--deal", number).stdout)
        for number in ("0", "1")
    ]
    assert exported == [exported[0], *deals[0], *deals[1], exported[-1]]
    assert [(deal[0]["type"], deal[0]["n"], deal[-1]["type"]) for deal in deals] == [
        ("deal", 0, "deal_end"),
        ("deal", 1, "deal_end"),
    ]


def test_a_match_is_found_by_any_of_its_names(run: Run, recorded: Path) -> None:
    """An id, the beginning of one, and either with its run all name a match."""
    for name in ("3f2a01", "3f2a", "demo/3f2a01", "demo/3f2a"):
        assert run("replay", "show", name, "--data", recorded).stdout.startswith("match demo/3f2a01: ")


def test_a_file_goes_before_a_match_of_that_name(run: Run, recorded: Path, tape: Tape) -> None:
    """What is a file is read as one, whatever the data folder holds."""
    tape.path.rename("3f2a01")
    assert run("replay", "show", "3f2a01", "--data", recorded).stdout.startswith("match demo/m1: ")


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["show", "zz"], "zz is no file, and no match zz in {data}: 'arena replay list' shows those that there are"),
        (["show", "3f2"], "3f2 could be demo/3f2a01, demo/3f2b02: write more of it"),
        (["show", "9c", "--deal", "2"], "match demo/9c0003 has no deal 2: they are numbered from 0"),
        (["show", "9c", "--deal", "2", "--json"], "match demo/9c0003 has no deal 2: they are numbered from 0"),
        (
            ["show", "9c", "--deal", "x"],
            "--deal: 'x' will not do: write a whole number, 0 or more (see arena replay show --help)",
        ),
        (["show", "."], ". is a folder: give a replay file, or the id of a match (arena replay list)"),
        (["verify", "--run", "nigth"], "no run nigth in {data}; did you mean night?"),
        (["verify"], "give a MATCH, or --run for all matches of a run (see arena replay verify --help)"),
        (
            ["verify", "9c", "--log-hash", "12"],
            "--log-hash: '12' will not do: a log hash has 64 hexadecimal digits (see arena replay verify --help)",
        ),
        (["export", "9c", "-o", "no/where"], "cannot write no/where: no such file or directory"),
        (
            ["export", "9c", "--format", "pgn"],
            "--format: 'pgn' is not one of 'jsonl', 'file' (see arena replay export --help)",
        ),
        (["list", "gone.arp"], "cannot read gone.arp: no such file or directory"),
    ],
)
def test_a_wrong_name_gets_one_line(
    run: Run, complaint_of: Complaint, recorded: Path, args: list[str], line: str
) -> None:
    """What is not there, or could be several, is said in one line with what would be right."""
    assert complaint_of(run("replay", *args, "--data", recorded)) == line.format(data=recorded)


def test_without_a_data_folder_there_is_one_line(run: Run, complaint_of: Complaint) -> None:
    """A folder in which nobody has played is named, and is not made."""
    line = complaint_of(run("replay", "list"))
    assert line == "no arena has played in arena-data: give the folder of one with --data"
    assert not Path("arena-data").exists()


def test_the_data_folder_can_come_from_the_environment(
    run: Run, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ARENA_DATA names the data folder where --data does not."""
    monkeypatch.setenv("ARENA_DATA", str(recorded))
    assert len(json.loads(run("replay", "list", "--json").stdout)) == 4


@pytest.mark.parametrize("command", ["show", "verify", "export", "list"])
@pytest.mark.parametrize("content", [b"", b"hello, this is no replay", b"\x28\xb5\x2f\xfdgarbage"])
def test_a_file_that_is_no_replay_gets_one_line(
    run: Run, complaint_of: Complaint, command: str, content: bytes
) -> None:
    """Any command that is given another kind of file says so, with exit code 2."""
    Path("letter.txt").write_bytes(content)
    assert complaint_of(run("replay", command, "letter.txt")).startswith("letter.txt: ")


# -- verify


def test_verify_proves_a_recorded_match(run: Run, recorded: Path, golden: Golden) -> None:
    """Exit code 0, one line for each claim, and what no log can prove."""
    result = run("replay", "verify", "demo/9c0003", "--data", recorded)
    assert result.exit_code == 0
    golden("cli-replay-verify.txt", result.stdout.splitlines())


def test_verify_as_json_is_one_object(run: Run, recorded: Path) -> None:
    """The findings of a match as JSON: proved, failed or open."""
    report = json.loads(run("replay", "verify", "9c", "--data", recorded, "--json").stdout)
    assert (report["run"], report["match_id"], report["proved"]) == ("demo", "9c0003", True)
    assert {finding["verdict"] for finding in report["findings"]} == {"proved", "open"}
    known = next(finding for finding in report["findings"] if finding["check"] == "known hash")
    assert known["verdict"] == "proved"


def test_verify_a_whole_run(run: Run, recorded: Path) -> None:
    """--run verifies every match of a run; as JSON it is an array."""
    result = run("replay", "verify", "--run", "demo", "--data", recorded)
    assert (result.exit_code, result.stdout) == (0, "run demo: 3 matches, 3 proved, 0 failed\n")
    reports = json.loads(run("replay", "verify", "--run", "demo", "--data", recorded, "--json").stdout)
    assert [report["match_id"] for report in reports] == ["3f2a01", "3f2b02", "9c0003"]


def test_verify_finds_a_changed_byte(run: Run, tape: Tape) -> None:
    """A flipped bit is found, with its frame and byte, and exit code 1."""
    data = bytearray(tape.data())
    data[3000] ^= 1
    Path("flipped.arp").write_bytes(data)
    result = run("replay", "verify", "flipped.arp")
    assert result.exit_code == 1
    assert result.stdout.startswith("FAILED  file  frame ")
    assert " at byte 29" in result.stdout
    assert result.stdout.endswith("flipped.arp: NOT proved\n")
    report = json.loads(run("replay", "verify", "flipped.arp", "--json").stdout)
    assert (report["match_id"], report["proved"]) == (None, False)


def _swap(_header: replay_pb2.ReplayHeader, frames: list[replay_pb2.Frame]) -> None:
    """Let two cards of a seat change places, both still cards that it held."""
    plays = [frame.action.action.play for frame in frames if frame.action.action.HasField("play")]
    plays[0].card, plays[2].card = plays[2].card, plays[0].card


def _other_seed(header: replay_pb2.ReplayHeader, _frames: list[replay_pb2.Frame]) -> None:
    header.server_seed = bytes(32)


@pytest.mark.parametrize(("edit", "check"), [(_swap, "actions"), (_other_seed, "commitment")])
def test_verify_finds_an_edit_with_fitting_checksums(run: Run, tape: Tape, edit: Edit, check: str) -> None:
    """Actions that changed places, and another seed, are found though every checksum fits: exit code 1."""
    forged = forge(tape.data(), edit)
    header = forged.header.SerializeToString() if edit is _other_seed else next(scan(tape.data())).body
    Path("forged.arp").write_bytes(file_of([header, *(frame.SerializeToString() for frame in forged.frames)]))
    assert run("replay", "list", "forged.arp").exit_code == 0
    result = run("replay", "verify", "forged.arp")
    assert result.exit_code == 1
    assert f"FAILED  {check}" in result.stdout


def test_verify_takes_a_hash_that_was_kept(run: Run, tape: Tape) -> None:
    """--log-hash proves a file against what somebody kept; another hash fails."""
    right = run("replay", "verify", "m1.arp", "--log-hash", tape.replay().head.hex())
    assert right.exit_code == 0
    assert "proved  known hash" in right.stdout
    wrong = run("replay", "verify", "m1.arp", "--log-hash", "00" * 32)
    assert wrong.exit_code == 1
    assert "FAILED  known hash" in wrong.stdout


# -- export


def test_export_writes_one_object_a_line(run: Run, recorded: Path) -> None:
    """JSON Lines from match to match_end, to standard output or to a file, the same."""
    lines = run("replay", "export", "9c", "--data", recorded).stdout
    objects = [json.loads(line) for line in lines.splitlines()]
    assert objects[0]["type"] == "match"
    assert objects[0]["match_id"] == "9c0003"
    assert [one["type"] for one in objects].count("deal_end") == 2
    assert objects[-1]["type"] == "match_end"
    written = run("replay", "export", "9c", "--data", recorded, "--output", "x.jsonl")
    assert (written.exit_code, written.output) == (0, "")
    assert Path("x.jsonl").read_text() == lines


def test_an_exported_file_can_be_verified_without_the_data_folder(run: Run, recorded: Path) -> None:
    """--format file writes the log itself, byte for byte; it is proved, and exported the same, elsewhere."""
    assert run("replay", "export", "9c", "--data", recorded, "--format", "file", "-o", "9c.arp").exit_code == 0
    assert Path("9c.arp").read_bytes() == (recorded.parent / "9c0003.arp").read_bytes()
    assert run("replay", "verify", "9c.arp").exit_code == 0
    text = run("replay", "export", "9c", "--data", recorded).stdout
    assert run("replay", "export", "9c.arp").stdout == text
    piped = run("replay", "export", "9c", "--data", recorded, "--format", "file")
    assert piped.stdout_bytes == Path("9c.arp").read_bytes()


def test_a_replay_file_is_not_poured_onto_a_terminal(
    run: Run, complaint_of: Complaint, recorded: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bytes go to a file or a pipe only."""
    monkeypatch.setattr("arena.cli.replay_export.on_terminal", lambda: True)
    line = complaint_of(run("replay", "export", "9c", "--data", recorded, "--format", "file"))
    assert line.startswith("a replay file is no text: say with -o where it goes")


def test_a_damaged_replay_is_not_exported(run: Run, complaint_of: Complaint, tape: Tape) -> None:
    """An export of half a match would be taken for a whole one: there is none, and no file is made."""
    Path("cut.arp").write_bytes(tape.data()[:3000])
    assert complaint_of(run("replay", "export", "cut.arp", "-o", "out")).startswith("cut.arp: frame ")
    assert not Path("out").exists()
