"""Which addresses stay on this machine, and where an arena may listen."""

from __future__ import annotations

import pytest

from arena.errors import ArenaError
from arena.loopback import check_listen, is_loopback


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.255.0.9", "[::1]"])
def test_loopback_is_known_with_and_without_a_port(host: str) -> None:
    """Names and addresses of this machine alone."""
    for address in (host, f"{host}:7878", f"{host}:0", f"{host}:x"):
        assert is_loopback(address)
    assert is_loopback("::1")


@pytest.mark.parametrize(
    "host",
    [
        "0.0.0.0",
        "[::]",
        "192.0.2.1",
        "[2001:db8::1]",
        "localhost.example",
        "127.0.0.1.example",
        "",
        "127.1",
        "unix",
        "*",
    ],
)
def test_everything_else_is_not(host: str) -> None:
    """What is not surely at home is away; the address of every interface first of all."""
    for address in (host, f"{host}:7878"):
        assert not is_loopback(address)
    assert not is_loopback("unix:/run/arena")
    assert not is_loopback("::1:7878")


def test_away_from_home_an_arena_is_closed_and_speaks_tls() -> None:
    """Of the four combinations, one may listen where strangers are; at home all may."""
    for is_open in (True, False):
        for has_tls in (True, False):
            check_listen("127.0.0.1:0", is_open=is_open, has_tls=has_tls)
            if is_open or not has_tls:
                with pytest.raises(ArenaError, match=r"0\.0\.0\.0:0"):
                    check_listen("0.0.0.0:0", is_open=is_open, has_tls=has_tls)
    check_listen("0.0.0.0:0", is_open=False, has_tls=True)
