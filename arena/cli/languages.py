"""The languages that `arena new-bot` starts a bot in, and how a bot in each is built, started and tested."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Language:
    """A folder of `sample_bots` to start from. Commands are for a shell in the new folder; `{name}` is the bot's name.

    `{python}` and `{arena}` stand for the commands of these names, as they work for whoever reads them.
    """

    title: str
    """What people call the language."""
    folder: str
    """Where the sources are, below sample_bots."""
    word: str
    """What the sample bot is called in them; the new bot's name takes its place."""
    strategy: str
    """The file to change."""
    command: str
    """What starts the bot."""
    needs: str
    """What must be installed, beside the arena's package."""
    build: tuple[str, ...] = ()
    """What builds it."""
    tests: str = ""
    """What runs its own tests."""
    made: tuple[str, ...] = ()
    """What building leaves at the top of the folder: it is not copied, and not for a repository."""


LANGUAGES: Final[Mapping[str, Language]] = {
    "python": Language(
        "Python",
        "first",
        "first_bot",
        strategy="{name}.py",
        command="{python} {name}.py",
        needs="Python 3.11 or newer",
        tests="{python} -m unittest",
    ),
    "go": Language(
        "Go",
        "go",
        "go_bot",
        strategy="strategy.go",
        command="./{name}",
        needs="Go 1.26 or newer, and buf, `pip install buf-bin`",
        build=("buf generate", "go build -o {name} ."),
        tests="go test .",
        made=("gen", "go_bot"),
    ),
    "node": Language(
        "TypeScript",
        "node",
        "node_bot",
        strategy="strategy.ts",
        command="node dist/{name}.js",
        needs="Node 20 or newer with npm",
        build=("npm ci", "npm run build"),
        tests="npm test",
        made=("dist", "gen", "node_modules"),
    ),
    "rust": Language(
        "Rust",
        "rust",
        "rust_bot",
        strategy="src/strategy.rs",
        command="target/release/{name}",
        needs="Rust 1.85 or newer with a C compiler",
        build=("cargo build --release --locked",),
        tests="cargo test --release",
        made=("target",),
    ),
    "java": Language(
        "Java",
        "java",
        "java_bot",
        strategy="src/main/java/bot/Strategy.java",
        command="java -jar target/{name}.jar",
        needs="a JDK, 17 or newer, and Maven, 3.8 or newer",
        build=("mvn -q -B package",),
        tests="mvn -q -B test",
        made=("target",),
    ),
    "cpp": Language(
        "C++",
        "cpp",
        "cpp_bot",
        strategy="strategy.cpp",
        command="build/{name}",
        needs="CMake 3.20, which says how to get gRPC for C++",
        build=("cmake -S . -B build", "cmake --build build --parallel 2"),
        tests="ctest --test-dir build",
        made=("build",),
    ),
    "awk": Language(
        "awk",
        "awk",
        "awk_bot",
        strategy="{name}.awk",
        command="{arena} bridge --text -- awk -W interactive -f {name}.awk",
        needs="any awk",
    ),
    "perl": Language(
        "Perl",
        "perl",
        "perl_bot",
        strategy="{name}.pl",
        command="{arena} bridge -- perl {name}.pl",
        needs="Perl 5.14 or newer",
    ),
}
