"""Bots as programs of their own: what they are called, how they start, where their words go, how they leave."""

from __future__ import annotations

import os
import re
import shlex
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import pytest
import trio
from hypothesis import given
from hypothesis import strategies as st

from arena import launch
from arena.errors import ArenaError
from arena.launch import BotFailedError, BotProgram, RunningBot, programs_of, start
from arena.output import KEPT, Output


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("python steady_bot.py", "steady_bot"),
        ("python3.11 -u bots/steady_bot.py --fast", "steady_bot"),
        ("/usr/bin/python3 -m sample_bots.python.random_bot", "random_bot"),
        ("./steady", "steady"),
        ("target/release/steady-1.2", "steady-1.2"),
        ("node bot.mjs", "bot"),
        ("lua my.bot.lua", "my.bot"),
        ("uv run --script steady.py", "steady"),
        ("java -jar build/deep.jar", "deep"),
        ("go run ./bot.go", "bot"),
        ("env SEED=3 ./clever", "clever"),
        ("'my bot.py'", "my-bot"),
        ("python", "python"),
        ("./" + "x" * 40, "x" * 32),
        ("./ü", "bot"),
        ("arena bridge --text -- ./heron.exe --fast", "heron"),
        ("python -m arena.bot.bridge -- awk -W interactive -f sample_bots/awk/awk_bot.awk", "awk_bot"),
        ("arena bridge --", "arena"),
        ("./steady -- bridge", "steady"),
    ],
)
def test_a_bot_is_called_after_its_program(command: str, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name is that of the first word that is no option, setting or interpreter, without folder and ending.

    Behind a bridge it is that of the program.
    """
    monkeypatch.chdir(Path(__file__).parents[2])
    (program,) = programs_of([command])
    assert program.name == name


def test_bots_of_one_program_are_told_apart() -> None:
    """The second bot of a name is NAME-2, and so on, also where a program is called that; none is too long."""
    names = [program.name for program in programs_of(["./a", "./a", "./a-2", "./a", "./" + "x" * 40, "./" + "x" * 40])]
    assert names == ["a", "a-2", "a-2-2", "a-3", "x" * 32, "x" * 28 + "-2"]


@pytest.mark.parametrize(
    ("commands", "names"),
    [
        ("python my_bot.py|python old/my_bot.py", "my_bot old-my_bot"),
        ("python old/my_bot.py|python my_bot.py", "old-my_bot my_bot"),
        ("./my_bot.py|node ./js/my_bot.js|other/my_bot", "my_bot js-my_bot other-my_bot"),
        ("new/src/bot.py|old/src/bot.py", "new-bot old-bot"),
        ("a/src/bot|b/src/bot|b/lib/bot", "a-src-bot b-src-bot b-lib-bot"),
        ("/home/a/bot/run.py|/home/b/bot/run.py --deep", "a-run b-run"),
        ("bots/./bot.py|bots/x/../bot.py", "bot bot-2"),
        ("python -m bots.new.steady|python -m bots.old.steady", "new-steady old-steady"),
        ("python -m steady|python bots/steady.py", "steady bots-steady"),
        ("arena bridge -- awk -f new/heron.awk|arena bridge -- awk -f old/heron.awk", "awk awk-2"),
        ("arena bridge -- new/heron|arena bridge --text -- old/heron", "new-heron old-heron"),
        ("bot --depth 3|bot --depth 4", "bot bot-2"),
        ("x/bot|y/bot|bot|x-bot", "x-bot y-bot bot x-bot-2"),
        ("ü/bot|ö/bot", "bot bot-2"),
        (f"{'x' * 40}/bot|{'x' * 40}y/bot", f"{'x' * 32} {'x' * 28}-2"),
    ],
)
def test_bots_in_different_folders_are_called_by_these(commands: str, names: str) -> None:
    """Programs of one name have in front what differs in their paths, and are numbered when that does not tell them."""
    assert " ".join(program.name for program in programs_of(commands.split("|"))) == names


def test_a_way_up_is_called_by_the_folder_to_which_it_leads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`..` tells nobody anything: the folder's own name does."""
    (tmp_path / "old" / "deep").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "old" / "deep")
    assert [program.name for program in programs_of(["./bot.py", "../bot.py"])] == ["bot", "old-bot"]


WORD: Final = st.text("ab./-ü", min_size=1, max_size=40)


@given(st.lists(st.lists(WORD, min_size=1, max_size=3), min_size=1, max_size=6))
def test_names_of_bots_can_be_used(commands: list[list[str]]) -> None:
    """Whatever the commands, names are allowed for bots, no two are the same, and the same commands have the same."""
    lines = [shlex.join(words) for words in commands]
    names = [program.name for program in programs_of(lines)]
    assert all(re.fullmatch(r"[A-Za-z0-9._-]{1,32}", name) for name in names)
    assert len(set(names)) == len(names)
    assert names == [program.name for program in programs_of(lines)]


def test_words_are_split_as_a_shell_does() -> None:
    """Quotes keep words together; nothing is expanded."""
    (program,) = programs_of(["bot --name 'a b' $HOME"])
    assert program.argv == ("bot", "--name", "a b", "$HOME")


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("", "a bot command is empty: give the words that start a bot, such as 'python my_bot.py'"),
        ("   ", "a bot command is empty: give the words that start a bot, such as 'python my_bot.py'"),
        ("python 'bot.py", 'the bot command "python \'bot.py" cannot be read: No closing quotation'),
    ],
)
def test_a_command_that_is_none_gets_one_line(command: str, text: str) -> None:
    """An empty command, or one whose quotes do not close, is refused in words."""
    with pytest.raises(ArenaError) as caught:
        programs_of(["python good.py", command])
    assert str(caught.value) == text


Starting = Callable[..., Awaitable[RunningBot]]


@pytest.fixture
def run(tmp_path: Path, nursery: trio.Nursery) -> Starting:
    """Starts Python with a code as bot x."""

    async def begin(code: str, **contract: str) -> RunningBot:
        program = BotProgram("x", (sys.executable, "-c", code))
        return await start(program, contract, tmp_path / "logs" / "x.stderr", nursery)

    return begin


async def test_all_that_a_bot_says_is_kept(run: Starting) -> None:
    """Both streams of a bot's output go to its file, behind what is there; `tail` is the end of it."""
    code = "import os, sys; print(os.environ['ARENA_SEED']); sys.stdout.flush(); print('oh', 'no', file=sys.stderr)"
    for seed in ("1", "2"):
        bot = await run(code, ARENA_SEED=seed)
        assert await bot.ended() == 0
    assert bot.stderr.read_text() == "1\noh no\n2\noh no\n"
    assert bot.tail(2) == "2\noh no"


async def test_the_end_of_much_is_short(run: Starting) -> None:
    """P64: of a bot that says very much, `tail` reads the end alone, whatever bytes it is."""
    bot = await run("import sys; sys.stdout.buffer.write(b'\\xff' * 5_000_000 + b'\\nlast')")
    await bot.ended()
    assert bot.tail(1) == "last"
    assert len(bot.tail()) < 5000
    assert bot.stderr.stat().st_size <= KEPT


async def test_the_beginning_and_the_newest_are_kept(run: Starting) -> None:
    """P64: of output without end the file holds the first words and the last, and says how much is missing between."""
    bot = await run("print('first'); [print('x' * 9_999) for _ in range(500)]; print('last')")
    await bot.ended()
    text = bot.stderr.read_text()
    assert (text[:6], text[-6:]) == ("first\n", "\nlast\n")
    missing = re.search(r"\n\[(\d+) bytes are left out here\]\n", text)
    assert missing is not None
    assert int(missing[1]) + len(text) - len(missing[0]) == 500 * 10_000 + 11


async def test_what_a_bot_printed_before_stays_within_the_same_bound(run: Starting) -> None:
    """P64: a bot that is started again and again has one file, of one size, with its latest words."""
    for number in range(4):
        bot = await run(f"import sys; sys.stdout.write('{number}' * 200_000)")
        await bot.ended()
    kept = bot.stderr.read_bytes()
    assert len(kept) <= KEPT
    assert kept.startswith(b"0" * 200_000 + b"1")
    assert kept.endswith(b"3" * 200_000)


def test_a_full_disk_takes_no_words_and_hurts_nobody(tmp_path: Path) -> None:
    """P64: what cannot be written is lost, and its end can still be told."""
    output = Output(tmp_path / "x.stderr", 1000)
    output._file.close()
    output._file = Path("/dev/full").open("rb+", buffering=0)  # noqa: SIM115 # closed by the output
    output.take(b"a" * 600 + b"\nend")
    output.close()
    assert output.tail(1) == "end"


async def test_the_memory_of_a_bot_is_that_of_all_it_started(tmp_path: Path, nursery: trio.Nursery) -> None:
    """A shell that starts a bot has the bot's memory counted as its own."""
    script = "import time; held = b'x' * 64_000_000; print('ready', flush=True); time.sleep(60)"
    shell = BotProgram("x", ("sh", "-c", f'"{sys.executable}" -c "{script}"; true'))
    bot = await start(shell, {}, tmp_path / "x.stderr", nursery)
    await until_said(bot, "ready")
    assert 60 < bot.resident_mib() < 300
    await bot.leave(at_once=True)
    assert bot.resident_mib() == 0


async def test_a_bot_reads_nothing(run: Starting) -> None:
    """A bot's input is empty: it cannot take the keyboard from the arena."""
    bot = await run("import sys; sys.exit(len(sys.stdin.read()))")
    assert await bot.process.wait() == 0


def write(path: Path, text: str, mode: int) -> str:
    """A file, and its name."""
    path.write_text(text)
    path.chmod(mode)
    return str(path)


async def test_a_program_that_is_not_there_gets_one_line(tmp_path: Path, nursery: trio.Nursery) -> None:
    """A missing program, a file that is none, and one that the system cannot run are told apart."""
    plain = write(tmp_path / "plain.py", "print()", 0o600)
    garbage = write(tmp_path / "garbage", "neither script nor binary", 0o700)
    for command, text in (
        ("no-such-program", "there is no program 'no-such-program'"),
        (str(tmp_path), f"{str(tmp_path)!r} is a folder: name the program in it, or what runs it"),
        ("A=1 node x.js", "no shell reads its command, so 'A=1' sets nothing: write 'env A=1 node x.js'"),
        ("nowhere && x", "there is no program 'nowhere', and no shell reads its command: for one, write sh -c '...'"),
        (plain, f"{plain!r} is a file that is no program: make it executable, or write what runs it in front"),
        (garbage, "Exec format error"),
    ):
        with pytest.raises(BotFailedError) as caught:
            await start(BotProgram("x", tuple(command.split())), {}, tmp_path / "x.stderr", nursery)
        assert str(caught.value) == f"bot x does not start: {text}"


SAY_READY = "print('ready\\n', end='', flush=True); "  # in one piece, also where output is not buffered


async def until_said(bot: RunningBot, word: str) -> None:
    """Wait for a word in the bot's output."""
    for _ in range(1000):
        if word in bot.tail():
            return
        await trio.sleep(0.01)
    raise AssertionError(f"the bot said {bot.tail()!r}")


async def test_a_bot_leaves_when_it_is_told(run: Starting) -> None:
    """SIGTERM is the word to leave; a bot that obeys is not killed."""
    code = "import signal, sys, time; signal.signal(15, lambda *_: sys.exit(7)); " + SAY_READY + "time.sleep(60)"
    bot = await run(code)
    await until_said(bot, "ready")
    await bot.leave()
    assert bot.process.returncode == 7


@pytest.mark.parametrize("at_once", [False, True])
async def test_a_bot_that_does_not_leave_is_made_to(
    run: Starting,
    monkeypatch: pytest.MonkeyPatch,
    at_once: bool,  # noqa: FBT001 # a parameter
) -> None:
    """A bot that does not obey is killed after a while, or at once where nobody waits for it."""
    monkeypatch.setattr(launch, "LEAVE_SECONDS", 60.0 if at_once else 0.2)
    code = "import signal, time; signal.signal(15, lambda *_: print('heard', flush=True)); " + SAY_READY
    bot = await run(code + "[time.sleep(1) for _ in range(60)]")
    await until_said(bot, "ready")
    with trio.fail_after(10):
        await bot.leave(at_once=at_once)
    assert bot.process.returncode == -signal.SIGKILL
    assert ("heard" in bot.tail()) is not at_once


async def test_nothing_that_a_bot_started_stays(tmp_path: Path, nursery: trio.Nursery) -> None:
    """A bot that is started by a shell hears the word to leave as well, and does not outlive the shell."""
    script = "import os, time; os.write(1, b'child %d' % os.getpid()); time.sleep(60)"
    bot = await start(
        BotProgram("x", ("sh", "-c", f'"{sys.executable}" -c "{script}"; true')), {}, tmp_path / "x.stderr", nursery
    )
    await until_said(bot, "child")
    child = int(bot.tail().split()[1])
    await bot.leave()
    for _ in range(500):
        if not lives(child):
            return
        await trio.sleep(0.01)
    raise AssertionError("it lives")


def lives(process: int) -> bool:
    """It is there, and not only as an entry that nobody has taken note of yet."""
    try:
        os.kill(process, 0)
        return Path(f"/proc/{process}/stat").read_text().split()[2] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


async def test_the_last_words_of_a_bot_that_leaves_are_kept(tmp_path: Path) -> None:
    """What a bot prints when it is told to leave is kept, though all around it is cancelled by then."""
    code = (
        "import signal, sys, time; signal.signal(15, lambda *_: sys.exit('so long')); " + SAY_READY + "time.sleep(60)"
    )
    async with trio.open_nursery() as own:
        bot = await start(BotProgram("x", (sys.executable, "-c", code)), {}, tmp_path / "x.stderr", own)
        await until_said(bot, "ready")
        own.cancel_scope.cancel()
        with trio.CancelScope(shield=True):
            await bot.leave()
    assert bot.stderr.read_text() == "ready\nso long\n"


async def test_to_leave_twice_is_no_fault(run: Starting) -> None:
    """A bot that has ended can be told to leave: nothing happens."""
    bot = await run("pass")
    await bot.process.wait()
    await bot.leave()
    await bot.leave(at_once=True)
    assert bot.process.returncode == 0


async def test_output_that_cannot_be_kept(tmp_path: Path, nursery: trio.Nursery) -> None:
    """A bot whose output has no place to go does not start, in one line that says where it should have gone."""
    (tmp_path / "logs").touch()
    program = BotProgram("a", (sys.executable, "-c", "pass"))
    with pytest.raises(BotFailedError, match=r"does not start: cannot write .*logs/a\.stderr: ") as caught:
        await start(program, {}, tmp_path / "logs" / "a.stderr", nursery)
    assert len(str(caught.value).splitlines()) == 1
