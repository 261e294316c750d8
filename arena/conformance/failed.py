"""The word of a script for a bot that fails its step."""

from __future__ import annotations


class Failed(AssertionError):
    """The bot did not do what the step expects. The text says what it did."""
