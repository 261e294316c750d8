"""A call without a C core, for tests that drive its states by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from arena.transport import Call, Status

Done = tuple[Any, ...]


class FakeCall(Call):
    """A call whose peer and C core are the test."""

    def __init__(self, **limits: Any) -> None:
        event: Any = SimpleNamespace(call=None, call_details=SimpleNamespace(method=b"/t/M"), invocation_metadata=())
        self.pump = SimpleNamespace(noticed_at=0.0)
        pump: Any = self.pump
        core: Any = None
        super().__init__(core, event, pump, **{"max_outbox": 100, "end_grace": 5.0, **limits})
        self.done: list[Done] = []

    def _open(self) -> None:
        self.done.append(("open",))

    def _read(self) -> None:
        self.done.append(("read",))

    def _write(self, data: bytes) -> None:
        self.done.append(("write", data))

    def _finish(self, code: Status, details: str) -> None:
        self.done.append(("finish", code, details))

    def _kill(self, code: Status, details: str) -> None:
        self.done.append(("kill", code, details))

    def last(self) -> Done:
        """What was started last."""
        return self.done[-1]
