"""What the program answers: an index, the text of an action, or an object with a note; the same in both forms."""

from __future__ import annotations

import json
from typing import Any

from arena.bot.bridge.child import LINE_BYTES
from arena.bot.decision import Choice, Decision, Plain, Resign

RESIGN = "resign"
HINT = "answer with an index of legal, an action such as play 9H, resign, or an object with action and note"


def reply(line: bytes, decision: Decision) -> Choice:
    """The answer that a line holds: `3`, `play 9H`, `play 9H # a note`, or `{"action": ..., "note": ...}`.

    Raises ValueError, in words for the program's author, when it holds none.
    """
    if len(line) == LINE_BYTES and not line.endswith(b"\n"):
        raise ValueError(f"the line is longer than {LINE_BYTES} bytes: {HINT}")
    text = line.decode(errors="replace").strip()
    if text[:1] not in ("{", '"'):
        words, _, note = text.partition("#")
        return _choice(words.strip(), note.strip(), decision)
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError(f"{_short(text)} is no JSON: {HINT}") from None
    if not isinstance(found, dict):
        return _choice(found, "", decision)
    unknown = sorted(found.keys() - {"action", "note"})
    if "action" not in found or unknown:
        wrong = f"{_short(unknown[0])} is not known" if unknown else "action is missing"
        raise ValueError(f"{wrong} in {_short(text)}: {HINT}")
    note = found.get("note", "")
    if not isinstance(note, str):
        raise ValueError(f"the note {_short(note)} is no text: {HINT}")  # noqa: TRY004  # it is the line that is wrong
    return _choice(found["action"], note, decision)


def _choice(action: Any, note: str, decision: Decision) -> Choice:
    if isinstance(action, str) and action.isascii() and action.isdecimal() and len(action) < 10:
        action = int(action)
    if isinstance(action, bool) or not isinstance(action, int | str):
        raise ValueError(f"{_short(action)} is no action: {HINT}")  # noqa: TRY004  # it is the line that is wrong
    answer: Plain = Resign() if action == RESIGN else action
    try:
        decision.resolve(answer)
    except ValueError as error:
        if isinstance(action, int):
            raise
        raise ValueError(f"{_short(action)} is no action: {HINT}") from error
    return Choice(answer, note)


def _short(what: Any) -> str:
    shown = repr(what)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
