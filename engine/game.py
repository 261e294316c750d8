"""The contract that a game fulfils.

A game is one folder below `engine/games/`, a package whose attribute `GAME` fulfils `Game`. Nothing else in the
project names it: `engine.games` finds it by looking. A game knows how one deal is played and scored, how deals make a
match, and what its options are; matches, clocks, logs and the wire are built on this contract alone.

A `Deal` is small and mutable. `legal` lists the actions of the seat to act; `apply` validates first and then changes
the deal, or raises `Refused` with the rule's number and leaves it unchanged. Events are made only when somebody
listens: `told` is a list to append to, or None in a playout. Event objects carry all cards; `engine.event.redact`
hides them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, Self, TypeAlias

from engine.action import Action
from engine.card import Card
from engine.errors import BadRules
from engine.event import Discarded, Event, ScoreLine
from engine.view import View

RuleValue: TypeAlias = int | str
Rules: TypeAlias = Mapping[str, RuleValue]
"""Every option of a game with its value: integers as numbers, all else as the words of the rules (`on`, `led`)."""


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a game's rules.

    Its values are `words`, or, when there are none, the integers from `low` to `high` (None: no upper bound).
    `clause` is the rule that speaks of it, `help` one line for people.
    """

    name: str
    clause: str
    help: str
    words: tuple[str, ...] = ()
    low: int = 0
    high: int | None = None

    @property
    def allowed(self) -> str:
        """What it may be, for people."""
        if self.words:
            return " or ".join(self.words)
        return f"{self.low} to {self.high}" if self.high is not None else f"{self.low} or more"

    def parse(self, text: str | int) -> RuleValue:
        """The value that `text` stands for; BadRules when it is none of this option's."""
        token = str(text).strip()
        if self.words:
            if token in self.words:
                return token
        elif token.isascii() and token.removeprefix("-").isdigit() and len(token) <= 9:
            number = int(token)
            if number >= self.low and (self.high is None or number <= self.high):
                return number
        raise BadRules(f"{self.name} = {token} is not possible: it is {self.allowed} ({self.clause})")


@dataclass(frozen=True, slots=True)
class DealResult:
    """A scored deal: `points` by side; `declarer` is the seat that made the last bid, None if nobody bid.

    `lines` say what the points came from; `shown` are face-down cards that are public now. `level`
    is that of the contract, 0 without one; `made` is False if the contract failed or there was none.
    """

    points: tuple[int, ...]
    declarer: int | None
    level: int
    made: bool
    lines: tuple[ScoreLine, ...] = ()
    shown: tuple[Discarded, ...] = ()

    @property
    def passed_out(self) -> bool:
        """Nobody bid (DB-5.12, SM-3.5)."""
        return self.declarer is None


class Deal(Protocol):
    """One deal being played. `turn` is the seat to act, None when the deal is over."""

    @property
    def turn(self) -> int | None:
        """The seat to act, None when the deal is over."""

    @property
    def phase(self) -> str:
        """What the deal is about now: `draw`, `auction`, `discard` or `play`."""

    def legal(self) -> Sequence[Action]:
        """The actions of the seat to act, in a fixed order; empty when the deal is over."""

    def apply(self, action: Action, told: list[Event] | None = None) -> None:
        """Carry out `action` for the seat to act and append what happened to `told`.

        Raises Refused, with nothing changed, when the rules forbid it.
        """

    def view(self, seat: int) -> View:
        """What `seat` may know."""

    def hands(self) -> tuple[tuple[Card, ...], ...]:
        """Every seat's cards in ascending order, for logs and tests; nobody at the table is told."""

    def result(self) -> DealResult:
        """The scored deal; only when `turn` is None."""

    def copy(self) -> Self:
        """An independent deal in the same state."""


class Game(Protocol):
    """A game: what its matches are made of."""

    name: str
    """In messages and file names, kebab-case: `draw-bridge`."""
    title: str
    """For people: `Draw Bridge`."""
    rank: int
    """Where it stands among the games, the least first; the first is played when nobody says which."""
    rules_version: int
    """Raised whenever the same actions could give another result."""
    sides: tuple[int, ...]
    """The side of each seat; as many as there are seats."""
    pack: tuple[Card, ...]
    """The cards, by index of the deck derivation."""
    options: tuple[Option, ...]
    presets: Mapping[str, Rules]
    """Complete sets of rules by name; `match` is there and is the default."""

    def deal(
        self,
        rules: Rules,
        deck: Sequence[Card],
        *,
        deal_no: int,
        dealer: int,
        totals: tuple[int, ...],
        told: list[Event] | None = None,
    ) -> Deal:
        """Deal the cards of `deck` (top first). Appends HandDealt and what else happens before the first decision."""

    def settle(self, rules: Rules, totals: tuple[int, ...], result: DealResult) -> tuple[int, ...]:
        """The totals after a deal."""

    def next_dealer(self, rules: Rules, dealer: int, result: DealResult) -> int:
        """Who deals next."""

    def winner(self, rules: Rules, totals: tuple[int, ...], result: DealResult) -> int | None:
        """The side that has won the match with this deal (`totals` are those after it), None if it goes on."""

    def deal_limit(self, rules: Rules) -> int:
        """The number of deals after which the higher total wins; 0 when the rules set none."""


def complete_rules(game: Game, preset: str = "match", changes: Mapping[str, str | int] | None = None) -> Rules:
    """The rules of a preset with single options changed; BadRules names what is wrong and what would be right."""
    if preset not in game.presets:
        raise BadRules(f"{game.name} has no preset {preset}: it has {', '.join(game.presets)}")
    rules = dict(game.presets[preset])
    options = {option.name: option for option in game.options}
    for name, value in (changes or {}).items():
        if name not in options:
            raise BadRules(f"{game.name} has no option {name}: it has {', '.join(options)}")
        rules[name] = options[name].parse(value)
    return rules
