"""Who a bot is: tokens on a closed arena, names on an open one."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from contextlib import suppress

import pytest

from arena.identity import NAME, Doorkeeper, NotAdmittedError, new_secret, token_of


def bearer(token: str) -> list[tuple[str, str | bytes]]:
    """The metadata that carries a token."""
    return [("user-agent", "x"), ("authorization", f"Bearer {token}")]


def test_a_token_says_who_it_is_for_and_nothing_else() -> None:
    """A token names its id and holds 32 random bytes; no two are alike."""
    tokens = {token_of("7", new_secret()) for _ in range(100)}
    assert len(tokens) == 100
    for token in tokens:
        prefix, number, secret = token.split("_", 2)
        assert (prefix, number) == ("arena", "7")
        assert len(secret) == 43


def test_a_bot_is_known_by_its_token() -> None:
    """Each token stands for its bot, whatever the Hello claims; a bot may have several."""
    door = Doorkeeper(is_open=False)
    tokens = {door.issue(name): name for name in ("a", "b", "a")}
    assert len(tokens) == 3
    for token, name in tokens.items():
        assert door.identify(bearer(token), "b") == name
        assert door.identify([("authorization", token.encode())], "") == name


def test_the_doorkeeper_keeps_no_token() -> None:
    """What is kept of a token does not let anybody in."""
    door = Doorkeeper(is_open=False)
    secret = door.issue("a").split("_", 2)[2]
    assert secret not in repr(door.keys)
    for key_id, kept in door.keys.items():
        for guess in (kept.digest.hex(), urlsafe_b64encode(kept.digest).decode().rstrip("=")):
            with pytest.raises(NotAdmittedError):
                door.identify(bearer(token_of(key_id, guess)), "a")


def test_a_secret_opens_its_own_door_only() -> None:
    """A good secret under the id of another bot is refused, and so is one under no id."""
    door = Doorkeeper(is_open=False)
    (_, _, first), (_, other_id, _) = (door.issue(name).split("_", 2) for name in "ab")
    for key_id in (other_id, "run9", "99"):
        with pytest.raises(NotAdmittedError, match="this token is not known here"):
            door.identify(bearer(token_of(key_id, first)), "a")


def test_a_refusal_tells_the_bot_nothing_and_the_operator_enough() -> None:
    """Whatever was wrong with a token, the bot reads the same; the operator reads what it was, without the secret."""
    door = Doorkeeper(is_open=False)
    door.issue("a")
    shown = {"junk": "a token in no known form", "arena_run1_" + "A" * 43: "token run1: wrong secret"}
    shown["arena_77_" + "B" * 43] = "token 77: no such bot"
    for token, why in shown.items():
        with pytest.raises(NotAdmittedError) as refused:
            door.identify(bearer(token), "a")
        assert str(refused.value) == "this token is not known here"
        assert refused.value.why == why


def test_every_token_is_held_against_a_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    """One comparison in constant time for a good secret, a wrong one, an unknown id and junk: time tells nothing."""
    compared: list[tuple[bytes, bytes]] = []

    def compare(kept: bytes, shown: bytes) -> bool:
        compared.append((kept, shown))
        return kept == shown

    door = Doorkeeper(is_open=False)
    good = door.issue("a")
    monkeypatch.setattr("arena.identity.hmac.compare_digest", compare)
    for token in (good, "arena_run1_" + "A" * 43, "arena_77_" + "A" * 43, "junk"):
        with suppress(NotAdmittedError):
            door.identify(bearer(token), "")
    assert [(len(kept), len(shown)) for kept, shown in compared] == [(32, 32)] * 4


@pytest.mark.parametrize("wrong", ["", "arena_1_", "x", "ü", "arena_1_" + "A" * 43])
@pytest.mark.parametrize("is_open", [False, True])
def test_a_wrong_token_admits_nobody(wrong: str, is_open: bool) -> None:  # noqa: FBT001 # a parameter
    """A token that was not issued is refused, on an open arena too: whoever shows one means to be that bot."""
    door = Doorkeeper(is_open=is_open)
    token = door.issue("a")
    for value in (wrong, token[:-1], token + "x", token.lower() if token.lower() != token else "y"):
        with pytest.raises(NotAdmittedError, match="this token is not known here"):
            door.identify(bearer(value), "a")


def test_a_closed_arena_wants_a_token() -> None:
    """Without one it says what to send."""
    with pytest.raises(NotAdmittedError, match="authorization: Bearer TOKEN"):
        Doorkeeper(is_open=False).identify([], "a")


@pytest.mark.parametrize("name", ["a", "Bot-2.0_x", "x" * 32, "7"])
def test_an_open_arena_believes_a_name(name: str) -> None:
    """On an open arena the name in the Hello is the bot's."""
    assert Doorkeeper(is_open=True).identify([], name) == name


@pytest.mark.parametrize("name", ["", " ", "x" * 33, "a b", "ä", "a\n", "a/b", "٣", "a\0", "heron@1"])
def test_a_name_has_its_letters(name: str) -> None:
    """A name has 1 to 32 ASCII letters, digits, dots, underscores and dashes; no other is let in.

    That of a registered bot above all.
    """
    assert not NAME.fullmatch(name)
    with pytest.raises(NotAdmittedError, match="is no bot name"):
        Doorkeeper(is_open=True).identify([], name)
