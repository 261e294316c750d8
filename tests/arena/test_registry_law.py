"""Laws of the door: who is in after any changes of the registry, and what no header can do."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.admission import Admission
from arena.errors import ArenaError
from arena.identity import Doorkeeper, NotAdmittedError, digest_of, new_secret, token_of
from arena.store import Registry

NAMES = st.sampled_from(["heron", "otter"])
VERSIONS = st.sampled_from(["1", "2"])
STEPS = st.lists(st.tuples(st.sampled_from(["add", "rotate", "revoke", "look"]), NAMES, VERSIONS), max_size=12)


class Streets:
    """Stands for the lobby: notes who was shown out."""

    def __init__(self) -> None:
        self.out: list[str] = []

    def expel(self, bot: str, _code: object, _text: str) -> None:
        """As the lobby's."""
        self.out.append(bot)

    def abandon(self, bot: str) -> None:
        """As the lobby's."""


def admitted(door: Doorkeeper, token: str) -> str | None:
    """Whom the door lets in with that token."""
    try:
        return door.identify([("authorization", f"Bearer {token}")], "")
    except NotAdmittedError:
        return None


@settings(max_examples=25)
@given(STEPS)
def test_the_newest_token_of_each_bot_that_is_not_revoked_is_good_and_no_other(
    steps: list[tuple[str, str, str]],
) -> None:
    """Whatever the operator did, and whenever the arena looked: after a look the door agrees with a plain model."""
    good: dict[str, str] = {}
    issued: list[str] = []
    seen: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder, Registry.open(Path(folder), create=True) as registry:
        door, streets = Doorkeeper(is_open=False), Streets()
        admission = Admission(registry, door)
        for kind, name, version in [*steps, ("look", "", "")]:
            bot, secret = f"{name}@{version}", new_secret()
            try:
                if kind == "add":
                    one = registry.add(name, version, owner="", digest=digest_of(secret), now_ms=1)
                    good[bot] = token_of(str(one.id), secret)
                elif kind == "rotate":
                    good[bot] = token_of(str(registry.rotate(name, version, digest_of(secret)).id), secret)
                elif kind == "revoke":
                    registry.revoke(name, version, now_ms=1)
                    good.pop(bot, None)
            except ArenaError:
                continue
            issued += good.values()
            if kind == "look":
                streets.out.clear()
                admission.heed(registry.changed_after(admission.known), streets)
                assert {token: admitted(door, token) for token in good.values()} == {v: k for k, v in good.items()}
                assert {token for token in issued if admitted(door, token)} == set(good.values())
                assert set(streets.out) == {one for one, token in seen.items() if good.get(one) != token}
                seen = dict(good)


HEADERS = st.one_of(
    st.text(max_size=80),
    st.binary(max_size=80),
    st.from_regex(r"(Bearer )?arena_(run)?[0-9]{1,3}_[A-Za-z0-9_-]{40,45}", fullmatch=True),
)


@given(HEADERS)
@example("Bearer arena_run1_" + "A" * 43)
@example(b"\xff\xfe")
@example("")
def test_no_other_header_lets_anybody_in(header: str | bytes) -> None:
    """Any text and any bytes in the place of a token are refused in the same words, without a fault."""
    for is_open in (True, False):
        door = Doorkeeper(is_open=is_open)
        door.issue("a")
        with pytest.raises(NotAdmittedError, match=r"^this token is not known here$"):
            door.identify([("authorization", header)], "b")
