"""Were the decks settled before anybody could want them otherwise? And is the log the one that was written?"""

from __future__ import annotations

from collections.abc import Iterator

from arena.replay.read import Replay
from arena.replay.report import Check, Finding, Verdict
from arena.replay.rerun import Setting
from engine.deck import commitment


def fairness(replay: Replay, setting: Setting, first_leg: Replay | None) -> Iterator[Finding]:
    """Commitment, set id, seed and first dealer."""
    header = replay.header
    check = Check("commitment")
    if commitment(header.match_id, header.server_seed) != header.commitment:
        check.fail("header", "the server seed is not the one that was committed to with the offer")
    yield check.finding("the server seed is the one that was committed to with the offer")
    yield _set_check(replay, first_leg).finding(
        "the set is named after its first match, so it was settled with the offer"
        if header.leg <= 1
        else f"leg {header.leg} is played with the seed and the rules of leg 1, match {header.set_id}"
    )
    yield _seed_finding(replay, setting)
    dealers = Check("first dealer")
    for entry in replay.entries:
        if entry.kind == "started" and entry.frame.started.first_dealer != setting.first_dealer:
            dealers.fail(
                entry.where,
                f"seat {entry.frame.started.first_dealer} dealt first, the seed says {setting.first_dealer}",
            )
    yield dealers.finding("the dealer of the first deal follows from the seed")


def _set_check(replay: Replay, first_leg: Replay | None) -> Check:
    header, check = replay.header, Check("set")
    if not 1 <= header.leg <= header.legs:
        check.fail("header", f"leg {header.leg} of {header.legs} is not possible")
    if header.leg <= 1:
        if header.set_id != header.match_id:
            check.fail("header", f"the set is named {header.set_id}, not after its first match, {header.match_id}")
    elif first_leg is not None:
        first = first_leg.header
        if first.leg != 1 or first.match_id != header.set_id:
            check.fail("header", f"match {first.match_id} is not the first of set {header.set_id}")
        for name in ("server_seed", "game", "rules_version", "rules", "seeded"):
            if getattr(first, name) != getattr(header, name):
                check.fail("header", f"its {name} is not that of leg 1, match {first.match_id}")
    return check


def _seed_finding(replay: Replay, setting: Setting) -> Finding:
    check = Check("seed")
    header = replay.header
    if len(header.server_seed) != 32:
        check.fail("header", f"the server seed has {len(header.server_seed)} bytes: it has 32")
    seen: set[int] = set()
    for entry in replay.entries:
        if entry.kind == "ready":
            ready = entry.frame.ready
            if ready.seat >= len(setting.game.sides) or ready.seat in seen:
                check.fail(entry.where, f"a nonce of seat {ready.seat}, which has none to give")
            if not 16 <= len(ready.nonce) <= 32:
                check.fail(entry.where, f"the nonce of seat {ready.seat} has {len(ready.nonce)} bytes: it has 16 to 32")
            seen.add(ready.seat)
    if header.seeded:
        return check.finding(
            "it follows from the server seed alone: a run with a fixed seed takes no nonces of the bots, "
            "and whoever has that seed knew its decks beforehand"
        )
    if setting.nonces is None:
        return check.finding("not every seat was ready, so no decks were made")
    return check.finding(f"it follows from the server seed and the nonces of {len(setting.nonces)} seats")


def unbroken(replay: Replay, known_hash: bytes | None) -> Iterator[Finding]:
    """The hash chain: against the heads that the log holds itself, and against one that was kept elsewhere."""
    check = Check("log hash")
    heads = 0
    good = "the start"
    for entry in replay.entries:
        if entry.kind in {"deal", "ended"}:
            held = entry.frame.deal.log_hash if entry.kind == "deal" else entry.frame.ended.log_hash
            heads += 1
            if held != entry.before:
                check.fail(
                    entry.where,
                    f"it holds the hash {held.hex()[:16]} and the frames before it give {entry.before.hex()[:16]}: "
                    f"something between {good} and here was changed",
                )
            good = entry.where
    yield check.finding(f"all {heads} heads of the hash chain in the log fit its bytes")
    if known_hash is None:
        yield Finding(
            Verdict.OPEN, "known hash", "without a hash kept elsewhere the whole file could have been written anew"
        )
        return
    check = Check("known hash")
    if known_hash != replay.head:
        check.fail("end of file", f"the log hash is {replay.head.hex()}, the one that was kept is {known_hash.hex()}")
    yield check.finding(f"the log hash is the one that was kept: {replay.head.hex()}")
