"""How a call can end, and what can go wrong before there is one."""

from __future__ import annotations

from enum import IntEnum

from arena.errors import ArenaError


class Status(IntEnum):
    """gRPC's status codes: how a call ended, for programs."""

    OK = 0
    CANCELLED = 1
    UNKNOWN = 2
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    ALREADY_EXISTS = 6
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    ABORTED = 10
    OUT_OF_RANGE = 11
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    DATA_LOSS = 15
    UNAUTHENTICATED = 16


class Gone(Exception):
    """The call is over: the peer is gone, or the call was ended on this side."""


class RpcError(Exception):
    """Raised by a handler to end its call with `code`, and `details` for people. Nothing is logged."""

    def __init__(self, code: Status, details: str) -> None:
        super().__init__(f"{code.name}: {details}")
        self.code = code
        self.details = details


class ListenError(ArenaError):
    """The server cannot listen on `address`; `reason` says why."""

    def __init__(self, address: str, reason: str) -> None:
        super().__init__(f"cannot listen on {address}: {reason}")
        self.address = address
        self.reason = reason


class BadCertificate(ArenaError):
    """A certificate and its key cannot be used for TLS; the message names the files."""
