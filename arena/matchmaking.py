"""Who plays whom now: whoever waits, or what a plan says."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final, Protocol

from arena.company import mixed_table, rated_table
from arena.due import Due
from arena.schedule import Pairing, Plan
from arena.session import Lane
from engine.game import Game

LOOKAHEAD: Final = 64
"""How far behind a planned match that cannot start yet another one is looked for."""
ATTEMPTS: Final = 5
"""How often a planned match is begun at most."""
PATIENCE: Final = 4
"""How many rated tables are made past a waiting lane before it is given an unrated one."""


class Matchmaker(Protocol):
    """Chooses the next match among the lanes that wait, the longest first."""

    def choose(self, waiting: Sequence[Lane]) -> tuple[Pairing, tuple[Lane, ...]] | None:
        """The next match and its lanes by seat; None if none can start now."""

    def taken_up(self, pairing: Pairing) -> None:
        """A match goes on that was begun before this start of the arena; it must not be chosen again."""

    def ended(self, pairing: Pairing, *, void: bool) -> None:
        """A match has ended; a void one may be chosen again."""

    @property
    def exhausted(self) -> bool:
        """No match will be chosen any more, whoever waits."""


class OpenPairing:
    """Seats whoever waits for the same game, the longest waiting first. Goes on for ever.

    A bot is never seated on two sides. Where sides are partnerships, a table is of single bots, each on one lane, or of
    pairs, each bot on two lanes, whichever has waited longer; these are rated, each kind on a ladder of its own. A pair
    against two single bots is not rated, so it plays only when no rated table can be made of all who wait, or when
    `PATIENCE` rated tables have been made past a lane that no rated table has a place for: then that lane plays too.
    """

    def __init__(self, games: Mapping[str, Game], first_number: int) -> None:
        self._games = games
        self._number = first_number
        self._most = max((game.sides.count(side) for game in games.values() for side in game.sides), default=1)
        self._passed: dict[Lane, int] = {}
        """How many tables have been made past a lane that had waited longer."""

    exhausted = False

    def choose(self, waiting: Sequence[Lane]) -> tuple[Pairing, tuple[Lane, ...]] | None:
        """Seat the lane that has waited longest with the next ones that play one of its games."""
        waiting = self._enough_of_each(waiting)
        playing = {name: [lane for lane in waiting if not lane.games or name in lane.games] for name in self._games}
        self._passed = {lane: self._passed.get(lane, 0) for lane in waiting}
        for lane in waiting:
            found = self._rated(lane, playing)
            if found is None and self._passed[lane] >= PATIENCE:
                found = self._mixed(lane, playing)
            if found is not None:
                for longer in waiting[: waiting.index(lane)]:
                    self._passed[longer] += 1
                return self._begin(*found)
        mixed = next((found for lane in waiting if (found := self._mixed(lane, playing))), None)
        return None if mixed is None else self._begin(*mixed)

    def _enough_of_each(self, waiting: Sequence[Lane]) -> list[Lane]:
        """Of alike lanes of a bot as many as a table can take: a bot with many lanes must not make the search long."""
        alike: Counter[tuple[str, frozenset[str]]] = Counter()
        enough = []
        for lane in waiting:
            kind = (lane.bot, lane.games)
            alike[kind] += 1
            if alike[kind] <= self._most:
                enough.append(lane)
        return enough

    def taken_up(self, pairing: Pairing) -> None:
        """Go on counting after it."""
        self._number = max(self._number, pairing.number + 1)

    def ended(self, pairing: Pairing, *, void: bool) -> None:
        """Whoever is free waits again; nothing is owed."""

    def _begin(self, game: str, lanes: tuple[Lane, ...]) -> tuple[Pairing, tuple[Lane, ...]]:
        self._number += 1
        for lane in lanes:
            self._passed.pop(lane, None)
        return Pairing(self._number - 1, game, tuple(lane.bot for lane in lanes)), lanes

    def _rated(self, lane: Lane, playing: Mapping[str, Sequence[Lane]]) -> tuple[str, tuple[Lane, ...]] | None:
        for name, lanes in playing.items():
            table = rated_table(lane, lanes, self._games[name].sides, self._number) if lane in lanes else None
            if table is not None:
                return name, table
        return None

    def _mixed(self, lane: Lane, playing: Mapping[str, Sequence[Lane]]) -> tuple[str, tuple[Lane, ...]] | None:
        for name, lanes in playing.items():
            table = mixed_table(lane, lanes, self._games[name].sides) if lane in lanes else None
            if table is not None:
                return name, table
        return None


class PlannedMatches:
    """Plays a schedule to its end, in its order as far as bots are free.

    A void match is played again with another deck, and the earlier legs of its set with it, up to `ATTEMPTS` times in
    all: what is void every time would be void for ever, and the run must end. A leg begins when the one before it has
    ended. `pairing` gives a match of the schedule by its number, for sets of several legs. No more than `most`
    matches run at the same time. When all has ended, `more` says how the schedule goes on; None if it does not.
    """

    def __init__(
        self,
        schedule: Iterable[Pairing],
        pairing: Callable[[int], Pairing] | None = None,
        most: int | None = None,
        more: Callable[[], Iterable[Pairing] | None] = lambda: None,
    ) -> None:
        self._schedule: Iterator[Pairing] | None = iter(schedule)
        self._pairing = pairing
        self._upcoming: deque[Pairing] = deque()
        self._queued: set[int] = set()
        self._running: set[int] = set()
        self._taken: set[int] = set()
        self._withdrawn: set[str] = set()
        self._most = most
        self._more = more
        self._attempts: dict[int, int] = {}
        """The attempt of a set that was void before, by the number of its first match; ATTEMPTS: given up."""

    def choose(self, waiting: Sequence[Lane]) -> tuple[Pairing, tuple[Lane, ...]] | None:
        """The first match of the plan for whose seats enough lanes wait."""
        self._fill()
        if self._most is not None and len(self._running) >= self._most:
            return None
        for pairing in self._upcoming:
            before = pairing.number - 1
            if pairing.leg > 1 and (before in self._running or before in self._queued):
                continue
            lanes = _lanes_for(pairing, waiting)
            if lanes is not None:
                self._upcoming.remove(pairing)
                self._queued.discard(pairing.number)
                self._running.add(pairing.number)
                return replace(pairing, attempt=self._attempts.get(pairing.first, pairing.attempt)), lanes
        return None

    def ended(self, pairing: Pairing, *, void: bool) -> None:
        """Put a void match first again, and what was played of its set before it."""
        self._running.discard(pairing.number)
        if not void:
            if pairing.leg == pairing.legs:
                self._attempts.pop(pairing.first, None)
            return
        again = pairing.again()
        if not self._withdrawn.isdisjoint(pairing.bots):
            return  # it stays due
        self._attempts[pairing.first] = again.attempt
        if again.attempt == ATTEMPTS:
            for later in [later for later in self._upcoming if later.first == pairing.first]:
                self._upcoming.remove(later)
                self._queued.discard(later.number)
            return
        self._queue_first(again)
        if self._pairing is not None:
            for number in range(pairing.number - 1, pairing.first - 1, -1):
                self._queue_first(self._pairing(number))

    def taken_up(self, pairing: Pairing) -> None:
        """Leave its number out of what is still to be begun."""
        self._running.add(pairing.number)
        self._taken.add(pairing.number)
        self._upcoming = deque(planned for planned in self._upcoming if planned.number != pairing.number)
        self._queued.discard(pairing.number)

    @property
    def exhausted(self) -> bool:
        """All planned matches have ended."""
        self._fill()
        return not self._upcoming and not self._running

    def withdraw(self, bot: str) -> None:
        """A bot plays no more: its matches are left out, and stay due."""
        self._withdrawn.add(bot)
        for pairing in [pairing for pairing in self._upcoming if bot in pairing.bots]:
            self._upcoming.remove(pairing)
            self._queued.discard(pairing.number)

    def _queue_first(self, pairing: Pairing) -> None:
        self._upcoming.appendleft(pairing)
        self._queued.add(pairing.number)

    def _fill(self) -> None:
        while self._schedule is not None and len(self._upcoming) < LOOKAHEAD:
            pairing = next(self._schedule, None)
            if pairing is None:
                if self._upcoming or self._running:
                    return
                more = self._more()
                self._schedule = None if more is None else iter(more)
            elif (
                pairing.number not in self._taken
                and self._attempts.get(pairing.first) != ATTEMPTS
                and self._withdrawn.isdisjoint(pairing.bots)
            ):
                self._upcoming.append(pairing)
                self._queued.add(pairing.number)


def planned(plan: Plan, due: Due, most: int | None = None) -> PlannedMatches:
    """What of a plan is still due, in its order; see `PlannedMatches`."""
    attempts = ((number, due.attempt(number)) for number in plan.order())
    schedule = (replace(plan.pairing(number), attempt=attempt) for number, attempt in attempts if attempt is not None)

    def more() -> Iterator[Pairing] | None:
        numbers = plan.more()
        return None if numbers is None else map(plan.pairing, numbers)

    return PlannedMatches(schedule, plan.pairing, most, more)


def _lanes_for(pairing: Pairing, waiting: Sequence[Lane]) -> tuple[Lane, ...] | None:
    """The lanes that wait for these seats, all seats of a bot from one of its programs; None if they are too few."""
    found: dict[str, Iterator[Lane]] = {}
    for bot, seats in Counter(pairing.bots).items():
        programs: dict[int, list[Lane]] = {}
        for lane in waiting:
            if lane.bot == bot and len(enough := programs.setdefault(lane.program, [])) < seats:
                enough.append(lane)
        lanes = next((lanes for lanes in programs.values() if len(lanes) == seats), None)
        if lanes is None:
            return None
        found[bot] = iter(lanes)
    return tuple(next(found[bot]) for bot in pairing.bots)
