"""The text form of a replay: exactly its schema, and enough to check a match without the arena."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from arena.errors import BadReplay
from arena.replay import export_jsonl, read_replay
from arena.v1 import replay_pb2
from engine.action import parse_call
from engine.card import PACK_52, parse_card
from engine.deck import commitment, deal_deck, derive_seed, first_dealer
from recording import NONCES, SEED, Tape, forge

ENDINGS = {
    "score",
    "deal_limit",
    "timeout",
    "illegal",
    "malformed",
    "disconnect",
    "resign",
    "void_not_ready",
    "void_arena",
    "void_operator",
}


def integer(value: Any) -> bool:
    """A whole number that is no boolean."""
    return type(value) is int


def texts(value: Any) -> bool:
    """A list of strings."""
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def numbers(value: Any) -> bool:
    """A list of whole numbers."""
    return isinstance(value, list) and all(map(integer, value))


def hexadecimal(value: Any, size: int) -> bool:
    """Lower-case hex of so many bytes."""
    return isinstance(value, str) and value == bytes.fromhex(value).hex() and len(value) == 2 * size


def seat(value: Any) -> bool:
    """A seat; `checked` knows how many there are."""
    return integer(value) and value in range(4)


def side(value: Any) -> bool:
    """One of two sides."""
    return integer(value) and value in (0, 1)


def cards(value: Any) -> bool:
    """A list of cards, written as the arena writes them."""
    return texts(value) and all(str(parse_card(item)) == item for item in value)


SCHEMA: dict[str, dict[str, Callable[[Any], bool]]] = {
    "match": {
        "type": lambda v: v == "match",
        "schema": lambda v: v == 1,
        "match_id": lambda v: isinstance(v, str),
        "set_id": lambda v: isinstance(v, str),
        "leg": integer,
        "game": lambda v: v in DECKS,
        "rules_version": integer,
        "rules": lambda v: all(integer(value) or isinstance(value, str) for value in v.values()),
        "seats": lambda v: texts(v) and len(v) in (2, 4),
        "first_dealer": lambda v: v is None or seat(v),
        "commitment": lambda v: hexadecimal(v, 32),
        "server_seed": lambda v: hexadecimal(v, 32),
        "nonces": lambda v: all(nonce is None or hexadecimal(nonce, len(nonce) // 2) for nonce in v),
        "seeded": lambda v: type(v) is bool,
    },
    "deal": {"type": bool, "n": integer, "dealer": seat, "deck": lambda v: cards(v) and len(set(v)) == len(v)},
    "draw": {"type": bool, "seat": seat},
    "call": {"type": bool, "seat": seat, "call": lambda v: parse_call(v).token == v},
    "discard": {"type": bool, "seat": seat, "cards": cards},
    "play": {"type": bool, "seat": seat, "card": lambda v: cards([v])},
    "deal_end": {"type": bool, "n": integer, "points": numbers, "totals": numbers},
    "match_end": {
        "type": bool,
        "termination": lambda v: v in ENDINGS,
        "winner": lambda v: v is None or side(v),
        "at_fault": lambda v: v is None or seat(v),
        "deals_complete": integer,
        "totals": numbers,
    },
}
DECKS = {"draw-bridge": 52, "german-whist": 52, "smear": 32}
EXTRAS: dict[str, Callable[[Any], bool]] = {
    "ms": lambda v: integer(v) and v >= 0,
    "note": lambda v: isinstance(v, str) and v != "",
    "auto": lambda v: v is True,
}


def checked(lines: Iterable[str]) -> list[dict[str, Any]]:
    """The lines as objects, each held against the schema: keys, their order, and the types of their values."""
    objects = []
    for line in lines:
        assert line.isascii()
        assert "\n" not in line
        item = json.loads(line)
        assert json.dumps(item, separators=(",", ":")) == line
        wanted = SCHEMA[item["type"]]
        own, extra = list(item)[: len(wanted)], list(item)[len(wanted) :]
        assert own == list(wanted)
        assert extra == [name for name in EXTRAS if name in item]
        assert not extra or item["type"] in {"draw", "call", "discard", "play"}
        for name, value in item.items():
            assert (wanted.get(name) or EXTRAS[name])(value), (name, value)
        objects.append(item)
        seats = len(objects[0]["seats"])
        for name in ("seat", "dealer", "first_dealer", "at_fault"):
            assert item.get(name) is None or item[name] < seats
        assert len(item.get("deck", ())) in (0, DECKS[objects[0]["game"]])
        assert len(item.get("nonces", ())) in (0, seats)
        assert {len(item[name]) for name in ("points", "totals") if name in item} <= {2}
    return objects


def test_lines_follow_the_schema(whole: bytes) -> None:
    """Every line has exactly the keys of its type, in order, with values of their types, and nothing else."""
    objects = checked(export_jsonl(read_replay(whole)))
    kinds = [item["type"] for item in objects]
    assert kinds[0] == "match"
    assert kinds[-2:] == ["deal_end", "match_end"]
    assert kinds.count("deal") == kinds.count("deal_end") == 2
    assert kinds[1] == "deal"
    assert kinds[kinds.index("deal_end") + 1] == "deal"
    assert kinds.count("draw") == 52
    assert kinds.count("play") in {52, 78, 104}


@pytest.mark.parametrize("termination", ["deal_limit", "resign"])
def test_partners_follow_the_schema(tmp_path: Path, termination: str) -> None:
    """With four seats: bids are numbers, discards are told, points, totals and winner are by side, faults by seat; the
    discards are cards that the bidder was dealt or took from the top of what was left.
    """
    tape = Tape(tmp_path, game_name="smear", rules={"max_hands": 4, "target": 99}).ready()
    tape.play(actions=10**9 if termination == "deal_limit" else 40)
    if termination == "resign":
        tape.log(tape.table.resign(2))
    objects = checked(export_jsonl(tape.replay()))
    calls = {item["call"] for item in objects if item["type"] == "call"}
    assert calls <= {"P", "2", "3", "4"}
    assert len(calls) > 1
    deal: dict[str, Any] = {}
    for item in objects:
        deal = item if item["type"] == "deal" else deal
        if item["type"] == "discard":
            hand = deal["deck"][(item["seat"] - deal["dealer"] - 1) % 4 : 24 : 4] + deal["deck"][24:27]
            assert set(item["cards"]) <= set(hand)
            assert len(item["cards"]) == 3
    end = objects[-1]
    assert end["termination"] == termination
    assert (end["winner"], end["at_fault"]) == ((1, 2) if termination == "resign" else (end["winner"], None))


def test_header_line_holds_every_option(whole: bytes) -> None:
    """The rules stand there in full: integers as numbers, all others as the words of the rules."""
    match = checked(export_jsonl(read_replay(whole)))[0]
    assert match["rules"] == {
        "target": 9999,
        "reveal": "hidden",
        "undertrick_points": 50,
        "overtricks": "count",
        "draw_winner": "led",
        "draw_follow": "free",
        "passout_dealer": "alternate",
        "max_deals": 2,
    }
    assert match["seats"] == ["steady", "random"]
    assert match["nonces"] == [NONCES[0].hex(), NONCES[1].hex()]


def test_decks_follow_from_the_lines_alone(whole: bytes) -> None:
    """Whoever has the text form alone can check commitment, first dealer and every deck."""
    match, *rest = checked(export_jsonl(read_replay(whole)))
    server_seed = bytes.fromhex(match["server_seed"])
    assert commitment(match["match_id"], server_seed).hex() == match["commitment"]
    seed = derive_seed(server_seed, match["set_id"], [bytes.fromhex(nonce) for nonce in match["nonces"]])
    deals = [item for item in rest if item["type"] == "deal"]
    assert deals[0]["dealer"] == match["first_dealer"] == first_dealer(seed, 2)
    for item in deals:
        assert item["deck"] == [str(card) for card in deal_deck(seed, match["game"], item["n"], PACK_52)]


def test_actions_carry_what_they_cost_and_what_was_said(whole: bytes) -> None:
    """An answer has its charge in milliseconds and its note if it has one; a draw made by the arena says so."""
    objects = checked(export_jsonl(read_replay(whole)))
    actions = [item for item in objects if item["type"] in {"draw", "call", "play"}]
    assert {item.get("ms") for item in actions if "auto" not in item} == {12, 24}
    assert all("ms" not in item and item["seat"] == 1 for item in actions if item.get("auto"))
    assert [place for place, item in enumerate(actions) if "note" in item] == [
        place for place in range(3, len(actions), 10) if "auto" not in actions[place]
    ]


def test_golden(tmp_path: Path, golden: Callable[[str, Iterable[str]], None]) -> None:
    """The text form of a known match is, to the byte, the one that was written down."""
    golden("replay-export.jsonl", export_jsonl(Tape(tmp_path).ready().play().replay()))


def test_deal_that_a_forfeit_cut_short_has_no_end(tmp_path: Path, ends: Callable[[Path, str], Tape]) -> None:
    """A deal that was not played to its end counts for nothing and has no deal_end."""
    objects = checked(export_jsonl(ends(tmp_path, "timeout").replay()))
    assert [item["type"] for item in objects if item["type"].startswith("deal")] == ["deal"]
    end = objects[-1]
    assert (end["termination"], end["deals_complete"], end["totals"]) == ("timeout", 0, [0, 0])
    assert end["winner"] == 1 - end["at_fault"]


def test_match_that_never_started(tmp_path: Path, ends: Callable[[Path, str], Tape]) -> None:
    """A match without a start has no deals, no first dealer, and null for the nonce that is missing."""
    objects = checked(export_jsonl(ends(tmp_path, "void_not_ready").replay()))
    assert [item["type"] for item in objects] == ["match", "match_end"]
    assert objects[0]["first_dealer"] is None
    assert objects[0]["nonces"] == [NONCES[0].hex(), None]
    assert (objects[1]["winner"], objects[1]["at_fault"]) == (None, 1)


def test_running_match_has_no_match_end(tmp_path: Path) -> None:
    """The log of a match that still runs is exported as far as it goes."""
    objects = checked(export_jsonl(Tape(tmp_path).ready().play(actions=5).replay()))
    assert [item["type"] for item in objects][:3] == ["match", "deal", "play"]
    assert objects[-1]["type"] in {"draw", "play"}


def test_fixed_seed_has_no_nonces(tmp_path: Path) -> None:
    """A run with a fixed seed says so, and its decks follow without nonces."""
    tape = Tape(tmp_path, header={"seeded": True}, fixed_nonces=()).ready().play(actions=1)
    match, deal, *_ = checked(export_jsonl(tape.replay()))
    assert (match["seeded"], match["nonces"]) == (True, [])
    assert deal["deck"] == [str(card) for card in deal_deck(derive_seed(SEED, "m1", []), "draw-bridge", 0, PACK_52)]


def test_later_leg_has_the_nonces_that_count(tmp_path: Path) -> None:
    """A later leg is exported with the nonces of the first, which made its decks."""
    one = Tape(tmp_path, header={"legs": 2}).ready().play().replay()
    header = {"legs": 2, "leg": 2, "set_id": "m1"}
    two = Tape(tmp_path, match_id="m2", header=header, fixed_nonces=NONCES[:2], nonces=NONCES[2:]).ready().replay()
    match, deal = checked(export_jsonl(two, first_leg=one))
    assert match["leg"] == 2
    assert match["nonces"] == [NONCES[0].hex(), NONCES[1].hex()]
    assert deal["deck"] == checked(export_jsonl(one))[1]["deck"]


def test_log_is_told_as_it_stands(whole: bytes) -> None:
    """Scores and result are those of the log, also where they are wrong: a checker must see what was claimed."""

    def lie(_: Any, frames: list[replay_pb2.Frame]) -> None:
        for frame in frames:
            if frame.HasField("deal"):
                frame.deal.points[0] = 77
            if frame.HasField("ended"):
                frame.ended.totals[0] = 88

    objects = checked(export_jsonl(forge(whole, lie)))
    assert [item["points"][0] for item in objects if item["type"] == "deal_end"] == [77, 77]
    assert objects[-1]["totals"][0] == 88


def test_log_that_cannot_be_played_gives_no_line(whole: bytes) -> None:
    """An action that the rules forbid is said before anything is written."""

    def cheat(_: Any, frames: list[replay_pb2.Frame]) -> None:
        played = [frame.action for frame in frames if frame.action.action.HasField("play")]
        played[40].action.CopyFrom(played[0].action)

    with pytest.raises(BadReplay, match=r"^action \d+ \(frame \d+ at byte \d+\), seat \d, play \w\w: "):
        next(export_jsonl(forge(whole, cheat)))


def test_note_stays_on_its_line(tmp_path: Path) -> None:
    """A note of any characters is one JSON string in ASCII."""
    tape = Tape(tmp_path).ready()
    note = 'two\nlines, "quotes", \x1b[31m and \u2028 \U0001f0a1'
    tape.answer(0, note)
    assert checked(export_jsonl(tape.replay()))[2]["note"] == note
