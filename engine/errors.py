"""What the engine refuses, and how it says so."""

from __future__ import annotations


class Refused(Exception):
    """An action that the rules forbid. The state is as it was before.

    `clause` is the rule's number (`DB-5.4`), `reason` says what is wrong in words that reveal nothing hidden from
    the seat that acted.
    """

    def __init__(self, clause: str, reason: str) -> None:
        super().__init__(f"{clause}: {reason}")
        self.clause = clause
        self.reason = reason


class UnknownGame(LookupError):
    """No game of that name is installed."""


class BadRules(ValueError):
    """A set of rules names an option or a value that the game does not have."""
