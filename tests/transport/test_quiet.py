"""What the C core says on its own account."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

PROGRAM = """
import os
from arena.transport.core import Core, TlsPair
print(Core(()).listen("127.0.0.1:0", TlsPair(b"junk", b"junk").credentials), os.environ.get("GRPC_VERBOSITY"))
"""


@pytest.mark.parametrize(("wish", "output", "is_silent"), [(None, "0 None", True), ("ERROR", "0 ERROR", False)])
def test_the_c_core_is_silent_unless_told_otherwise(wish: str | None, output: str, *, is_silent: bool) -> None:
    """Nothing of its log reaches the terminal, the environment is as before, and whoever sets the level has it."""
    environment = {key: value for key, value in os.environ.items() if key != "GRPC_VERBOSITY"}
    if wish is not None:
        environment["GRPC_VERBOSITY"] = wish
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True, timeout=30
    )
    assert done.stdout.strip() == output
    assert (done.stderr == "") is is_silent
