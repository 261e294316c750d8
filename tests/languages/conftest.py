"""Sample bots in other languages, built before they are tested."""

from __future__ import annotations

import pytest

from other_languages import LANGUAGES, Language, built


@pytest.fixture(scope="module", params=LANGUAGES, ids=lambda language: language.name)
def language(request: pytest.FixtureRequest) -> Language:
    """Each language in turn."""
    chosen: Language = request.param
    return built(chosen)


@pytest.fixture(scope="module")
def languages() -> list[Language]:
    """All of them."""
    return [built(language) for language in LANGUAGES]
