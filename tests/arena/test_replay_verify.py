"""Verification: a whole log is proved, however the match ended, and what a log cannot prove is said."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from arena.entries import ready_frame
from arena.errors import BadReplay
from arena.replay import Replay, Report, Verdict, export_jsonl, read_replay, verify
from arena.replay.report import Check
from arena.v1 import match_pb2, replay_pb2
from recording import NONCES, Tape, failures, forge

PROVED = [
    "commitment",
    "set",
    "seed",
    "first dealer",
    "order",
    "turns",
    "actions",
    "decks",
    "scores",
    "result",
    "bills",
    "faults",
    "log hash",
]
"""What a log proves by itself, in the order of a report."""


def checks(report: Report, verdict: Verdict) -> list[str]:
    """The checks with that verdict, in order."""
    return [finding.check for finding in report.findings if finding.verdict is verdict]


def said(report: Report, check: str) -> str:
    """What the report says on a check."""
    return next(str(finding) for finding in report.findings if finding.check == check)


def test_whole_log_is_proved(whole: bytes) -> None:
    """All that a log can prove is proved, and what it cannot is said."""
    replay = read_replay(whole)
    report = verify(replay, known_hash=replay.head)
    assert report.ok
    assert report.name == "demo/m1"
    assert checks(report, Verdict.PROVED) == [*PROVED, "known hash"]
    assert checks(report, Verdict.OPEN) == ["clock", "secrecy", "collusion", "refusals"]
    assert said(report, "seed") == "proved: seed: it follows from the server seed and the nonces of 2 seats"
    assert said(report, "decks").startswith("proved: decks: 2 dealt again from the seed")
    assert said(report, "faults").startswith("proved: faults: 1 refused answers")
    assert said(report, "known hash").endswith(f"the log hash is the one that was kept: {replay.head.hex()}")


def test_without_a_kept_hash_the_report_says_what_that_means(whole: bytes) -> None:
    """A whole file that was written anew cannot be told from the true one by itself."""
    report = verify(read_replay(whole), known_hash=None)
    assert report.ok
    assert said(report, "known hash") == (
        "cannot be proved: known hash: without a hash kept elsewhere the whole file could have been written anew"
    )


@pytest.mark.parametrize(
    ("how", "unproved"),
    [
        ("timeout", []),
        ("illegal", ["refusals"]),
        ("malformed", ["refusals"]),
        ("disconnect", ["absence"]),
        ("resign", ["resignation"]),
        ("void_not_ready", []),
        ("void_arena", []),
        ("void_operator", []),
    ],
)
def test_every_way_to_end_is_proved(
    tmp_path: Path, ends: Callable[[Path, str], Tape], how: str, unproved: list[str]
) -> None:
    """P39, P41: a match that ended by a fault or void is proved too, with what a log cannot say of it."""
    replay = ends(tmp_path, how).replay()
    assert replay.ended is not None
    assert replay.ended.termination == match_pb2.Termination.Value(f"TERMINATION_{how.upper()}")
    report = verify(replay, known_hash=replay.head)
    assert not report.failures
    assert checks(report, Verdict.OPEN)[3:] == unproved


def test_match_to_the_target_is_proved(tmp_path: Path) -> None:
    """A match that a side won by its score is proved, over as many deals as it takes."""
    replay = Tape(tmp_path, rules={"target": 200, "max_deals": 0}).ready().play().replay()
    report = verify(replay, known_hash=None)
    assert replay.ended is not None
    assert replay.ended.termination == match_pb2.TERMINATION_SCORE
    assert not report.failures


def test_restarted_match_is_proved(tmp_path: Path) -> None:
    """An arena that was killed in mid-match and started again leaves a log that is proved, outage and all."""
    tape = Tape(tmp_path).ready().play(actions=31)
    for more in (9, 10**9):
        tape.restart()
        tape.back()
        tape.play(actions=more)
    replay = tape.replay()
    report = verify(replay, known_hash=replay.head)
    assert not report.failures
    kinds = [entry.kind for entry in replay.entries]
    assert kinds.count("restarted") == 2
    assert kinds.count("back") == 4


def test_score_that_a_power_cut_took_is_no_failure(tmp_path: Path) -> None:
    """A deal whose score was lost with the torn end of the log is scored by the re-run; proof and export go on."""
    tape = Tape(tmp_path, rules={"max_deals": 2, "target": 9999}).ready()
    while tape.table.playing.deals_complete == 0:
        tape.play(actions=1)
    scored = next(entry for entry in tape.replay().entries if entry.kind == "deal")
    tape.path.write_bytes(tape.data()[: scored.offset + 5])
    tape.restart()
    tape.back()
    replay = tape.play().replay()
    assert sum(entry.kind == "deal" for entry in replay.entries) == 1
    assert not verify(replay, known_hash=None).failures
    assert sum('"deal_end"' in line for line in export_jsonl(replay)) == 2


def test_a_restart_before_the_start(tmp_path: Path) -> None:
    """A match that was only offered when the arena died is void if nobody comes back, and its log is proved."""
    tape = Tape(tmp_path).ready(1)
    tape.restart()
    tape.wait(61)
    report = verify(tape.replay(), known_hash=None)
    assert not report.failures
    assert said(report, "seed") == "proved: seed: not every seat was ready, so no decks were made"


@pytest.mark.parametrize("ready", [1, 2])
def test_an_offer_that_survives_a_restart(tmp_path: Path, ready: int) -> None:
    """The match begins after the restart, with who was not there yet, and its log is proved."""
    tape = Tape(tmp_path)
    for seat in range(ready):
        tape.journal.append([ready_frame(seat, tape.nonces[seat], tape.now)])
    tape.restart()
    tape.restart()
    if ready == 2:
        tape.back()
    else:
        tape.log(tape.table.back(0, tape.now))
        tape.journal.append([ready_frame(1, tape.nonces[1], tape.now)])
        tape.log(tape.table.ready(1, tape.nonces[1], tape.now))
        tape.log(tape.table.back(1, tape.now))
    report = verify(tape.play().replay(), known_hash=None)
    assert not report.failures, report.failures


def test_fixed_seed_is_said(tmp_path: Path) -> None:
    """A run with a fixed seed is proved without nonces, and the report says who knew the decks."""
    tape = Tape(tmp_path, header={"seeded": True}, fixed_nonces=()).ready().play()
    report = verify(tape.replay(), known_hash=None)
    assert report.ok
    assert "takes no nonces" in said(report, "seed")
    assert "whoever has that seed knew its decks beforehand" in said(report, "seed")
    honest = forge(tape.data(), lambda header, _: setattr(header, "seeded", False))
    assert {"turns", "actions"} & set(failures(verify(honest, known_hash=None)))


def second_leg(tmp_path: Path) -> tuple[Replay, Replay]:
    """Both legs of a set; the second is logged with nonces of its own and played with those of the first."""
    one = Tape(tmp_path, header={"legs": 2}).ready().play()
    two = Tape(
        tmp_path,
        match_id="m2",
        header={"legs": 2, "leg": 2, "set_id": "m1", "number": 2},
        fixed_nonces=NONCES[:2],
        nonces=NONCES[2:],
    )
    return one.replay(), two.ready().play(Random(8)).replay()


def test_later_leg_is_proved_with_the_first(tmp_path: Path) -> None:
    """The second leg of a set is played with the nonces of the first, so its proof needs that replay, and says so."""
    one, two = second_leg(tmp_path)
    with pytest.raises(BadReplay, match="the decks of leg 2 are those of leg 1: give the replay of match m1 too"):
        verify(two, known_hash=None)
    report = verify(two, known_hash=two.head, first_leg=one)
    assert not report.failures
    assert said(report, "set").endswith("leg 2 is played with the seed and the rules of leg 1, match m1")


def test_wrong_first_leg_is_found(tmp_path: Path) -> None:
    """A replay that is not the first leg of that set proves nothing."""
    _, two = second_leg(tmp_path)
    other = Tape(tmp_path, match_id="m9", rules={"max_deals": 3}).ready().replay()
    told = failures(verify(two, known_hash=None, first_leg=other))
    assert told["set"] == "header: match m9 is not the first of set m1 (and 1 more)"


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (lambda h: setattr(h, "game", "snap"), "header: there is no game snap: there are "),
        (
            lambda h: setattr(h, "rules_version", 2),
            "header: it needs version 2 of the rules of draw-bridge: this arena plays version 1",
        ),
        (lambda h: h.rules.update(reveal="bottom"), "header: reveal = bottom is not possible"),
        (lambda h: h.rules.pop("reveal"), "header: the rules of draw-bridge lack the option reveal"),
        (lambda h: h.rules.update(jokers="2"), "header: draw-bridge has no option jokers"),
        (lambda h: h.seats.pop(), "header: it names 1 seats: draw-bridge has 2"),
    ],
)
def test_setting_that_cannot_be_played_is_refused(
    whole: bytes, edit: Callable[[replay_pb2.ReplayHeader], object], says: str
) -> None:
    """P66: a log of another game, other rules or another version of them is refused with what would be needed."""
    with pytest.raises(BadReplay) as caught:
        verify(forge(whole, lambda header, _: edit(header)), known_hash=None)
    assert str(caught.value).startswith(says)


def test_many_failures_of_a_check_are_counted() -> None:
    """The first failure of a check is told in full, the others are counted: most are only its consequences."""
    check = Check("bills")
    assert str(check.finding("right")) == "proved: bills: right"
    for place in ("here", "there", "everywhere"):
        check.fail(place, "wrong")
    assert str(check.finding("right")) == "FAILED: bills: here: wrong (and 2 more)"
