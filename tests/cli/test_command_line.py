"""The command line as a whole: help, version, mistakes, and what is not loaded."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess

import click
import pytest
from click.testing import Result

from arena.cli.app import COMMANDS
from arena.cli.app import arena as group
from arena.cli.complaint import complaint
from arena.errors import ArenaError

Run = Callable[..., Result]
Process = Callable[..., CompletedProcess[str]]
Complaint = Callable[[Result], str]


def _all_commands() -> list[tuple[str, click.Command]]:
    found = []
    for name, lazy in COMMANDS.items():
        command = lazy.load()
        found.append((name, command))
        if isinstance(command, click.Group):
            ctx = click.Context(command)
            inner = [(each, command.get_command(ctx, each)) for each in command.list_commands(ctx)]
            found += [(f"{name} {each}", one) for each, one in inner if one is not None]
    return found


def test_help_names_every_command(run: Run) -> None:
    """`arena --help` lists all commands and ends well."""
    result = run("--help")
    assert result.exit_code == 0
    assert all(f"  {name} " in result.stdout for name in COMMANDS)


@pytest.mark.parametrize(
    "args",
    [
        ["--help"],
        ["replay", "--help"],
        ["match", "--help"],
        ["demo", "-h"],
        ["serve", "-h"],
        ["bridge", "-h"],
        ["new-bot", "-h"],
    ],
)
def test_a_help_page_loads_no_arena(process: Process, args: list[str]) -> None:
    """Neither trio nor sqlalchemy nor rich nor grpc is imported for it, so it is there at once."""
    code = (
        "import sys; from arena.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print(sorted({'trio', 'sqlalchemy', 'rich', 'grpc', 'google.protobuf'} & set(sys.modules)))"
    )
    result = process("-c", code, *args)
    assert result.stdout.startswith("Usage: arena")
    assert result.stdout.splitlines()[-1] == "[]", result.stderr


def test_the_list_of_commands_says_what_they_say_themselves() -> None:
    """The line of a command in `arena --help` is the first line of its own help."""
    for name, lazy in COMMANDS.items():
        assert (lazy.load().help or "").splitlines()[0].startswith(lazy.help.rstrip(".")), name


@pytest.mark.parametrize("name", [name for name, _ in _all_commands()])
def test_every_help_page_has_examples_and_defaults(run: Run, name: str) -> None:
    """`arena COMMAND --help` shows an example that starts with `arena`, and the defaults of its options."""
    page = run(*name.split(), "--help").stdout
    assert "Examples:" in page or "Commands:" in page
    assert f"arena {name.split(maxsplit=1)[0]}" in page
    for option in (param for param in dict(_all_commands())[name].params if isinstance(param, click.Option)):
        assert option.help, option.name
        takes_a_value_by_default = not option.is_flag and not option.multiple and option.default not in (None, "")
        assert not takes_a_value_by_default or option.show_default, option.name


def test_data_and_json_are_options_everywhere() -> None:
    """Every command takes --data, and prints one document with --json; not a server, nor what has a form of its own.

    The bridge is a bot: it has the options of bots. A check of a bot leaves nothing in a data folder, nor does a folder
    for a new one.
    """
    commands = {name: command for name, command in _all_commands() if not isinstance(command, click.Group)}
    del commands["bridge"]
    options = {name: {word for param in command.params for word in param.opts} for name, command in commands.items()}
    assert commands
    assert [name for name in commands if "--data" not in options[name]] == ["new-bot", "check-bot"]
    assert [name for name in commands if "--json" not in options[name]] == ["serve", "replay export", "results export"]


def test_no_arguments_print_the_help_page(run: Run) -> None:
    """`arena` alone shows the help page; it is a mistake nevertheless."""
    result = run()
    assert result.exit_code == 2
    assert result.stdout.startswith("Usage: arena ")


def test_version_is_one_line(run: Run) -> None:
    """`arena --version` says name and version."""
    result = run("--version")
    assert result.exit_code == 0
    name, version = result.stdout.split()
    assert name == "arena"
    assert version[0].isdigit()


def test_without_the_server_extra_there_is_one_clear_line(process: Process, tmp_path: Path) -> None:
    """A base install says how to get the command line, also when click itself is missing."""
    code = (
        "import sys, importlib.util as u\n"
        "real = u.find_spec\n"
        "u.find_spec = lambda name, package=None: None if name in ('click', 'trio') else real(name, package)\n"
        "sys.modules['click'] = None\n"
        "from arena.cli import main; main()"
    )
    result = process("-c", code, cwd=tmp_path)
    assert result.returncode == 2
    assert result.stdout == ""
    assert result.stderr == (
        "arena: click, trio not installed: pip install 'drawbridge-arena[server]' brings the command line\n"
    )


@pytest.mark.parametrize(
    ("args", "line"),
    [
        (["ratngs"], "there is no command ratngs; did you mean ratings? (see arena --help)"),
        (["--versoin"], "there is no option --versoin; did you mean --version? (see arena --help)"),
        (["games", "--jsn"], "there is no option --jsn; did you mean --json? (see arena games --help)"),
        (["replay", "shw"], "there is no command shw; did you mean show? (see arena replay --help)"),
        (["replay", "show"], "MATCH is missing (see arena replay show --help)"),
    ],
)
def test_a_mistyped_word_is_answered_with_the_nearest(
    run: Run, complaint_of: Complaint, args: list[str], line: str
) -> None:
    """An unknown command or option gets one line that names the word most like it."""
    assert complaint_of(run(*args)) == line


def test_an_unknown_command_far_from_all_names_them_all(run: Run, complaint_of: Complaint) -> None:
    """A word like nothing known is answered with the list."""
    assert complaint_of(run("xyzzy")).startswith("there is no command xyzzy: there are demo, match, tournament, gate, ")


def test_mistakes_of_parallel_tasks_are_one_line() -> None:
    """A group of mistakes gives the first one's line; a group with a fault of our own is none of the user's.

    That a reader has left is nothing to tell, alone or beside something that is.
    """
    mistake, left = ArenaError("the port is taken"), BrokenPipeError()
    line = ("the port is taken", mistake.exit_code)
    assert complaint(ExceptionGroup("", [ExceptionGroup("", [mistake]), mistake])) == line
    assert complaint(ExceptionGroup("", [mistake, KeyError("x")])) is None
    assert complaint(ExceptionGroup("", [ExceptionGroup("", [left]), left])) == ("", 141)
    assert complaint(ExceptionGroup("", [left, mistake])) == line
    assert complaint(ExceptionGroup("", [left, KeyError("x")])) is None


def test_a_fault_of_the_arena_keeps_its_traceback(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """An error that is no mistake of the user's is not dressed up as one."""

    def broken() -> None:
        raise KeyError("inside")

    monkeypatch.setattr("arena.cli.games.registered", broken)
    with pytest.raises(KeyError, match="inside"):
        run("games")


def test_a_line_holds_nothing_that_a_terminal_obeys(run: Run) -> None:
    """Control characters of what was typed are shown, not sent to the terminal."""
    result = run("\x1b[31m\nx")
    assert "\x1b" not in result.stderr
    assert result.stderr.count("\n") == 1


def test_the_group_is_the_one_that_the_entry_point_runs() -> None:
    """Commands found by the tests are those of `arena`."""
    assert list(COMMANDS) == group.list_commands(click.Context(group))
    assert json.dumps(list(COMMANDS))
