"""What proto/README.md and the pages beside it show is real: their messages, their cards, their numbers."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import text_format

from arena.config import Limits
from arena.guests import AT_ONCE
from arena.v1 import match_pb2, play_pb2
from engine.card import PACK_52, Card
from engine.deck import commitment, deal_deck, derive_seed, first_dealer
from engine.terms import SHORTEST_ABSENCE_US

PROTO = Path(__file__).resolve().parents[2] / "proto"
STORY = PROTO / "README.md"
WHIST = PROTO / "german-whist.md"
SMEAR = PROTO / "smear.md"


def messages(page: Path) -> Iterator[play_pb2.PlayRequest | play_pb2.PlayResponse]:
    """The messages on a page; the first line of each says who speaks."""
    for block in re.findall(r"^```textproto\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE):
        kinds = {"# arena to bot": play_pb2.PlayResponse, "# bot to arena": play_pb2.PlayRequest}
        yield text_format.Parse(block, kinds[block.partition("\n")[0]]())


def told(page: Path) -> list[play_pb2.Event]:
    """All that the arena says on a page."""
    return [event for said in messages(page) if isinstance(said, play_pb2.PlayResponse) for event in said.events]


@pytest.mark.parametrize("page", [STORY, WHIST, SMEAR], ids=lambda page: page.name)
def test_every_message_is_one_of_the_protocol(page: Path) -> None:
    """The pages show messages of both sides, and each has only fields that the protocol has."""
    shown = list(messages(page))
    assert {type(message).__name__ for message in shown} == {"PlayRequest", "PlayResponse"}
    assert all(message.ByteSize() for message in shown)


def test_third_game_is_told_whole() -> None:
    """German Whist is written down without a gap, from the deal to the end of the match."""
    events = [event for event in told(WHIST) if event.seq]
    assert [event.seq for event in events] == list(range(1, 34))
    assert events[0].HasField("deal_started")
    assert events[-1].HasField("match_ended")


def test_third_game_keeps_its_own_rules() -> None:
    """In German Whist as written down, cards and trick winners are what the rules at the top of the page make them."""
    hand, trick, winners = set[int](), list[tuple[int, Card]](), list[int]()
    for event in told(WHIST):
        match event.WhichOneof("kind"):
            case "hand_dealt" if event.hand_dealt.seat == 0:
                hand |= set(event.hand_dealt.cards)
            case "card_drawn" if event.card_drawn.seat == 0:
                hand.add(event.card_drawn.card)
            case "decision":
                assert list(event.decision.view.hand) == sorted(hand)
                assert [action.play.card for action in event.decision.legal] == sorted(hand)
            case "card_played":
                if event.card_played.seat == 0:
                    hand.remove(event.card_played.card)
                trick.append((event.card_played.seat, Card(event.card_played.card)))
            case "trick_taken":
                led = trick[0][1].suit
                best = max(trick, key=lambda play: (play[1].suit == 3, play[1].suit == led, play[1].rank))
                assert event.trick_taken.seat == best[0]
                winners.append(best[0])
                trick.clear()
            case "deal_scored":
                assert list(event.deal_scored.points) == [winners[3:].count(0), winners[3:].count(1)]
    assert hand == set()


def test_story_shows_every_kind_of_event() -> None:
    """Every kind of event stands in the table of who is told what."""
    field = play_pb2.Event.DESCRIPTOR.oneofs_by_name["kind"]
    happenings = {kind.name for kind in field.fields if kind.number >= 20}
    assert happenings == set(re.findall(r"^\| `(\w+)` \|.*\|.*\|.*\|$", STORY.read_text(), re.MULTILINE)) & happenings


def test_launch_contract_is_what_a_started_bot_finds(tmp_path: Path) -> None:
    """The variables in the table of the launch contract are those that the arena sets, and no others.

    The patience that it gives is the one that the page names.
    """
    command = [sys.executable, "-m", "arena.cli", "match", "env", "env", "--data", tmp_path, "--run", "one"]
    foreign = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    done = subprocess.run(
        command, env=foreign, cwd=PROTO.parent, capture_output=True, text=True, check=False, timeout=60
    )
    assert "bot env ended by itself" in done.stderr or "bot env-2 ended by itself" in done.stderr
    logs = "".join(log.read_text() for log in (tmp_path / "logs" / "one").iterdir())
    assert set(re.findall(r"^(ARENA_\w+)=", logs, re.MULTILINE)) == set(
        re.findall(r"^\| `(ARENA_\w+)` \|", STORY.read_text(), re.MULTILINE)
    )
    (patience,) = set(re.findall(r"^ARENA_PATIENCE=(.*)$", logs, re.MULTILINE))
    assert f"An arena gives {patience} to the bots that it starts" in STORY.read_text()


@pytest.mark.parametrize("enum", ["RejectionReason", "GoodbyeReason", "Termination"])
def test_story_names_every_reason(enum: str) -> None:
    """Every reason that a bot can be given is explained on the page."""
    story = STORY.read_text()
    kinds = {**play_pb2.DESCRIPTOR.enum_types_by_name, **match_pb2.DESCRIPTOR.enum_types_by_name}
    names = [value.name for value in kinds[enum].values if value.number]
    prefix = re.sub(r"(?<!^)(?=[A-Z])", "_", enum).upper() + "_"
    assert [name for name in names if name not in story and f"`{name.removeprefix(prefix)}`" not in story] == []


def test_story_derives_the_deck_of_the_vectors(deck_vectors: dict[str, Any]) -> None:
    """The numbers with which a reader checks his own derivation are those of the vectors and of the engine."""
    story = " ".join(STORY.read_text().split())
    server_seed, nonces = bytes.fromhex(deck_vectors["server_seed"]), [*map(bytes.fromhex, deck_vectors["nonces"])]
    seed = derive_seed(server_seed, deck_vectors["id"], nonces)
    deck = " ".join(map(str, deal_deck(seed, "draw-bridge", 0, PACK_52)))
    assert deck == " ".join(deck_vectors["decks"][0]["deck"])
    for number in (server_seed, *nonces, commitment(deck_vectors["id"], server_seed), seed):
        assert number.hex() in story
    assert deck in story
    assert f"first dealer | seat {first_dealer(seed, 2)}" in story


def test_story_tells_the_limits_that_are_in_force() -> None:
    """What the table of limits says of numbers and rates are the defaults of an arena."""
    most = Limits()
    calls, requests = most.calls_per_second, most.requests_per_second
    rows = [
        f"a message from a bot | {most.message_bytes // 1024} KiB",
        f"metadata of a call | {most.metadata_bytes // 1024} KiB",
        f"`Choose.note` | {most.note_bytes} bytes",
        f"lanes of a bot | {most.lanes}, and {most.streams} streams on a connection",
        f"until Hello | {most.hello_seconds:g} s",
        f"until Ready | {most.ready_seconds:g} s",
        f"what the shortest absence from a match counts as | {SHORTEST_ABSENCE_US // 1000} ms",
        f"away in a match, in all | {most.away_seconds:g} s",
        f"a message from the arena after Resumed | {most.resume_chunk_bytes // 1024} KiB",
        f"Hellos of a bot | {4 * most.lanes} at once, then {most.hellos_per_second:g} a second",
        f"streams from one address that have not said Hello | {most.strangers_per_address}",
        f"calls of all kinds from one address | {most.calls_at_once:,} at once, then {calls:g} a second",
        (
            f"requests from one address: unary calls, and questions to reflection | {AT_ONCE * requests:g} at once, "
            f"then {requests:g} a second; {most.requests_per_address} calls at the same time"
        ),
        (
            "streams that stay (`WatchMatch`, `Health/Watch`, reflection) | "
            f"{most.watchers_per_address} from one address, {most.watchers_per_match} that watch one match"
        ),
    ]
    page = STORY.read_text(encoding="utf-8").splitlines()
    assert [row for row in rows if f"| {row} |" not in page] == []
