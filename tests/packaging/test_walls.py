"""The walls between the parts hold: every contract on imports breaks when the import that it forbids is planted."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.games import registered

ROOT = Path(__file__).resolve().parents[2]
LINT = Path(sys.executable).parent / "lint-imports"
PACKAGES = ("engine", "arena", "sample_bots", "tests/naive")

PURE = {
    "__future__",
    "abc",
    "bisect",
    "collections",
    "dataclasses",
    "engine",
    "enum",
    "functools",
    "hashlib",
    "hmac",
    "itertools",
    "math",
    "operator",
    "re",
    "types",
    "typing",
}
"""All that the engine may import; `engine/games/__init__.py` also looks for games."""

IMPURE = ("os", "io", "time", "random", "secrets", "logging", "asyncio", "trio", "grpc")

PLANTS = {
    "the engine knows the arena": ("top", "engine/planted.py", "import arena.v1"),
    "the arena knows a sample bot": ("top", "arena/errors.py", "import sample_bots.python"),
    "an arrow up, in the arena": ("arena", "arena/errors.py", "import arena.wire.actions"),
    "an arrow up, from the SDK to the server": ("arena", "arena/bot/planted.py", "import arena.session"),
    "a module without a place": ("arena", "arena/planted.py", ""),
    "the engine touches the world": ("engine", "engine/planted.py", "import " + ", ".join(IMPURE)),
    "a game knows another": ("games", "engine/games/one/__init__.py", "import engine.games.two"),
    "the engine names a game": ("unnamed", "engine/planted.py", "import engine.games.one"),
    "the arena names a game": ("unnamed", "arena/errors.py", "from engine.games import one"),
    "gRPC elsewhere in the arena": ("grpc", "arena/errors.py", "import grpc"),
    "gRPC in a sample bot": ("grpc", "sample_bots/python/planted.py", "from grpc import insecure_channel"),
    "gRPC's reflection in the server": ("grpc", "arena/errors.py", "import grpc_reflection.v1alpha"),
    "SQL in a replay": ("sql", "arena/errors.py", "from sqlalchemy import select"),
    "a table for people in the server": ("terminal", "arena/errors.py", "import rich.table"),
    "the command line's library in the server": ("terminal", "arena/errors.py", "import click"),
    "HTTP in the lobby": ("http", "arena/lobby.py", "import starlette"),
    "trio in the SDK": ("sdk", "arena/bot/planted.py", "import trio"),
    "trio between engine and protobuf": ("sdk", "arena/wire/planted.py", "import trio"),
    "the command line's library in a sample bot": ("sdk", "sample_bots/python/planted.py", "import click"),
    "dice in the ratings": ("pure", "arena/ratings.py", "import random"),
    "a clock in the statistics": ("pure", "arena/stats/planted.py", "import time"),
    "a naive game knows the engine": ("naive", "tests/naive/planted.py", "from engine.trick import beats"),
    "a naive game knows the arena": ("naive", "tests/naive/course.py", "import arena.wire"),
}


def contracts() -> dict[str, dict[str, Any]]:
    """The contracts of pyproject.toml by id."""
    document = tomllib.loads((ROOT / "pyproject.toml").read_text())
    return {contract["id"]: contract for contract in document["tool"]["importlinter"]["contracts"]}


def lint(tree: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Check the contracts in `tree`."""
    return subprocess.run(
        [LINT, "--no-logo", "--no-cache", *options], cwd=tree, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sources without anything planted, with two empty games more."""
    tree = tmp_path_factory.mktemp("tree")
    shutil.copy(ROOT / "pyproject.toml", tree)
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, tree / package, ignore=shutil.ignore_patterns("__pycache__", "cpp", "go", "java", "node")
        )
    for name in ("one", "two"):
        (tree / "engine" / "games" / name).mkdir()
        (tree / "engine" / "games" / name / "__init__.py").touch()
    return tree


@pytest.fixture
def planted(copy: Path, request: pytest.FixtureRequest) -> Iterator[tuple[str, Path]]:
    """The id of a contract, and the sources with an import that breaks it."""
    contract, name, line = PLANTS[request.param]
    path = copy / name
    before = path.read_bytes() if path.exists() else None
    path.write_bytes((before or b"") + f"\n{line}\n".encode())
    yield contract, copy
    if before is None:
        path.unlink()
    else:
        path.write_bytes(before)


def test_sources_keep_every_contract(copy: Path) -> None:
    """Without anything planted, with any number of games, all contracts are kept."""
    done = lint(copy)
    assert done.returncode == 0, done.stdout
    assert f"{len(contracts())} kept, 0 broken" in done.stdout


@pytest.mark.parametrize("planted", PLANTS, indirect=True)
def test_contract_breaks_on_planted_import(planted: tuple[str, Path]) -> None:
    """A forbidden import breaks the contract that forbids it."""
    contract, tree = planted
    done = lint(tree, "--contract", contract)
    assert done.returncode == 1, done.stdout + done.stderr
    flat = " ".join(done.stdout.split())
    assert f"{contracts()[contract]['name']} BROKEN" in flat
    if contract == "engine":
        assert [module for module in IMPURE if f"engine.planted -> {module} " not in flat] == []


def test_every_contract_has_a_plant() -> None:
    """No contract goes untested."""
    assert {contract for contract, _, _ in PLANTS.values()} == set(contracts())


def sources(*packages: str) -> list[tuple[str, ast.Module]]:
    """Paths and syntax trees of all hand-written sources of the packages."""
    paths = [path for package in packages for path in sorted((ROOT / package).rglob("*.py")) if "_pb2" not in path.name]
    return [(path.relative_to(ROOT).as_posix(), ast.parse(path.read_text())) for path in paths]


def imports(tree: ast.Module) -> set[str]:
    """Top-level names of the packages that a source imports."""
    nodes = list(ast.walk(tree))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}
    return {name.partition(".")[0] for name in names}


def test_engine_imports_only_what_is_listed() -> None:
    """The engine imports nothing but the pure modules of the standard library that are listed here."""
    allowed = {"engine/games/__init__.py": {"importlib", "pkgutil"}}
    surplus = {name: imports(tree) - PURE - allowed.get(name, set()) for name, tree in sources("engine")}
    assert {name: modules for name, modules in surplus.items() if modules} == {}


def test_naive_games_import_nothing_but_themselves() -> None:
    """Neither do they reach the engine over what tests share, of which the contract on imports knows nothing."""
    allowed = {"__future__", "abc", "collections", "itertools", "naive", "typing"}
    surplus = {name: imports(tree) - allowed for name, tree in sources("tests/naive")}
    assert {name: modules for name, modules in surplus.items() if modules} == {}


def spoken(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and text of every name and string of a source, docstrings left out."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    prose = {
        id(statement.value)
        for node in ast.walk(tree)
        if isinstance(node, documented)
        for statement in node.body
        if isinstance(statement, ast.Expr)
    }
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in prose:
                yield node.lineno, text
            case ast.Name(id=text) | ast.Attribute(attr=text):
                yield node.lineno, text


def test_nobody_outside_games_names_a_game() -> None:
    """No name and no text in the engine or the arena names a game, so that a new one is one new folder.

    But for one module of the conformance kit, whose steps for single games have numbers for good.
    """
    words = {
        word.lower() for game in registered().values() for word in (game.name, game.title, game.name.replace("-", "_"))
    }
    assert words
    named = [
        f"{name}:{line}: {text!r}"
        for name, tree in sources("engine", "arena")
        if not name.startswith("engine/games/") and name != "arena/conformance/games.py"
        for line, text in spoken(tree)
        if any(word in text.lower() for word in words)
    ]
    assert named == []
