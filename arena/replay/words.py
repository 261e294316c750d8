"""How a match ended: one sentence for a person, and whether what is said of it fits together (P48)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.states import Termination

_FAULTS = {
    Termination.TIMEOUT: "{0} ran out of time",
    Termination.ILLEGAL: "{0} had its fourth answer refused, an action that the rules forbid",
    Termination.MALFORMED: "{0} had its fourth answer refused, one that was no action",
    Termination.DISCONNECT: "{0} was away for too long",
    Termination.RESIGN: "{0} resigned",
}
_VOIDS = {
    Termination.VOID_NOT_READY: "{0} was not ready in time",
    Termination.VOID_ARENA: "The arena failed",
    Termination.VOID_OPERATOR: "The operator stopped the match",
}


def sentence(
    termination: Termination,
    names: Sequence[str],
    at_fault: int | None,
    winner: int | None,
    totals: Sequence[int],
    *,
    sides: Sequence[int] | None = None,
) -> str:
    """The end of a match in one sentence: `B ran out of time: A wins.`

    `names` and `sides` are by seat, `at_fault` is a seat, `winner` a side or None, `totals` by side. Without `sides`
    they take turns around the table. Raises ValueError when these contradict each other.
    """
    places = sides if sides is not None else [seat % max(1, len(totals)) for seat in range(len(names))]
    wrong = disagreement(termination, places, at_fault, winner, totals)
    if wrong is not None:
        raise ValueError(wrong)
    culprit = _seat_name(names, at_fault) if at_fault is not None else "A bot"
    if termination.void:
        return f"{_VOIDS[termination].format(culprit)}: the match is void."
    outcome = _victory(names, places, winner) if winner is not None else "nobody wins"
    if termination.forfeit:
        return f"{_FAULTS[termination].format(culprit)}: {outcome}."
    limit = ", at the limit of deals" if termination is Termination.DEAL_LIMIT else ""
    if winner is None:
        return f"Drawn at {max(totals)} all{limit}."
    others = [str(total) for side, total in enumerate(totals) if side != winner]
    return f"{outcome} {totals[winner]} to {' and '.join(others)}{limit}."


def disagreement(
    termination: Termination,
    sides: Sequence[int],
    at_fault: int | None,
    winner: int | None,
    totals: Sequence[int],
) -> str | None:
    """What in the end of a match contradicts the rest of it; None if all of it fits together."""
    there = set(sides)
    if at_fault is not None and not 0 <= at_fault < len(sides):
        return f"seat {at_fault} is at fault, and there is no such seat"
    if winner is not None and winner not in there:
        return f"side {winner} won, and there is no such side"
    if len(totals) != len(there):
        return f"there are {len(totals)} totals for {len(there)} sides"
    if termination.void:
        return f"side {winner} won a match that is void" if winner is not None else None
    if termination.forfeit:
        return _forfeit_disagreement(termination, sides, at_fault, winner)
    if at_fault is not None:
        return f"seat {at_fault} is at fault in a match that ended by {termination.value}"
    if termination is Termination.SCORE:
        return "nobody won a match that ended by score" if winner is None else None
    best = max(totals)
    leader = list(totals).index(best) if list(totals).count(best) == 1 else None
    if winner != leader:
        return f"{_side(winner)} won at the limit of deals, and {_side(leader)} has the highest total"
    return None


def _forfeit_disagreement(
    termination: Termination, sides: Sequence[int], at_fault: int | None, winner: int | None
) -> str | None:
    if at_fault is None:
        return f"nobody is at fault in a match that ended by {termination.value}"
    others = set(sides) - {sides[at_fault]}
    expected = others.pop() if len(others) == 1 else None
    if winner != expected:
        return f"{_side(winner)} won by a fault of seat {at_fault}, and {_side(expected)} should have"
    return None


def _seat_name(names: Sequence[str], seat: int) -> str:
    """The bot of a seat, told apart from itself where it has several."""
    return f"{names[seat]} (seat {seat})" if list(names).count(names[seat]) > 1 else names[seat]


def _victory(names: Sequence[str], sides: Sequence[int], winner: int) -> str:
    """Who wins, with the verb."""
    seats = [seat for seat, side in enumerate(sides) if side == winner]
    elsewhere = {name for name, side in zip(names, sides, strict=True) if side != winner}
    team = dict.fromkeys(_seat_name(names, seat) if names[seat] in elsewhere else names[seat] for seat in seats)
    return f"{' and '.join(team)} {'wins' if len(team) == 1 else 'win'}"


def _side(side: int | None) -> str:
    return "nobody" if side is None else f"side {side}"
