"""The wheel holds what it should and nothing else, and its base install is the SDK for bots."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Any, TypeAlias

import pytest

from arena.cli import NEEDED
from arena.cli.fitting import fitted
from arena.cli.languages import LANGUAGES
from arena.cli.new_bot_run import sources_of

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("arena", "engine", "sample_bots")
BASE = ("google", "grpc", "typing_extensions")
"""What grpcio and protobuf put into an environment."""

Run: TypeAlias = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    """The tables of pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of this tree in which every sample bot has been built."""
    folder = tmp_path_factory.mktemp("wheel")
    tree = folder / "tree"
    made = {name for language in LANGUAGES.values() for name in language.made}
    for name in (*PACKAGES, "proto", "tests/vectors"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__", *made))
    for name in (".gitignore", "LICENSE", "README.md", "pyproject.toml"):
        shutil.copy(ROOT / name, tree)
    for language in LANGUAGES.values():
        for name in language.made:
            left = tree / "sample_bots" / language.folder / name
            left.mkdir()
            (left / "planted.txt").touch()
    command: list[str | Path] = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", folder, tree]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def names(wheel: Path) -> set[PurePosixPath]:
    """The names of all files in the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {PurePosixPath(name) for name in archive.namelist()}


def installed(wheel: Path, folder: Path) -> Path:
    """A new environment in a folder that holds the wheel and nothing else; gives the place of its packages."""
    environment = folder / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", environment], check=True)
    pip = [sys.executable, "-m", "pip", "--python", environment / "bin" / "python", "install", "--quiet"]
    subprocess.run([*pip, "--no-deps", "--no-index", wheel], check=True)
    return next((environment / "lib").glob("python*/site-packages"))


def place_of(name: str) -> Path:
    """Where the tests' own environment has a module or package."""
    spec = find_spec(name)
    assert spec is not None
    places = spec.submodule_search_locations
    return Path(next(iter(places)) if places else str(spec.origin))


def runner(folder: Path) -> Run:
    """Runs a command of the environment in a folder, as somebody does who has no checkout."""
    (folder / "elsewhere").mkdir()

    def run(command: str | Path, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [folder / "environment" / "bin" / command, *arguments],
            cwd=folder / "elsewhere",
            env={"PATH": "/usr/bin:/bin"},  # no PYTHONPATH, and not the folder of the sources
            capture_output=True,
            text=True,
            check=False,
            timeout=100,
        )

    return run


@pytest.fixture(scope="module")
def base(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Run a command of an environment that holds the wheel, grpcio and protobuf, and nothing else."""
    folder = tmp_path_factory.mktemp("base")
    site = installed(wheel, folder)
    for name in BASE:  # linked, so that nothing is fetched and nothing beside them can be imported
        source = place_of(name)
        (site / source.name).symlink_to(source)
    return runner(folder)


@pytest.fixture(scope="module")
def server(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Run a command of an environment that holds the wheel, and has all that the extra brings."""
    folder = tmp_path_factory.mktemp("server")
    site = installed(wheel, folder)
    # After its own packages it looks where the tests' environment has its own; the wheel is found first.
    homes = {place_of(name).parent for name in (*BASE, *NEEDED, "grpc_health", "grpc_reflection")}
    (site / "tests.pth").write_text("".join(f"{home}\n" for home in homes))
    return runner(folder)


def test_wheel_holds_three_packages_and_its_own_data(names: set[PurePosixPath]) -> None:
    """At the top of the wheel there are the three packages and the metadata, so that it overwrites nobody's files."""
    tops = {name.parts[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == set(PACKAGES)
    assert len(tops) == len(PACKAGES) + 1


def test_wheel_holds_every_source(names: set[PurePosixPath]) -> None:
    """Every Python source and stub of the packages is in the wheel, with the marks of a typed package."""
    patterns = ("*.py", "*.pyi", "py.typed")
    paths = {path for package in PACKAGES for pattern in patterns for path in (ROOT / package).rglob(pattern)}
    sources = {PurePosixPath(path.relative_to(ROOT).as_posix()) for path in paths}
    assert sources <= names
    assert {PurePosixPath("arena/py.typed"), PurePosixPath("engine/py.typed")} <= names


def test_wheel_holds_the_rules_of_every_game(names: set[PurePosixPath]) -> None:
    """Each game's folder brings its RULES.md along."""
    games = {path.parent.name for path in (ROOT / "engine" / "games").glob("*/__init__.py")}
    assert games
    assert {PurePosixPath(f"engine/games/{game}/RULES.md") for game in games} <= names


def test_wheel_holds_no_tests_and_nothing_that_was_built(names: set[PurePosixPath]) -> None:
    """Of the sample bots in other languages there are the sources alone; the project's own tests stay outside."""
    assert not [name for name in names if "tests" in name.parts or name.suffix in (".pyc", ".binpb")]
    assert not [name for name in names if name.name == "planted.txt"]
    stubs = [name for name in names if "_pb2" in name.name or name.suffixes[-2:] == [".pb", ".go"]]
    assert {name.parts[:2] for name in stubs} == {("arena", "v1")}


def test_wheel_holds_what_new_bots_start_from(names: set[PurePosixPath]) -> None:
    """Every source of each sample folder, the protocol with its pages, and the worked example of a deck."""
    wanted = {PurePosixPath("sample_bots/vectors/deck.json")}
    for language in LANGUAGES.values():
        sources, outside = sources_of(language, ROOT / "sample_bots")
        wanted |= {PurePosixPath("sample_bots", language.folder, place) for place in sources}
        wanted |= {PurePosixPath("sample_bots/proto", place) for place in outside["proto"]}
    assert PurePosixPath("sample_bots/proto/arena/v1/play.proto") in wanted
    assert PurePosixPath("sample_bots/node/.npmrc") in wanted
    assert wanted <= names


def test_base_install_needs_grpcio_and_protobuf_alone(wheel: Path) -> None:
    """The metadata asks a bot author for two packages; all else is in the extra."""
    with zipfile.ZipFile(wheel) as archive:
        name = next(name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        lines = archive.read(name).decode().splitlines()
    needed = [line.removeprefix("Requires-Dist: ") for line in lines if line.startswith("Requires-Dist: ")]
    unconditional = {re.split(r"[<>=]", need)[0] for need in needed if "extra ==" not in need}
    assert unconditional == {"grpcio", "protobuf"}


def test_sdk_and_sample_bots_load_from_the_base_install(base: Run) -> None:
    """A bot imports its SDK, and the sample bots run, where trio and the server's packages are not installed."""
    program = """
import sys, arena.bot, arena.bot.local, sample_bots.python.random_bot, sample_bots.python.steady_bot
assert "environment" in arena.bot.__file__, arena.bot.__file__
strays = {"trio", "click", "rich", "sqlalchemy", "zstandard"} & set(sys.modules)
assert not strays, strays
"""
    done = base("python", "-W", "error", "-c", program)
    assert done.returncode == 0, done.stderr


def test_base_install_says_what_the_command_line_needs(base: Run) -> None:
    """`arena` without the extra says in one line what to install, with exit code 2."""
    done = base("arena", "--help")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "pip install 'drawbridge-arena[server]'" in done.stderr


def test_demo_plays_from_an_install_without_a_checkout(server: Run) -> None:
    """With the extra, `arena demo` in an empty folder plays to the end; its last line is a command that proves it."""
    where = server("python", "-c", "import arena, sample_bots; print(arena.__file__, sample_bots.__file__)")
    assert where.stdout.count("environment") == 2, where.stderr
    demo = server("arena", "demo")
    assert (demo.returncode, demo.stderr) == (0, ""), demo.stderr
    command, *words = shlex.split(demo.stdout.splitlines()[-1])
    assert words[:2] == ["replay", "verify"]
    proof = server(command, *words)
    assert proof.returncode == 0, proof.stdout + proof.stderr
    assert re.search(r"^match demo/\w+: proved", proof.stdout, re.MULTILINE)


@pytest.mark.parametrize("code", LANGUAGES)
def test_new_bot_writes_the_same_from_an_install(server: Run, code: str) -> None:
    """`arena new-bot` of an installed wheel writes what it writes in a checkout."""
    done = server("arena", "new-bot", f"heron-{code}", "--language", code)
    assert (done.returncode, done.stderr) == (0, "")
    folder = Path(
        server("python", "-c", f"import pathlib; print(pathlib.Path('heron-{code}').resolve())").stdout.strip()
    )
    written = {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob("*") if path.is_file()}
    language = LANGUAGES[code]
    assert written == fitted(language, f"heron-{code}", *sources_of(language, ROOT / "sample_bots"))


def test_lower_bounds_are_those_that_are_tested(project: dict[str, Any]) -> None:
    """The oldest environment pins exactly the lower bound of every dependency."""
    table = project["project"]
    needs = [*table["dependencies"], *table["optional-dependencies"]["server"]]
    bounds = dict(need.split(",")[0].split(">=") for need in needs)
    pins = dict(pin.split("==") for pin in project["dependency-groups"]["oldest"])

    def padded(version: str) -> tuple[int, ...]:
        return tuple(map(int, (version + ".0.0").split(".")))[:3]

    assert {name: padded(bound) for name, bound in bounds.items()} == {name: padded(pins[name]) for name in bounds}
