"""Who has calls on this server: how many on each connection and from each address."""

from __future__ import annotations

from collections import Counter
from ipaddress import IPv6Address


def address_of(peer: str) -> str:
    """The address in a peer such as `ipv4:127.0.0.1:40123`: who is counted as one.

    Of an IPv6 address that is the network of 64 bits, since whoever has one address there has all of them.
    """
    family, _, rest = peer.partition(":")
    host = rest.rpartition(":")[0].replace("%5B", "").replace("%5D", "").strip("[]").partition("%25")[0]
    if family == "ipv6":
        try:
            packed = IPv6Address(host).packed
        except ValueError:
            return peer
        return IPv6Address(packed[:8] + bytes(8)).compressed + "/64"
    return host or family


class Peers:
    """The calls that run, by connection."""

    def __init__(self) -> None:
        self._calls: Counter[str] = Counter()

    @property
    def connections(self) -> int:
        """Connections with a call on them."""
        return len(self._calls)

    def enter(self, peer: str) -> None:
        """A call of that peer begins."""
        self._calls[peer] += 1

    def leave(self, peer: str) -> None:
        """One has ended."""
        self._calls[peer] -= 1
        if not self._calls[peer]:
            del self._calls[peer]
