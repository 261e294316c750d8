"""Whole arenas in made-up time with every fault at once, decided by a seed: nothing lost, nobody wronged, no end of it.

`ARENA_SEED=17 pytest tests/faults/test_simulation.py` plays one seed alone.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import trio

from arena.director import Director
from arena.replay import Journal
from engine.effect import Effect
from engine.states import Termination
from engine.table import Table
from faults.judge import judge
from faults.weather import Weather
from faults.world import Outcome, simulate

SEED = os.environ.get("ARENA_SEED")
SEEDS = range(12) if SEED is None else [int(SEED)]
FULL = 10_000
"""Matches, at full size."""


@pytest.fixture(autouse=True)
def quiet(caplog: pytest.LogCaptureFixture) -> None:
    """What the arena says of itself is heard by the world; nobody need keep it."""
    caplog.set_level(100)


def played(seed: int) -> Counter[Termination]:
    """How the matches of a seed ended, if they ended well."""
    again = f"ARENA_SEED={seed} pytest tests/faults/test_simulation.py plays it again"
    with tempfile.TemporaryDirectory() as folder:
        try:
            outcome = simulate(seed, Path(folder))
            complaints = judge(outcome)
        except BaseException as error:
            error.add_note(again)
            raise
    assert not complaints, "\n".join([again, str(outcome.weather), *complaints])
    return Counter(result.termination for result in outcome.results)


@pytest.mark.parametrize("seed", SEEDS)
def test_nothing_is_lost_and_nobody_wronged(seed: int) -> None:
    """Whatever breaks, in whatever order: matches end, no acknowledged action is lost, blame is where it belongs."""
    assert played(seed).total() > 0


def test_ten_thousand_matches(*, soak: bool) -> None:
    """P48, P59: the same for seed after seed; between them they end in every way in which a match can end by itself."""
    ends: Counter[Termination] = Counter()
    for seed in range(100, 10**9):
        ends += played(seed)
        if ends.total() >= (FULL if soak else 20):
            break
    print(dict(ends))  # noqa: T201 # how many of each, for whoever runs it at full size
    if soak:
        assert set(ends) == set(Termination) - {Termination.VOID_OPERATOR}


def fingerprint(outcome: Outcome) -> str:
    """A hash of all logs, in order."""
    return hashlib.sha256(b"".join(outcome.files)).hexdigest()


@pytest.mark.parametrize("seed", [3, 6])
def test_a_seed_is_the_whole_story(tmp_path: Path, seed: int) -> None:
    """The same seed gives the same logs, byte for byte: again, and in a process that hashes words differently."""
    first, second = (fingerprint(simulate(seed, tmp_path / name)) for name in ("first", "second"))
    code = (
        "from pathlib import Path; from faults.test_simulation import fingerprint; from faults.world import simulate; "
        f"print(fingerprint(simulate({seed}, Path({str(tmp_path / 'third')!r}))))"
    )
    tests = Path(__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": f"{tests}:{tests.parent}", "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert first == second == done.stdout.strip()


def forgets_what_it_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The log is written after the seats were told, in the step after."""
    late: list[tuple[Journal, list[Any]]] = []
    append = Journal.append

    def lazily(journal: Journal, frames: Any) -> None:
        frames = list(frames)
        is_end = any(frame.HasField("ended") for frame in frames)
        late.append((journal, frames))
        for held, waiting in late[:] if is_end else late[:-1]:
            if held is journal and waiting:
                append(held, waiting)
                waiting.clear()

    monkeypatch.setattr(Journal, "append", lazily)


def charges_the_outage(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever stays away after a restart loses."""
    restart = Table.restart

    def strictly(table: Table, now: int) -> list[Effect]:
        effects = restart(table, now)
        for seat in table.seats:
            seat.excused = False
        return effects

    monkeypatch.setattr(Table, "restart", strictly)


def charges_a_stall(monkeypatch: pytest.MonkeyPatch) -> None:
    """The arena's own lateness is the bots'."""
    monkeypatch.setattr(Director, "_moment", Director.now)


def takes_the_second_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """An answer to a question that is not open counts for the open one."""
    submit = Table.submit

    def anyhow(table: Table, seat: int, _: int, choice: Any, now: int, *, note: str = "") -> list[Effect]:
        return submit(table, seat, table.decision_id, choice, now, note=note)

    monkeypatch.setattr(Table, "submit", anyhow)


def blames_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """A loss on time is the next seat's."""
    forfeit = Table._forfeit
    monkeypatch.setattr(Table, "_forfeit", lambda table, why, seat: forfeit(table, why, (seat + 1) % len(table.sides)))


def never_ticks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody looks at the clock."""
    monkeypatch.setattr(Table, "deadline", lambda _table: None)


def tells_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hidden cards are shown."""
    monkeypatch.setattr("arena.director.redact", lambda event, _seat: event)


def any_weather(_: Weather) -> bool:
    """Every world has what shows it."""
    return True


PLANTED: list[tuple[Any, Any]] = [
    (forgets_what_it_told, lambda weather: weather.deaths),
    (charges_the_outage, lambda weather: weather.deaths and weather.guilt),
    (charges_a_stall, lambda weather: 70 in weather.stalls),
    (takes_the_second_answer, any_weather),
    (blames_the_other, lambda weather: weather.guilt),
    (never_ticks, lambda weather: weather.guilt and not weather.stalls),
    (tells_too_much, any_weather),
]


def complaints(is_telling: Any, folder: Path) -> Iterator[str]:
    """What is found in worlds of such weather, one after the other."""
    for seed in range(100):
        if is_telling(Weather.of(seed)):
            try:
                yield from judge(simulate(seed, folder / str(seed)))
            except (BaseExceptionGroup, trio.TooSlowError) as error:  # a world that fails, or never ends
                yield repr(error)


@pytest.mark.parametrize(("plant", "is_telling"), PLANTED, ids=[plant.__name__ for plant, _ in PLANTED])
def test_a_planted_fault_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, plant: Any, is_telling: Any) -> None:
    """The judge is no rubber stamp: with a fault planted in the arena, some seed soon shows it."""
    plant(monkeypatch)
    assert next(complaints(is_telling, tmp_path), None) is not None
