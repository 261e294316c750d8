"""Where a server can listen, found out beforehand: the C core knows more than it tells.

It takes a port of 99999 for 34463, no port at all for 443, and one of two addresses of `localhost` for success when the
other belongs to somebody else; why an address failed stands only in its own log.
"""

from __future__ import annotations

import errno
import os
import re
import socket
from typing import Final

from arena.transport.errors import ListenError

_FORM: Final = re.compile(r"(?:\[(?P<six>[^\]]+)\]|(?P<host>[^:\[\]]+)):(?P<port>[0-9]{1,5})")
_LACKING: Final = frozenset({errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL})
"""Reasons that say that this machine does not have the address, not that somebody else does."""


def check_address(address: str) -> None:
    """Raise ListenError unless a server could listen on `address`: `HOST:PORT`, `[IPV6]:PORT` or `unix:PATH`.

    A name may stand for several addresses: none of them may be taken, and at least one must be this machine's own.
    """
    if address.startswith("unix:"):
        return
    found = _FORM.fullmatch(address)
    if found is None or int(found["port"]) > 65535:
        raise ListenError(address, "write HOST:PORT, such as 127.0.0.1:5000, with a port up to 65535 (0: any)")
    try:
        targets = socket.getaddrinfo(
            found["six"] or found["host"], int(found["port"]), type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )
    except socket.gaierror as error:
        raise ListenError(address, f"the host is not known ({error.strerror})") from None
    except ValueError:  # a label of 64 letters or of none, a zero byte
        raise ListenError(address, "this can be no host's name") from None
    refusals = [_refusal(family, where) for family, _, _, _, where in targets]
    for number in refusals:
        if number and (number not in _LACKING or all(refusals)):
            raise ListenError(address, os.strerror(number).lower())


def _refusal(family: socket.AddressFamily, where: tuple[object, ...]) -> int:
    """The errno with which this machine refuses to bind there; 0 if it does not."""
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            if os.name == "posix":  # elsewhere the option would let two share an address
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                probe.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            probe.bind(where)
    except OSError as error:
        return error.errno or errno.EINVAL
    return 0
