"""The sample bot in Rust gives neither its compiler nor clippy nor rustfmt anything to say."""

from __future__ import annotations

import subprocess

import pytest

from other_languages import LANGUAGES, built


@pytest.mark.parametrize(
    "words", ["fmt --check", "clippy --release --locked --all-targets -- --deny warnings"], ids=["fmt", "clippy"]
)
def test_cargo_has_nothing_to_say(words: str) -> None:
    """Warnings are errors, in its tests too, and its form is rustfmt's."""
    (rust,) = (built(language) for language in LANGUAGES if language.name == "rust")
    tool, *_ = words.split()
    if subprocess.run(["cargo", tool, "--version"], capture_output=True, check=False).returncode:
        pytest.skip(f"cargo {tool} is not installed")
    done = subprocess.run(["cargo", *words.split()], cwd=rust.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
