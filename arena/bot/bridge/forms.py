"""What the program is told, as lines: JSON, one object a line, or plain text, one thing a line.

Both come from the same plain values: what the SDK holds, field by field under its own name, with cards, strains, calls
and actions as text and times in milliseconds. So a new event or field needs nothing here, and the forms cannot differ.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from enum import Enum
from functools import cache
from typing import Any, Final

from arena.bot.decision import Decision, UnknownAction
from arena.bot.offer import MatchOffer, MatchResult, Rejection
from engine.action import Action, Call
from engine.card import Card, Strain
from engine.event import Event

VERSION: Final = 1
"""Raised when a program of before would no longer understand what it is told; new kinds and fields do not raise it."""
DICE: Final = 1_000_000_000
"""`dice` of a decision is a whole number from 0 up to this."""
LAST: Final = ("name", "text")
"""Fields that may hold spaces: in the text form they stand last in their line."""


def greeting(lane: int) -> dict[str, Any]:
    """The first line of all."""
    return {"kind": "bridge", "version": VERSION, "lane": lane}


def told(kind: str, what: MatchOffer | MatchResult | Rejection) -> dict[str, Any]:
    """A message about the match, under a name of its own."""
    return {"kind": kind, **_plain(what)}


def happened(event: Event) -> dict[str, Any]:
    """An event; its kind is that of the protocol, such as `card_played`."""
    return {"kind": _snake(type(event).__name__), **_plain(event)}


def question(decision: Decision) -> dict[str, Any]:
    """A decision."""
    return {
        "kind": "decision",
        "decision_id": decision.decision_id,
        "view": _plain(decision.view),
        "legal": [_action(action) for action in decision.legal],
        "time_left": _plain(decision.time_left),
        "dice": decision.dice.randrange(DICE),
    }


def json_lines(message: Mapping[str, Any]) -> str:
    """The message as one object in one line."""
    return json.dumps(message, separators=(",", ":")) + "\n"


def text_lines(message: Mapping[str, Any]) -> str:
    """The message as words: its kind, then each field's name and value. What is empty is left out.

    What has fields of its own follows on lines of its own, which begin with its name. A decision has a line for each
    field of the view and for each legal action, and ends with the line `choose`.
    """
    if message["kind"] != "decision":
        return "".join(_lines(str(message["kind"]), {key: value for key, value in message.items() if key != "kind"}))
    lines = [f"decision decision_id {message['decision_id']}\n"]
    for name, value in message["view"].items():
        lines += _lines(name, value)
    lines += (f"legal {index} {action}\n" for index, action in enumerate(message["legal"]))
    lines += _lines("time_left", message["time_left"])
    return "".join([*lines, f"dice {message['dice']}\n", "choose\n"])


def _lines(name: str, value: Any) -> Iterator[str]:
    """A named value as lines: its own, then those of what is inside it."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        for item in value:
            yield from _lines(name, item)
    elif isinstance(value, dict):
        inner = {key: each for key, each in value.items() if _has_fields(each)}
        words = {key: text for key, each in value.items() if key not in inner and (text := _word(each))}
        spaced = {key: words.pop(key) for key in LAST if key in words}
        yield " ".join([name, *(f"{key} {text}" for key, text in (words | spaced).items())]) + "\n"
        for key, each in inner.items():
            if key == "rules":  # an option a line: their names are many, and those of the game
                yield from (f"rules {option} {chosen}\n" for option, chosen in each.items())
            else:
                yield from _lines(key, each)
    elif text := _word(value):
        yield f"{name} {text}\n"


def _has_fields(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list) and bool(value) and isinstance(value[0], dict))


def _word(value: Any) -> str:
    """A value without a name; empty if there is nothing to say."""
    match value:
        case None | False:
            return ""
        case True:
            return "yes"
        case list():
            return " ".join(_word(each) or "-" for each in value)
    return "".join(letter if letter.isprintable() else " " for letter in str(value))  # no text can make a line


def _plain(value: Any) -> Any:
    """A value of the SDK as JSON has them."""
    match value:
        case Card() | Strain():
            return str(value)
        case Enum():
            return value.value
        case None | bool() | int() | str():
            return value
        case Call():
            return value.token
        case bytes():
            return value.hex()
        case tuple():
            return [_plain(each) for each in value]
        case Mapping():
            return {name: _plain(each) for name, each in value.items()}
    plain: dict[str, Any] = {}
    for name in _names(type(value)):  # type: ignore[arg-type]  # mypy holds no class for hashable
        each = getattr(value, name)
        if name.endswith("_us"):
            plain[f"{name[:-3]}_ms"] = each // 1000
        else:
            plain[name] = _plain(each)
    return plain


def _action(action: Action | UnknownAction) -> str:
    return "unknown" if isinstance(action, UnknownAction) else str(action)


@cache
def _names(kind: type[Any]) -> tuple[str, ...]:
    return tuple(each.name for each in fields(kind))


@cache
def _snake(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()
