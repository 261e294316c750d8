"""The log of `arena serve`: one line for each event, as text or as JSON, and never more than can be read.

Whatever a stranger made part of a line is written with escapes, so that a line is one line and says what it says.
"""

from __future__ import annotations

import json
import logging
import re
import sys
from collections import Counter
from datetime import UTC, datetime
from typing import Final, TextIO

from arena.cli.printing import clean
from arena.lines import fields_of
from arena.pace import Pace

TEXT: Final = "text"
JSON: Final = "json"
FORMATS: Final = (TEXT, JSON)
LONGEST: Final = 2_000
"""Letters of a message; what is longer is cut. A traceback is not."""

_BARE: Final = re.compile(r"[\w@.:/,+%\[\]-]*")

_EACH: Final = (0.5, 20)
"""Lines about one bot that are no warnings: a second in the long run, and at once."""
_ALL: Final = (50, 500)
"""The same for all of them together."""


class Bounded(logging.Filter):
    """Leaves out lines of a bot that makes too many, and lines of all when there are too many; warnings stay.

    The next line of that bot says how many were left out.
    """

    def __init__(self) -> None:
        super().__init__()
        self._each = Pace(*_EACH)
        self._all = Pace(*_ALL)
        self._left_out: Counter[str] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the line is written."""
        if record.levelno >= logging.WARNING:
            return True
        bot = str(fields_of(record).get("bot", ""))
        if (bot and not self._each.admits(bot, record.created)) or not self._all.admits("", record.created):
            # Names are free on an open arena: how many are remembered is bounded as well.
            self._left_out[bot if bot in self._left_out or len(self._left_out) < _ALL[1] else ""] += 1
            return False
        left_out = self._left_out.pop(bot, 0)
        if left_out:
            record.msg = f"{record.msg} ({left_out} lines left out)"
        return True


class TextFormat(logging.Formatter):
    """`2026-01-01T00:00:00.000Z WARNING arena.crowd: what happened match=3f2a bot=a`; set in, a traceback follows."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        fields = "".join(f" {name}={_value(str(value))}" for name, value in fields_of(record).items())
        line = f"{_moment(record)} {record.levelname} {record.name}: {clean(_message(record))}{fields}"
        if not (_has_error(record) and record.exc_info):
            return line
        return "\n".join([line, *(f"  {clean(told)}" for told in self.formatException(record.exc_info).splitlines())])


class JsonFormat(logging.Formatter):
    """A JSON object: time, level, logger, message, then what it is about; `error` is a traceback."""

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        document: dict[str, object] = {
            "time": _moment(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
            **fields_of(record),
        }
        if _has_error(record) and record.exc_info:
            document["error"] = self.formatException(record.exc_info)
        return json.dumps(document)


def start_log(form: str, *, stream: TextIO | None = None) -> logging.Handler:
    """Write the log from now on: as text warnings to standard error, as JSON everything to standard output."""
    is_json = form == JSON
    handler = logging.StreamHandler(stream or (sys.stdout if is_json else sys.stderr))
    handler.setFormatter(JsonFormat() if is_json else TextFormat())
    handler.addFilter(Bounded())
    root = logging.getLogger()
    root.addHandler(handler)
    logging.getLogger("arena").setLevel(logging.INFO if is_json else logging.WARNING)
    return handler


def _value(text: str) -> str:
    """The value of a field: quoted as in JSON where it could pass for several."""
    return text if _BARE.fullmatch(text) else clean(json.dumps(text))


def _message(record: logging.LogRecord) -> str:
    text = record.getMessage()
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."


def _moment(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _has_error(record: logging.LogRecord) -> bool:
    return bool(record.exc_info and record.exc_info[0])
