"""The story of a match: lines for a person, complete, and harmless on a terminal."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path

from arena.plain import phrase
from arena.replay import read_replay, story
from arena.replay.story import _Scribe
from arena.v1 import match_pb2
from engine.action import LEVEL_BIDS, PASS, Play
from engine.card import Strain, parse_card
from engine.event import (
    CallMade,
    CardPlayed,
    ContractSet,
    DealScored,
    DealStarted,
    Discarded,
    Event,
    HandDealt,
    KittyTaken,
    ScoreLine,
    TrickTaken,
    TrumpNamed,
)
from recording import Tape, forge


def test_golden(tmp_path: Path, golden: Callable[[str, Iterable[str]], None]) -> None:
    """The story of a known match, with times and notes, is the one that was written down."""
    tape = Tape(tmp_path, rules={"max_deals": 2, "target": 9999}).ready().play(actions=20)
    tape.answer(99)
    turn = tape.table.turn or 0
    tape.log(tape.table.lost(turn, tape.now))
    tape.log(tape.table.back(turn, tape.now))
    tape.play(actions=20)
    tape.restart()
    tape.back()
    golden("replay-story.txt", story(tape.play().replay(), times=True, notes=True))


def test_face_up_card_is_shown(tmp_path: Path, golden: Callable[[str, Iterable[str]], None]) -> None:
    """Where the top card of the stock lies face up, each trick of the draw phase begins with it."""
    tape = Tape(tmp_path, rules={"max_deals": 1, "reveal": "top"}).ready().play()
    golden("replay-story-reveal.txt", story(tape.replay()))


def test_partners_bid_take_and_discard(tmp_path: Path, golden: Callable[[str, Iterable[str]], None]) -> None:
    """Four seats: who plays with whom, the bids by seat, what the bidder took and put away, and who scored what."""
    tape = Tape(tmp_path, game_name="smear", rules={"max_hands": 3, "target": 99}).ready().play()
    golden("replay-story-partners.txt", story(tape.replay()))


def test_two_halves_without_an_auction(tmp_path: Path, golden: Callable[[str, Iterable[str]], None]) -> None:
    """Where no call stands between the tricks with draws and those without, the second half begins anew, with hands."""
    tape = Tape(tmp_path, game_name="german-whist", rules={"max_deals": 2, "hand_cards": 6}).ready().play()
    golden("replay-story-halves.txt", story(tape.replay()))


def test_a_match_cut_off_before_a_draw_begins_no_second_half(tmp_path: Path) -> None:
    """A trick whose draws never came, because a bot left, is one of the first half all the same."""
    tape = Tape(tmp_path, game_name="german-whist", auto_draw=(False,)).ready()
    for _ in range(10):
        tape.play(actions=1)
    assert tape.table.playing.view(0).phase == "draw"
    assert not isinstance(tape.table.playing.legal()[0], Play)
    tape.log(tape.table.resign(0))
    assert "  hands at the play" not in list(story(tape.replay()))


def test_times_and_notes_are_left_out_unless_asked_for(whole: bytes) -> None:
    """The plain story has neither what decisions cost nor what the bots remarked."""
    plain = list(story(read_replay(whole)))
    assert not any(line.startswith("  time ") or line.endswith(": hm") for line in plain)
    assert sum(line.startswith("  time ") for line in story(read_replay(whole), times=True)) == 4
    assert any(line.endswith(": hm") for line in story(read_replay(whole), notes=True))


def test_every_card_is_told(whole: bytes) -> None:
    """Each deal's story names every card that was played or drawn."""
    replay = read_replay(whole)
    text = "\n".join(story(replay))
    for part, played in zip(text.split("\ndeal ")[1:], ("0", "1"), strict=True):
        assert part.startswith(played)
        assert part.count("->") == 26
        assert len(re.findall(r"\(\w\w \w\w\)", part)) == 13


def test_match_cut_short_tells_the_trick_that_was_begun(tmp_path: Path, ends: Callable[[Path, str], Tape]) -> None:
    """What lay on the table when the match ended is told, and why it ended."""
    lines = list(story(ends(tmp_path, "resign").replay()))
    assert lines[-2].endswith(" resigned: random wins.") or lines[-2].endswith(" resigned: steady wins.")
    assert lines[-1].startswith("log hash ")


def test_match_that_still_runs_says_so(tmp_path: Path) -> None:
    """A log without an end is told as far as it goes."""
    lines = list(story(Tape(tmp_path).ready().play(actions=1).replay()))
    assert lines[-3] == "  1 1 5D"
    assert lines[-1] == "The log has no end: the match is still running, or the end was cut off."


def test_contradiction_is_told(whole: bytes) -> None:
    """P48: an end that contradicts itself is not put into a sentence as if it were true."""
    forged = forge(whole, lambda _, frames: frames[-1].ended.ClearField("winner"))
    assert any(line.startswith("The log contradicts itself on how the match ended (") for line in story(forged))
    unknown = forge(
        whole, lambda _, frames: setattr(frames[-1].ended, "termination", match_pb2.TERMINATION_UNSPECIFIED)
    )
    assert "The log does not say how the match ended." in list(story(unknown))


def test_words_of_bots_cannot_steer_a_terminal(tmp_path: Path) -> None:
    """Notes and software names are written out where they are not printable."""
    assert phrase("ok \x1b[2J\r\u202e é") == "ok \\x1b[2J\\r\\u202e é"
    tape = Tape(tmp_path).ready()
    tape.journal.close()
    tape.path.unlink()
    evil = Tape(tmp_path, header={"run": "demo\x1b]0;x\x07"}).ready()
    evil.answer(0, "\x1b[31mred\nline")
    lines = list(story(evil.replay(), notes=True))
    assert all(line.isprintable() for line in lines)
    assert any("\\x1b[31mred\\nline" in line for line in lines)


def test_four_seats_with_an_exchange() -> None:
    """Bids without a strain, cards taken and discarded, trump named by the lead: each has its line."""
    cards = [parse_card(text) for text in ("TC", "7C", "JC", "8C", "AS", "KH")]
    events: list[Event] = [
        DealStarted(3, 3),
        HandDealt(0, (cards[0],)),
        *(CallMade(seat, call) for seat, call in enumerate((LEVEL_BIDS[2], PASS, LEVEL_BIDS[3], PASS))),
        ContractSet(2, 3, Strain.NONE, 1),
        KittyTaken(2, tuple(cards[4:])),
        Discarded(2, (cards[5],)),
        CardPlayed(2, cards[0]),
        TrumpNamed(Strain.CLUBS),
        *(CardPlayed((2 + place) % 4, card) for place, card in enumerate(cards[1:4], 1)),
        TrickTaken(0),
        DealScored(3, (1, 0), (11, 9), (ScoreLine("high", 0, 1),)),
    ]
    scribe = _Scribe(["a", "b", "c", "d"], (0, 1, 0, 1))
    lines = [line for event in events for line in scribe.tell(event)]
    assert lines == [
        "",
        "deal 3, dealer 3 d",
        "  0 a            S -  H -  D -  C T",
        "  auction 0 2, 1 P, 2 3, 3 P",
        "  contract 3 by 2 c",
        "  2 c takes AS KH",
        "  2 c discards KH",
        "  trump C",
        "  1 2 TC 7C JC 8C -> 0",
        "  high: 1 to side 0, a + c",
        "  points 1 : 0, totals 11 : 9",
    ]
