"""Which addresses never leave this machine, so that what is sent there needs no encryption."""

from __future__ import annotations

from ipaddress import ip_address


def is_loopback(address: str) -> bool:
    """True if `address`, a host with or without a port, is `localhost` or a loopback address. No name is looked up."""
    host = address
    if address.startswith("[") or address.count(":") == 1:
        host = address.rpartition(":")[0] if not address.endswith("]") else address
    host = host.removeprefix("[").removesuffix("]")
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
