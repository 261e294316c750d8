"""What all tests share: Hypothesis without dice or deadlines, and the worked examples of the rules."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "arena", derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("arena")

SOAK = os.environ.get("ARENA_SOAK") == "1"


@pytest.fixture(scope="session")
def rules_vectors() -> dict[str, Any]:
    """The worked examples of the rules, machine-readable."""
    return json.loads((Path(__file__).parent / "vectors" / "rules.json").read_text())


@pytest.fixture(scope="session")
def deck_vectors() -> dict[str, Any]:
    """The worked example of the deck derivation."""
    return json.loads((Path(__file__).parent / "vectors" / "deck.json").read_text())


@pytest.fixture(scope="session")
def soak() -> bool:
    """True under `make soak`: large counts at their full size."""
    return SOAK
