"""The sample bots in other languages, built as `make bots` builds them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from filelock import FileLock

ROOT = Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Language:
    """A sample bot: what builds it, the command that starts it, and the one that runs its own tests.

    One that `proves` deals the cards of each match again when it has ended, and says whether the decks were fair.
    """

    name: str
    version: tuple[str, ...]
    least: tuple[int, ...]
    target: str
    command: tuple[str, ...]
    tests: tuple[str, ...]
    proves: bool = False

    @property
    def end(self) -> str:
        """What stands in the line that it prints at the end of each match."""
        return "decks: fair" if self.proves else "has ended: "

    @property
    def folder(self) -> Path:
        """Where its sources are."""
        return ROOT / "sample_bots" / self.name


GO_BOT, NODE_BOT = "sample_bots/go/go_bot", "sample_bots/node/dist/node_bot.js"
JAVA_BOT = "sample_bots/java/target/java_bot.jar"
RUST_BOT = "sample_bots/rust/target/release/rust_bot"
CPP_BOT = "sample_bots/cpp/build/cpp_bot"
LANGUAGES = (
    Language(
        "go", ("go", "env", "GOVERSION"), (1, 26), GO_BOT, (GO_BOT,), ("go", "test", "-count=1", "."), proves=True
    ),
    Language(
        "node", ("node", "--version"), (20,), NODE_BOT, ("node", NODE_BOT), ("npm", "test", "--silent"), proves=True
    ),
    Language(
        "java",
        ("javac", "--version"),
        (17,),
        JAVA_BOT,
        ("java", "-XX:TieredStopAtLevel=1", "-jar", JAVA_BOT),  # it is started a hundred times, and runs for seconds
        ("mvn", "-q", "-B", "test"),
    ),
    Language(
        "rust", ("cargo", "--version"), (1, 85), RUST_BOT, (RUST_BOT,), ("cargo", "test", "--release", "--locked")
    ),
    Language(
        "cpp",
        ("sh", "-c", "command -v grpc_cpp_plugin >/dev/null && cmake --version"),
        (3, 20),
        CPP_BOT,
        (CPP_BOT,),
        ("ctest", "--test-dir", "build", "--output-on-failure"),
    ),
)


def version_of(language: Language) -> tuple[int, ...]:
    """The version of the toolchain that is installed; none at all sorts before every version."""
    if not shutil.which(language.version[0]) or not shutil.which(language.tests[0]):
        return ()
    shown = subprocess.run(language.version, capture_output=True, text=True, check=False).stdout
    return tuple(int(part) for part in re.findall(r"\d+", shown)[:2])


def require(language: Language) -> None:
    """What has no toolchain is named, and not run; under CI it fails."""
    least = ".".join(map(str, language.least))
    if version_of(language) < language.least:
        missing = f"{language.name} {least} or newer is not installed, so its sample bot is not built"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)


def built(language: Language) -> Language:
    """The language, its bot built; without a toolchain it is not. One is built at a time, whichever test asks first."""
    require(language)
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL")}
    with FileLock(ROOT / ".venv" / "bots.lock"):
        done = subprocess.run(
            ["make", language.target], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stdout + done.stderr
    return language
