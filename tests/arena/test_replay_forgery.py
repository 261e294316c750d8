"""Forgery: every edit of a log is found, checksums and hash chain made to fit or not, with what is wrong and where."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from arena.errors import BadReplay
from arena.replay import read_replay, verify
from arena.replay.rerun import setting_of
from arena.v1 import match_pb2, replay_pb2
from arena.wire import action_from_proto, action_to_proto
from engine.action import Action, Play
from engine.deck import commitment
from recording import Edit, Tape, failures, file_of, first, forge


def found(data: bytes, edit: Edit, *, refit: bool = True) -> dict[str, str]:
    """What verification says of a log after an edit with all checksums made to fit, by check."""
    return failures(verify(forge(data, edit, refit=refit), known_hash=None))


def short(tmp_path: Path, actions: int) -> Tape:
    """A match that ends early, so that its log is small."""
    tape = Tape(tmp_path).ready().play(actions=actions)
    tape.log(tape.table.resign(0))
    return tape


def test_every_changed_byte_is_found(tmp_path: Path) -> None:
    """No byte of a small replay can be changed: the reader says in which frame."""
    data = short(tmp_path, 30).data()
    entries = read_replay(data).entries
    for position in range(len(data)):
        changed = bytearray(data)
        changed[position] ^= 1 << position % 8
        with pytest.raises(BadReplay) as caught:
            read_replay(bytes(changed))
        if position >= entries[0].offset:
            hit = max(entry.number for entry in entries if entry.offset <= position)
            assert caught.value.where.startswith(f"frame {hit} at byte ")


def test_every_changed_byte_of_an_entry_is_found_by_the_kept_hash(tmp_path: Path) -> None:
    """With the checksum made to fit, the hash that somebody kept still tells of every changed byte."""
    tape = short(tmp_path, 8)
    replay = tape.replay()
    bodies = [replay.header.SerializeToString(), *(frame.SerializeToString() for frame in replay.frames)]
    assert read_replay(file_of(bodies)).head != read_replay(file_of(bodies[:-1])).head
    for number, position in [(number, at) for number, body in enumerate(bodies) for at in range(len(body))]:
        changed = bytearray(bodies[number])
        changed[position] ^= 0x01
        with suppress(BadReplay):  # what is no entry any more, or not to be played, is found before
            edited = read_replay(file_of([*bodies[:number], bytes(changed), *bodies[number + 1 :]]))
            assert "known hash" in failures(verify(edited, known_hash=tape.journal.head))


def swaps(data: bytes) -> list[tuple[int, Action, Action]]:
    """Every action of a log with one other that would have been legal there: its frame, the action, the other."""
    replay = read_replay(data)
    match = setting_of(replay).begin()
    assert match is not None
    match.start()
    dice = Random(3)
    made: list[tuple[int, Action, Action]] = []
    for place, frame in enumerate(replay.frames):
        if frame.WhichOneof("entry") == "action":
            action = action_from_proto(frame.action.action)
            assert action is not None
            others = sorted((other for other in match.legal() if other != action), key=str)
            if others:
                made.append((place, action, dice.choice(others)))
            match.apply(action)
    return made


def swapped(place: int, action: Action) -> Edit:
    """The edit that puts another action into a frame."""
    return lambda _, frames: frames[place].action.action.CopyFrom(action_to_proto(action))


def test_every_swapped_action_is_found(whole: bytes) -> None:
    """A legal action exchanged for another one, checksums and chain made to fit, is found.

    The rules find every exchanged card, there or later, for a card is played once; the hash that somebody kept finds
    those calls too that changed nothing.
    """
    kept = read_replay(whole).head
    alternatives = swaps(whole)
    assert {type(action).__name__ for _, action, _ in alternatives} == {"Play", "Call"}
    for place, action, other in alternatives:
        told = failures(verify(forge(whole, swapped(place, other)), known_hash=kept))
        assert "known hash" in told
        if isinstance(action, Play):
            text = told.get("actions") or told["turns"]
            assert int(text.split("frame ")[1].split(" ")[0]) > place


def test_swapped_action_is_placed_by_a_chain_that_was_not_refitted(whole: bytes) -> None:
    """When only the checksums fit, the next head of the chain in the log says between which frames the edit is."""
    entries = read_replay(whole).entries
    deal = entries[first(read_replay(whole).frames, "deal")]
    alternatives = swaps(whole)
    early = alternatives[0]
    late = next(swap for swap in alternatives if swap[0] > deal.number)
    told = found(whole, swapped(early[0], early[2]), refit=False)["log hash"]
    assert told.startswith(f"frame {deal.number} at byte ")
    assert "something between the start and here was changed" in told
    told = found(whole, swapped(late[0], late[2]), refit=False)["log hash"]
    assert told.startswith(f"frame {entries[-2].number} at byte ")
    assert f"something between {deal.where} and here was changed" in told


def test_illegal_action_is_named_with_its_rule(whole: bytes) -> None:
    """A failing action is told with its number, frame, seat, itself, and the rule that forbids it."""
    entries = read_replay(whole).entries
    played = [entry for entry in entries if entry.frame.action.action.HasField("play")]
    gone, entry = (
        played[0],
        next(other for other in played[5:] if other.frame.action.seat == played[0].frame.action.seat),
    )
    card = action_from_proto(gone.frame.action.action)
    assert card is not None
    told = found(whole, swapped(entry.number - 1, card))
    logged = entry.frame.action
    assert told["actions"].startswith(f"action {logged.decision_id} ({entry.where}), seat {logged.seat}, {card}: DB-")
    assert not {"turns", "scores", "result"} & set(told)


def test_another_seed_is_found(whole: bytes) -> None:
    """A seed exchanged for another contradicts the commitment, and with a new commitment the actions."""

    def other(header: replay_pb2.ReplayHeader, _: Any) -> None:
        header.server_seed = bytes(32)

    def committed(header: replay_pb2.ReplayHeader, _: Any) -> None:
        header.server_seed = bytes(32)
        header.commitment = commitment(header.match_id, bytes(32))

    assert "not the one that was committed to" in found(whole, other)["commitment"]
    told = found(whole, committed)
    assert "commitment" not in told
    assert {"actions", "turns"} & set(told)


HEADER_EDITS: list[tuple[str, Callable[[replay_pb2.ReplayHeader], object], str]] = [
    ("commitment", lambda h: setattr(h, "match_id", "m2"), "not the one that was committed to"),
    ("set", lambda h: setattr(h, "set_id", "lucky"), "the set is named lucky, not after its first match, m1"),
    ("set", lambda h: setattr(h, "legs", 0), "leg 1 of 0 is not possible"),
    ("seed", lambda h: setattr(h, "server_seed", b"short"), "the server seed has 5 bytes: it has 32"),
    ("bills", lambda h: setattr(h.time_control, "increment_ms", 499), "us in its bank, its bills leave"),
    ("result", lambda h: h.rules.update(max_deals="3"), "it ended by deal_limit, played again it goes on"),
    ("scores", lambda h: h.rules.update(undertrick_points="10"), "has the points"),
]


@pytest.mark.parametrize(("check", "edit", "says"), HEADER_EDITS)
def test_edited_header_is_found(
    whole: bytes, check: str, edit: Callable[[replay_pb2.ReplayHeader], object], says: str
) -> None:
    """What the header says is held against the rest of the log."""
    assert says in found(whole, lambda header, _: edit(header))[check]


FRAME_EDITS: list[tuple[str, str, int, Callable[[replay_pb2.Frame], object], str]] = [
    (
        "first dealer",
        "started",
        0,
        lambda f: setattr(f.started, "first_dealer", 1 - f.started.first_dealer),
        "dealt first",
    ),
    (
        "seed",
        "ready",
        0,
        lambda f: setattr(f.ready, "nonce", b"short"),
        "the nonce of seat 0 has 5 bytes: it has 16 to 32",
    ),
    ("turns", "ready", 1, lambda f: setattr(f.ready, "nonce", b"another nonce 16"), "decision 0 of seat 0 was due"),
    ("seed", "ready", 1, lambda f: setattr(f.ready, "seat", 0), "a nonce of seat 0, which has none to give"),
    ("order", "asked", 5, lambda f: setattr(f, "at_us", 0), "the time goes back from"),
    ("turns", "action", 5, lambda f: setattr(f.action, "seat", 1 - f.action.seat), "it was the turn of seat"),
    ("turns", "action", 5, lambda f: setattr(f.action, "decision_id", 99), "the decision to be taken was 5"),
    ("actions", "action", 5, lambda f: f.action.action.Clear(), "this is no action"),
    ("turns", "asked", 5, lambda f: setattr(f.asked, "seat", 1 - f.asked.seat), "was asked for decision"),
    ("turns", "asked", 5, lambda f: setattr(f.asked, "decision_id", 0), "was asked for decision 0, and decision"),
    (
        "bills",
        "asked",
        5,
        lambda f: setattr(f.asked, "bank_us", f.asked.bank_us + 1),
        "us in its bank, its bills leave",
    ),
    ("bills", "asked", 5, lambda f: setattr(f.asked, "seat", 7), "there is no seat 7"),
    (
        "bills",
        "action",
        0,
        lambda f: setattr(f.action.bill, "charged_us", 1),
        "1 us were charged, elapsed less lag is 12000",
    ),
    (
        "bills",
        "action",
        0,
        lambda f: f.action.bill.CopyFrom(replay_pb2.Bill(elapsed_us=12_345, lag_us=99_999)),
        "of 12345 us the arena was late for 99999",
    ),
    ("bills", "action", 0, lambda f: f.action.ClearField("bill"), "it has no bill"),
    ("bills", "action", 0, lambda f: setattr(f.action, "auto", True), "the arena made this draw, and it has a bill"),
    (
        "bills",
        "action",
        0,
        lambda f: f.action.bill.MergeFrom(replay_pb2.Bill(elapsed_us=2_012_345, charged_us=2_012_000)),
        "2012345 us elapsed, and 12345 lie between question and answer",
    ),
    ("faults", "rejected", 0, lambda f: setattr(f.rejected, "seat", 1 - f.rejected.seat), "which was not open"),
    ("faults", "rejected", 0, lambda f: setattr(f.rejected, "decision_id", 1), "to decision 1, which was not open"),
    ("scores", "deal", 0, lambda f: setattr(f.deal, "deal_no", 1), "deal 0 has the number 1, played again 0"),
    ("scores", "deal", 0, lambda f: f.deal.points.append(1), "deal 0 has the points"),
    ("scores", "deal", 1, lambda f: f.deal.totals.reverse(), "deal 1 has the totals"),
    ("result", "ended", 0, lambda f: setattr(f.ended, "winner", 1 - f.ended.winner), "the winner is"),
    ("result", "ended", 0, lambda f: f.ended.ClearField("winner"), "the winner is None, played again"),
    ("result", "ended", 0, lambda f: f.ended.totals.reverse(), "the totals are"),
    ("result", "ended", 0, lambda f: setattr(f.ended, "deals_complete", 1), "1 deals were complete, played again 2"),
    (
        "result",
        "ended",
        0,
        lambda f: setattr(f.ended, "at_fault", 0),
        "seat 0 is at fault in a match that ended by deal_limit",
    ),
    (
        "result",
        "ended",
        0,
        lambda f: setattr(f.ended, "termination", match_pb2.TERMINATION_RESIGN),
        "it ended by resign, played again by deal_limit",
    ),
    (
        "result",
        "ended",
        0,
        lambda f: setattr(f.ended, "termination", match_pb2.TERMINATION_UNSPECIFIED),
        "it ends in a way that this arena does not know (0)",
    ),
]


@pytest.mark.parametrize(("check", "kind", "skip", "edit", "says"), FRAME_EDITS)
def test_edited_entry_is_found(  # noqa: PLR0917 - the columns of the table above
    whole: bytes, check: str, kind: str, skip: int, edit: Callable[[replay_pb2.Frame], object], says: str
) -> None:
    """Every field of an entry is held against the rest of the log, and the failure names frame and byte."""
    told = found(whole, lambda _, frames: edit(frames[first(frames, kind, skip)]))[check]
    assert says in told
    assert "frame " in told
    assert " at byte " in told


def insert(frames: list[replay_pb2.Frame], place: int, *more: replay_pb2.Frame) -> None:
    """Put frames in between."""
    frames[place:place] = more


ORDER_EDITS: list[tuple[str, Callable[[list[replay_pb2.Frame]], object], str]] = [
    ("result", lambda fs: fs.pop(), "end of file: the log has no end"),
    ("order", lambda fs: fs.append(fs[-2]), "an entry (deal) after the end of the match"),
    ("order", lambda fs: fs.pop(first(fs, "ready", 1)), "the match starts before every seat is ready"),
    (
        "order",
        lambda fs: insert(fs, 4, replay_pb2.Frame(at_us=fs[4].at_us, ready=replay_pb2.LoggedReady(seat=0))),
        "a seat is ready after the start",
    ),
    ("order", lambda fs: fs.insert(4, fs[first(fs, "started")]), "a second start"),
    ("turns", lambda fs: fs.pop(first(fs, "started")), "was asked for decision 0, and nothing was due"),
    ("turns", lambda fs: fs.pop(first(fs, "action", 30)), "action 31 "),
    ("turns", lambda fs: fs.insert(40, fs[first(fs, "action", 10)]), "action 10 "),
    ("scores", lambda fs: fs.pop(first(fs, "deal")), "the score of deal 0 is missing before this entry"),
    ("scores", lambda fs: fs.insert(9, fs[first(fs, "deal")]), "deal 0 is scored, and no deal was over"),
    ("bills", lambda fs: fs.pop(first(fs, "asked")), "nobody had asked that seat"),
    ("bills", lambda fs: fs.insert(first(fs, "asked"), fs[first(fs, "asked")]), "a question while decision 0 is open"),
    (
        "faults",
        lambda fs: fs.extend([replay_pb2.Frame(at_us=10**9, lost=replay_pb2.LoggedLoss(seat=9))]),
        "there is no seat 9",
    ),
    (
        "faults",
        lambda fs: insert(fs, 6, *2 * [replay_pb2.Frame(at_us=fs[6].at_us, lost=replay_pb2.LoggedLoss(seat=0))]),
        "seat 0 was away already",
    ),
    (
        "faults",
        lambda fs: insert(fs, first(fs, "rejected"), *3 * [fs[first(fs, "rejected")]]),
        "the match goes on after 4 refused answers of one seat",
    ),
]


@pytest.mark.parametrize(("check", "edit", "says"), ORDER_EDITS)
def test_missing_and_added_entries_are_found(
    whole: bytes, check: str, edit: Callable[[list[replay_pb2.Frame]], object], says: str
) -> None:
    """Entries left out, put in twice or moved are found."""
    assert says in found(whole, lambda _, frames: edit(frames))[check]


def test_another_log_hash_is_found(whole: bytes) -> None:
    """A hash kept elsewhere that is not this log's is told with both hashes."""
    replay = read_replay(whole)
    told = failures(verify(replay, known_hash=b"\x01" * 32))
    assert told == {
        "known hash": f"end of file: the log hash is {replay.head.hex()}, the one that was kept is {'01' * 32}"
    }
