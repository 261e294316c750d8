"""Who a bot is: tokens on a closed arena, names on an open one."""

from __future__ import annotations

import pytest

from arena.identity import NAME, Doorkeeper, NotAdmittedError, new_token


def bearer(token: str) -> list[tuple[str, str | bytes]]:
    """The metadata that carries a token."""
    return [("user-agent", "x"), ("authorization", f"Bearer {token}")]


def test_a_token_says_who_it_is_for_and_nothing_else() -> None:
    """A token names its id and holds 32 random bytes; no two are alike."""
    tokens = {new_token("7") for _ in range(100)}
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
    token = door.issue("a")
    assert token not in repr(vars(door))
    for kept in door._bots:
        with pytest.raises(NotAdmittedError):
            door.identify(bearer(kept.hex()), "a")


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


@pytest.mark.parametrize("name", ["", " ", "x" * 33, "a b", "ä", "a\n", "a/b", "٣", "a\0"])
def test_a_name_has_its_letters(name: str) -> None:
    """A name has 1 to 32 ASCII letters, digits, dots, underscores and dashes; no other is let in."""
    assert not NAME.fullmatch(name)
    with pytest.raises(NotAdmittedError, match="is no bot name"):
        Doorkeeper(is_open=True).identify([], name)
