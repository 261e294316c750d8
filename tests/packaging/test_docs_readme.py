"""The README keeps its word: its first bot is short, and plays as the page says it does."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli.app import arena

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
MATCHES = 4


def first_bot() -> str:
    """The source on the page."""
    blocks: list[str] = re.findall(r"^```python\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    assert len(blocks) == 1
    return blocks[0]


def steps() -> list[str]:
    """The commands of the job on the page."""
    (job,) = re.findall(r"^```yaml\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    commands: list[str] = re.findall(r"^ +- run: (.*)", job, re.MULTILINE)
    return commands


def test_first_bot_is_short() -> None:
    """The first bot has fewer than 30 lines."""
    assert len(first_bot().splitlines()) < 30


def test_first_bot_plays(tmp_path: Path) -> None:
    """Saved under the name that the page gives it, and started by the command that it gives, the first bot plays well.

    All matches end by the rules, none by a fault of the bot's, and it answers nothing that is refused.
    """
    (tmp_path / "my_bot.py").write_text(first_bot())
    line = next(line for line in README.splitlines() if line.startswith("    arena match "))
    words = shlex.split(line)
    words[words.index("--matches") + 1] = str(MATCHES)
    tools = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        [sys.executable, "-m", "arena.cli", *words[1:], "--seed", "1", "--data", tmp_path / "data", "--json"],
        cwd=tmp_path,
        env={**os.environ, "PATH": tools, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    outcome = json.loads(done.stdout)
    assert outcome["terminations"] == {"score": MATCHES}
    assert {bot["bot"] for bot in outcome["bots"]} == {"my_bot", "random_bot"}
    said = [log.read_text() for log in (tmp_path / "data" / "logs").rglob("my_bot*")]
    assert not re.search("refused|Traceback", "".join(said))


def test_the_job_installs_what_has_the_command() -> None:
    """What its first step installs is this project with the extra that brings the command line."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (wanted,) = shlex.split(steps()[0].removeprefix("pip install "))
    name, extra = wanted.rstrip("]").split("[")
    assert name == project["name"]
    assert any(need.startswith("click") for need in project["optional-dependencies"][extra])


def test_the_job_judges_a_change(tmp_path: Path) -> None:
    """Its second step, in a folder laid out as the ones before leave it, ends as the page says, with a report.

    Of two versions that play the same neither is better, so a small budget leaves it undecided; an old version that
    does not start is a mistake. In both cases the data folder is where the last step looks for it.
    """
    (tmp_path / "old").mkdir()
    for folder in (tmp_path, tmp_path / "old"):
        (folder / "my_bot.py").write_text(first_bot())
    gate = steps()[1].replace("--sets 500", "--sets 1 --seed 1")
    assert "--sets 1 " in gate

    def run(command: str) -> int:
        tools = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        where = {**os.environ, "PATH": tools, "PYTHONPATH": str(ROOT)}
        return subprocess.run(["sh", "-c", command], cwd=tmp_path, env=where, check=False, timeout=100).returncode

    assert run(gate) == 3
    report = json.loads((tmp_path / "gate.json").read_text())
    assert (report["verdict"], report["sets"], report["terminations"]) == ("undecided", 1, {"score": 2})
    assert (tmp_path / "arena-data").is_dir()
    (lenient,) = re.findall(r"`(\|\| [^`]*)`", README)
    assert run(f"(exit 3) {lenient}") == 0
    assert run(f"(exit 1) {lenient}") == 1
    (tmp_path / "old" / "my_bot.py").unlink()
    assert run(gate) == 2


def test_the_page_says_what_the_exit_code_of_the_job_means() -> None:
    """In the words of `arena gate --help`, all four."""
    shown = CliRunner().invoke(arena, ["gate", "--help"]).output
    told = " ".join(README[README.index("The exit code is the verdict") :].split())
    (codes,) = re.findall(r"Exit code: (.*)\.", " ".join(shown.split()))
    assert [code[:2] for code in codes.split(", ")] == ["0 ", "1 ", "2 ", "3 "]
    assert codes in told


@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "proto/README.md",
        "proto/german-whist.md",
        "proto/smear.md",
        "sample_bots/README.md",
        "sample_bots/first/README.md",
        "sample_bots/python/README.md",
    ],
)
def test_links_lead_somewhere(page: str) -> None:
    """Every link to a file of the project, or to a heading of the page, leads there."""
    text = (ROOT / page).read_text()
    titles = re.findall(r"^#+ (.*)", text, re.MULTILINE)
    headings = {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
    links = [link for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]
    lost = [link for link in links if link.startswith("#") and link[1:] not in headings]
    lost += [link for link in links if not link.startswith("#") and not ((ROOT / page).parent / link).exists()]
    assert lost == []


def test_tests_that_show_a_promise_are_there() -> None:
    """Every test that the pages name as the proof of something exists, and the security section names some."""
    security = README.partition("## Security")[2].partition("\n## ")[0]
    assert len(re.findall(r"`tests/[\w/.]+`", security)) > 10
    pages = "".join((ROOT / page).read_text() for page in ("README.md", "CONTRIBUTING.md", "proto/README.md"))
    assert [name for name in re.findall(r"`(tests/[\w/.]+)`", pages) if not (ROOT / name).exists()] == []


def test_targets_of_make_are_there() -> None:
    """Every `make TARGET` on the pages is a target of the Makefile."""
    pages = "".join((ROOT / page).read_text() for page in ("README.md", "CONTRIBUTING.md"))
    named = set(re.findall(r"(?:^    |`)make ([a-z-]+)", pages, re.MULTILINE))
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert named
    assert named <= targets


def test_environment_variables_are_heeded() -> None:
    """Every ARENA_... variable on the pages is one that a source reads or sets."""
    pages = "".join((ROOT / page).read_text() for page in ("README.md", "CONTRIBUTING.md", "proto/README.md"))
    named = set(re.findall(r"\bARENA_[A-Z_]+\b", pages))
    paths = [path for top in ("arena", "tests") for path in (ROOT / top).rglob("*.py") if path != Path(__file__)]
    heeded = {name for path in paths for name in re.findall(r"\bARENA_[A-Z_]+\b", path.read_text())}
    assert {"ARENA_SERVER", "ARENA_DATA", "ARENA_UPDATE_GOLDENS"} <= named
    assert named <= heeded
