"""Which addresses never leave this machine, so that what is sent there needs no encryption."""

from __future__ import annotations

from ipaddress import ip_address

from arena.errors import ArenaError


def is_loopback(address: str) -> bool:
    """True if `address`, a host with or without a port, is `localhost` or a loopback address. No name is looked up."""
    host = address.rpartition(":")[0]
    if not host or (":" in host and not host.endswith("]")):  # there is no port: a bare host, or a bare IPv6 address
        host = address
    host = host.removeprefix("[").removesuffix("]")
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def check_listen(address: str, *, is_open: bool, has_tls: bool) -> None:
    """Raise ArenaError unless an arena may listen there: names are believed, and plain text is spoken, at home only."""
    if is_loopback(address):
        return
    if is_open:
        raise ArenaError(
            f"--open believes every name, so it wants a loopback address such as 127.0.0.1:7878: not {address}"
        )
    if not has_tls:
        raise ArenaError(
            f"tokens would go to {address} in plain text: "
            "give --tls-cert and --tls-key, or a loopback address such as 127.0.0.1:7878"
        )
