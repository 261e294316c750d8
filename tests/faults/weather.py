"""What one seed has in store for a simulated world."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Final

from engine.clock import SECOND, TimeControl
from engine.game import Game
from engine.games import registered

CONTROLS: Final = (TimeControl(), TimeControl(600 * SECOND, 0, 10 * SECOND), TimeControl(1000 * SECOND, 0, 0))


@dataclass(frozen=True)
class Weather:
    """What one seed has in store for a world."""

    seed: int
    game: Game
    matches: int
    legs: int
    """How many matches make a set."""
    bots: int
    """One for each seat, or one for each side."""
    lanes: int
    control: TimeControl
    is_planned: bool
    """A plan that is played to its end, else whoever waits is paired."""
    is_seeded: bool
    guilt: float
    """Chance that a bot does a deed in a match."""
    deaths: tuple[tuple[str, int], ...]
    """How the arena ends each of its lives but the last, and after how many writes to the disk."""
    breaks: float
    """Seconds between streams that break of their own."""
    stalls: tuple[float, ...]
    """Seconds for which the arena stands still, each time."""

    @classmethod
    def of(cls, seed: int) -> Weather:
        """The weather of a seed."""
        dice = Random(seed)
        game = dice.choice(list(registered().values()))
        seats, is_planned = len(game.sides), dice.random() < 0.6
        bots = dice.choice([seats, max(game.sides) + 1]) if is_planned else seats
        return cls(
            seed,
            game,
            matches=dice.randrange(1, 4) * 2,
            legs=dice.choice([1, 2]) if is_planned else 1,
            bots=bots,
            lanes=seats // bots * dice.randrange(1, 4 if seats == 2 else 3),
            control=dice.choice(CONTROLS),
            is_planned=is_planned,
            is_seeded=dice.random() < 0.3,
            guilt=dice.choice([0, 0.1, 0.3]),
            deaths=tuple(
                (
                    dice.choice(["kill", "kill", "tear", "cut", "stop", "drain"]),
                    dice.randrange(1, dice.choice([30, 300, 1500])),
                )
                for _ in range(dice.choice([0, 0, 1, 2, 4]))
            ),
            breaks=dice.choice([2, 10, 1e9]),
            stalls=tuple(dice.choice([0.3, 2, 70]) for _ in range(dice.choice([0, 0, 1, 3]))),
        )

    @property
    def has_power_cuts(self) -> bool:
        """What was not synced can be lost, though bots were told of it: the running deal, and no more."""
        return any(how == "cut" for how, _ in self.deaths)
