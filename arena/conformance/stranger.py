"""An arena that nobody vouches for, and what it gets to hear."""

from __future__ import annotations

import socket
import ssl
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Self

from arena.conformance.certificates import Certified

_STEP_SECONDS: Final = 0.2
"""How often it looks whether time is up."""
_TALK_SECONDS: Final = 2.0
"""How long whoever has called may take to say something."""
_PLAIN: Final = b"PRI * HTTP/2"
"""How HTTP/2 begins where there is no TLS."""


class Stranger:
    """Listens on a port of 127.0.0.1, speaks TLS with a certificate that is not trusted, and answers nothing."""

    def __init__(self, certified: Certified) -> None:
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.set_alpn_protocols(["h2"])
        with tempfile.TemporaryDirectory() as folder:  # ssl takes files only
            pair = Path(folder) / "pair.pem"
            pair.write_bytes(certified.key + certified.certificate)
            self._context.load_cert_chain(pair)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._socket.settimeout(_STEP_SECONDS)

    @property
    def address(self) -> str:
        """Host and port."""
        return f"127.0.0.1:{self._socket.getsockname()[1]}"

    def hear(self, first: float, then: float, as_long_as: Callable[[], bool] = lambda: True) -> tuple[int, str]:
        """How often it was called, and what callers said before they had found out whom they speak to, in words.

        Waits for the first call `first` seconds at most, and hears calls for so many seconds more; not on when one said
        something, or when `as_long_as` is no longer true.
        """
        calls, deadline = 0, time.monotonic() + first
        while time.monotonic() < deadline:
            try:
                caller, _ = self._socket.accept()
            except TimeoutError:
                if not as_long_as():
                    break
                continue
            if calls == 0:
                deadline = time.monotonic() + then
            calls += 1
            with caller:
                if said := self._said(caller):
                    return calls, said
        return calls, ""

    def _said(self, caller: socket.socket) -> str:
        """What whoever has called says; empty if it hangs up."""
        caller.settimeout(_TALK_SECONDS)
        try:
            if caller.recv(len(_PLAIN), socket.MSG_PEEK).startswith(_PLAIN[:3]):
                return "it spoke without TLS"
            with self._context.wrap_socket(caller, server_side=True) as secured:
                return "it took the certificate, and spoke" if secured.recv(1) else ""
        except OSError:  # it did not like the certificate, which ssl.SSLError is for too, or has said nothing at all
            return ""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()
