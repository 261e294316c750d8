"""Programs behind the line bridge: what they play, and what becomes of those that fail."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena.bot import Answer, Bot, Choice, Decision, Settings
from arena.bot.bot import BotError, BotFailed
from arena.bot.bridge.bridged import Bridged
from arena.bot.bridge.child import Child
from arena.bot.bridge.forms import DICE, json_lines, text_lines
from arena.bot.bridge.naming import called
from arena.bot.bridge.program import Bridge
from arena.bot.local import play_match
from arena.bot.testing import goodbye, rejected, welcome
from arena.v1 import event_pb2, play_pb2
from bare_messages import asked, both, ended, happened, offered, resumed, started
from engine.effect import Rejection
from engine.game import Game
from engine.states import Termination
from playing import every_game
from stream_scripts import OneScriptArena, Responses, Talk, one_match

Serve = Callable[..., OneScriptArena]
Start = Callable[..., Bridged]

JSON_BOT = """
import json, sys
for line in sys.stdin:
    told = json.loads(line)
    if told["kind"] == "decision":
        action = told["legal"][told["dice"] % len(told["legal"])]
        print(json.dumps({"action": action, "note": told["view"]["phase"]}), flush=True)
"""
TEXT_BOT = """
import sys
for line in sys.stdin:
    words = line.split()
    match words[0]:
        case "decision": legal = []
        case "phase": phase = words[1]
        case "legal": legal.append(" ".join(words[2:]))
        case "dice": dice = int(words[1])
        case "choose": print(legal[dice % len(legal)], "#", phase, flush=True)
"""
SLOW = "import sys\nfor line in sys.stdin:\n    if '\"decision\"' in line: "
"""Answers a decision with what follows."""


def python(source: str) -> list[str]:
    """The command that runs it."""
    return [sys.executable, "-S", "-c", source]


@pytest.fixture
def said() -> list[str]:
    """What the bridge has said to people."""
    return []


@pytest.fixture
def start(said: list[str]) -> Iterator[Start]:
    """Starts programs as bots, for play in this process, and ends them."""
    children: list[Child] = []

    def begin(source: str, *, text: bool = False) -> Bridged:
        child = Child(python(source), {}, say=said.append, gone=lambda failure: said.append(str(failure)))
        children.append(child)
        return Bridged(child, form=text_lines if text else json_lines, say=said.append)

    yield begin
    for child in children:
        child.stop()
    for child in children:
        child.wait()


def in_process(decision: Decision) -> Answer:
    """The policy of JSON_BOT and TEXT_BOT as a function."""
    return Choice(decision.legal[decision.dice.randrange(DICE) % len(decision.legal)], decision.phase)


@every_game
@pytest.mark.parametrize("text", [False, True], ids=["json", "text"])
def test_a_program_plays_what_the_same_bot_in_process_plays(
    game: Game, start: Start, said: list[str], *, text: bool
) -> None:
    """Through the bridge the same policy does the same in every match, down to its notes."""
    bots = [start(TEXT_BOT if text else JSON_BOT, text=text) for _ in game.sides]
    bridged = play_match(bots, game=game.name, seed=4)
    assert bridged.transcript == play_match([in_process] * len(game.sides), game=game.name, seed=4).transcript
    assert said == []


def against_the_first_legal(bot: Bot) -> Termination:
    """How a match of Draw Bridge against a bot without faults ends."""
    rules = {"max_deals": 1}
    return play_match([bot, lambda decision: decision.legal[0]], game="draw-bridge", rules=rules, seed=1).termination


def test_an_answer_that_is_none_is_refused_and_asked_for_again(start: Start, said: list[str]) -> None:
    """The arena refuses it, the program is told why and asked once more; each costs a strike and a line on stderr."""
    bot = start(
        "import json, sys\n"
        "refused = 0\n"
        "for line in sys.stdin:\n"
        "    told = json.loads(line)\n"
        "    if told['kind'] == 'rejected':\n"
        "        assert told['reason'] == 'malformed' and 'is no action' in told['text'], told\n"
        "        refused += 1\n"
        "    if told['kind'] == 'decision':\n"
        "        print('a card, please' if refused < 2 else 0, flush=True)\n"
    )
    assert against_the_first_legal(bot) is Termination.DEAL_LIMIT
    assert len(said) == 2
    assert said[0].startswith("decision 1: 'a card, please' is no action: answer with an index of legal")


def test_nothing_but_nonsense_loses_the_match(start: Start, said: list[str]) -> None:
    """After the last strike the match is forfeited, and the program is told of its end."""
    assert against_the_first_legal(start(SLOW + "print('x' * 70000, flush=True)")) is Termination.MALFORMED
    assert "the line is longer than 65536 bytes" in said[0]


def test_lines_that_nobody_asked_for_are_ignored_and_said_once(start: Start, said: list[str]) -> None:
    """A program that prints what it hears still plays; the first line too many is shown."""
    asking = (
        "import sys\nprint('hello', flush=True)\n"
        "for line in sys.stdin:\n    if '\"bridge\"' in line: print('again', flush=True)"
    )
    bot = start(asking)
    bot._child.stop()
    bot._child.wait()
    assert said == [r"the program wrote a line when it was not asked, ignored: b'hello\n'"]


@pytest.mark.parametrize(
    ("end", "line", "status"),
    [
        ("sys.exit(3)", "the program ended with exit code 3", 3),
        ("sys.exit(0)", "the program ended with exit code 0", 1),
        ("os.kill(os.getpid(), 9)", "the program ended by signal 9", 137),
    ],
)
def test_a_program_that_ends_fails_the_bot(start: Start, said: list[str], end: str, line: str, status: int) -> None:
    """The bridge says how it ended, once, and would leave with its exit code; one that is no success."""
    with pytest.raises(BotFailed) as caught:
        against_the_first_legal(start("import os\n" + SLOW + end))
    assert caught.value.status == status
    assert said == [line]


def test_a_program_that_does_not_leave_is_made_to(start: Start) -> None:
    """One that stays when its stdin is closed, deaf to SIGTERM as it was started, is killed."""
    bot = start("import signal, sys\nfor line in sys.stdin: pass\nsignal.pause()")
    bot._child.stop()
    bot._child.wait(grace=0.05)
    assert bot._child._process.returncode == -signal.SIGKILL
    assert bot._child.failure is None


def test_a_program_that_is_not_there_is_no_bot() -> None:
    """The line names it."""
    with pytest.raises(BotError, match="'no-such-program' cannot be started: No such file"):
        Child(["no-such-program"], {}, say=print, gone=print)


# -- with an arena


def bridge(arena: OneScriptArena, source: str, **settings: int) -> int:
    """Let a program play through a whole bridge; the exit status."""
    return Bridge(python(source), Settings(arena.address, **settings), form=json_lines, program="bridge").play()


def test_the_bridge_plays_a_match_and_leaves(serve: Serve, capfd: pytest.CaptureFixture[str]) -> None:
    """Like any bot it says two lines and leaves with status 0; the program leaves when its stdin is closed."""
    source = SLOW + "print(0, flush=True)\nprint('the program leaves', file=sys.stderr)"
    assert bridge(serve(one_match), source) == 0
    heard = capfd.readouterr().err.splitlines()
    assert heard[1:] == ["bridge: all is played", "the program leaves"]


def test_each_lane_has_a_program_that_knows_its_lane_and_no_token(
    serve: Serve, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """ARENA_LANE and the first line number it; the token is the bridge's alone."""
    monkeypatch.setenv("ARENA_TOKEN", "arena_1_secret")
    source = (
        (
            "import json, os, sys\nhello = json.loads(sys.stdin.readline())\n"
            "print(hello, os.environ['ARENA_LANE'], 'ARENA_TOKEN' in os.environ, file=sys.stderr)\n"
        )
        + SLOW
        + "print(0, flush=True)"
    )
    arena = serve(one_match)
    assert bridge(arena, source, lanes=2) == 0
    heard = capfd.readouterr().err.splitlines()
    for lane in (0, 1):
        assert f"{{'kind': 'bridge', 'version': 1, 'lane': {lane}}} {lane} False" in heard
    assert sorted(talk.hello.lane for talk in arena.talks) == [0, 1]


def test_a_program_that_dies_in_a_match_ends_the_bridge(serve: Serve, capfd: pytest.CaptureFixture[str]) -> None:
    """One line without a traceback, and the program's exit code; the arena learns that the stream has ended."""
    arena = serve(one_match)
    assert bridge(arena, SLOW + "sys.exit(7)") == 7
    assert capfd.readouterr().err.splitlines()[1:] == ["bridge: the program ended with exit code 7"]


def test_a_program_that_dies_while_it_waits_ends_the_bridge(serve: Serve, capfd: pytest.CaptureFixture[str]) -> None:
    """No match is accepted for a program that is gone."""
    said: list[play_pb2.PlayRequest] = []
    left = threading.Event()

    def wait(talk: Talk) -> Responses:
        yield welcome()
        said.extend(talk.rest())
        left.set()

    assert bridge(serve(wait), "import sys\nsys.stdin.readline()\nsys.exit(4)") == 4
    assert "bridge: the program ended with exit code 4" in capfd.readouterr().err.splitlines()


def test_a_bridge_that_comes_new_into_a_match_tells_the_deal_so_far(
    serve: Serve, capfd: pytest.CaptureFixture[str]
) -> None:
    """A program that is started in mid-match hears match_started, then the deal's events, then the question."""

    def script(talk: Talk) -> Responses:
        del talk
        yield both(
            welcome(),
            resumed(last_seq=2),
            started(),
            happened(1, deal_started=event_pb2.DealStarted(dealer=1)),
            happened(2, card_played=event_pb2.CardPlayed(seat=1, card=20)),
            asked(3),
        )
        yield both(ended(), goodbye("FINISHED"))

    source = (
        "import json, sys\nfor line in sys.stdin:\n    kind = json.loads(line)['kind']\n"
        "    print('told', kind, file=sys.stderr)\n    if kind == 'decision': print(0, flush=True)"
    )
    assert bridge(serve(script), source) == 0
    kinds = [line.split()[1] for line in capfd.readouterr().err.splitlines() if line.startswith("told ")]
    assert kinds == ["bridge", "match_started", "deal_started", "card_played", "decision", "match_ended"]


def test_a_refusal_over_the_wire_is_told_and_the_question_comes_again(
    serve: Serve, capfd: pytest.CaptureFixture[str]
) -> None:
    """An answer that is none goes to the arena as one that holds nothing, so that the arena's strikes count it."""

    def script(talk: Talk) -> Responses:
        yield both(welcome(), offered())
        talk.next()
        yield both(started(), asked(0))
        assert talk.next().choose.WhichOneof("choice") is None
        yield rejected(0, Rejection.MALFORMED, "the answer holds nothing")
        again = talk.next().choose
        assert (again.index, again.note) == (2, "then")
        yield both(ended(), goodbye("FINISHED"))

    source = (
        "import sys\nanswers = iter(['what?', 'play AS # then'])\n"
        "for line in sys.stdin:\n    if '\"decision\"' in line: print(next(answers), flush=True)"
    )
    assert bridge(serve(script), source) == 0
    assert "bridge: decision 0: 'what?' is no action" in capfd.readouterr().err


@pytest.fixture
def spawned() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts bridges as an arena does, each with its program in a group of processes of its own."""
    processes: list[subprocess.Popen[str]] = []

    def spawn(arena: OneScriptArena, source: str) -> subprocess.Popen[str]:
        words = [sys.executable, "-m", "arena.bot.bridge", "--server", arena.address, "--", *python(source)]
        processes.append(subprocess.Popen(words, stderr=subprocess.PIPE, text=True, start_new_session=True))
        return processes[-1]

    yield spawn
    for process in processes:
        process.kill()
        process.communicate()


def test_told_to_leave_with_its_program_it_finishes_the_match(
    serve: Serve, spawned: Callable[..., subprocess.Popen[str]]
) -> None:
    """SIGTERM to all processes of the bot leaves the program alive until the match in hand is over."""
    started_one = threading.Event()

    def script(talk: Talk) -> Responses:
        yield both(welcome(), offered())
        talk.next()
        yield both(started(), asked(0))
        talk.next()
        os.killpg(process.pid, signal.SIGTERM)
        yield asked(1)
        assert talk.next().choose.index == 2
        started_one.set()
        yield ended()
        talk.rest()

    process = spawned(serve(script), SLOW + "print(2, flush=True)\nprint('the program leaves', file=sys.stderr)")
    heard = process.communicate(timeout=60)[1].splitlines()
    assert process.returncode == 0
    assert started_one.is_set()
    assert heard[1:] == ["bridge: told to leave", "the program leaves"]


def test_ctrl_c_ends_both_at_once(serve: Serve, spawned: Callable[..., subprocess.Popen[str]]) -> None:
    """Also while the program thinks; the status is 130, and nothing of it stays."""

    def script(talk: Talk) -> Responses:
        yield both(welcome(), offered())
        talk.next()
        yield both(started(), asked(0))
        talk.rest()

    source = SLOW + "print('thinks', file=sys.stderr, flush=True); signal.pause()"
    process = spawned(serve(script), "import signal\n" + source)
    assert process.stderr is not None
    while "thinks" not in process.stderr.readline():
        assert process.poll() is None
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=60)[1] == ""  # its end, for the program has the same stderr
    assert process.returncode == 130


# -- the command


def command(*arguments: str, module: str = "arena.bot.bridge") -> subprocess.CompletedProcess[str]:
    """Run the bridge as people do."""
    return subprocess.run([sys.executable, "-m", module, *arguments], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--server", "127.0.0.1:1"], "there is no program to run: write it after --, as in bridge -- perl bot.pl"),
        (["--server", "127.0.0.1:1", "--"], "there is no program to run: write it after --"),
        (["--", "perl", "bot.pl"], "there is no arena to play in: give --server HOST:PORT, or set ARENA_SERVER"),
        (["--txt", "--server", "127.0.0.1:1", "--", "perl"], "unrecognized arguments: --txt"),
        (["--server", "127.0.0.1:1", "perl", "bot.pl"], "unrecognized arguments: perl bot.pl"),
        (["--server", "127.0.0.1:1", "--", "./no-such"], "'./no-such' cannot be started: No such file or directory"),
    ],
)
def test_a_wrong_command_line_is_one_line(arguments: list[str], line: str) -> None:
    """With exit status 2."""
    done = command(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"bridge: {line}")
    assert done.stderr.count("\n") == 1


def test_the_help_page_has_the_options_of_every_bot() -> None:
    """And says what the bridge's own are."""
    page = command("--help").stdout
    assert "[--text] [OPTION...] -- COMMAND..." in page
    assert "--server HOST:PORT" in page


def test_arena_bridge_is_the_same_program() -> None:
    """`arena bridge` says the same under its own name, and leaves what follows `--` to the program."""
    done = command("bridge", "--server", "127.0.0.1:1", "--", "./no-such", "--help", module="arena.cli")
    assert done.returncode == 2
    assert done.stderr == "arena bridge: './no-such' cannot be started: No such file or directory\n"


def test_a_bot_is_called_like_its_file(tmp_path: Path) -> None:
    """By the last word that is a file; without one, by the program."""
    (tmp_path / "my heron.pl").touch()
    assert called(["perl", "-w", str(tmp_path / "my heron.pl"), "--fast"]) == "my-heron"
    assert called(["/opt/bin/heron.exe"]) == "heron"
