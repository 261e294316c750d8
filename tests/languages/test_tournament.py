"""One tournament over all languages: every bot meets every other in every game, and every match is verified."""

from __future__ import annotations

import json
import sys
from math import comb
from pathlib import Path

from engine.game import Game
from other_languages import LANGUAGES, built
from playing import every_game
from real_arena import ROOT, run_arena

PYTHON = f"{sys.executable} -m sample_bots.python.steady_bot"
BRIDGE = f"{sys.executable} -m arena.bot.bridge"
BY_LINES = (
    f"{BRIDGE} --text -- awk -W interactive -f {ROOT}/sample_bots/awk/awk_bot.awk",
    f"{BRIDGE} -- perl {ROOT}/sample_bots/perl/perl_bot.pl",
)


@every_game
def test_bots_of_all_languages_meet_and_every_match_is_proved(game: Game, tmp_path: Path) -> None:
    """Everybody meets everybody; nobody is refused, late or away; decks, rules, scores and results are proved."""
    bots = [PYTHON, *(" ".join(built(language).command) for language in LANGUAGES), *BY_LINES]
    matches = comb(len(bots), 2)
    short = next(option.name for option in game.options if option.name in ("max_deals", "max_hands"))
    words = ("--game", game.name, "--option", f"{short}=2", "--legs", "1", "--seed", "1", "--data", str(tmp_path))
    played = json.loads(run_arena("tournament", *bots, *words, "--json"))
    assert sum(played["terminations"].values()) == matches
    assert set(played["terminations"]) <= {"score", "deal_limit"}
    proved = run_arena("replay", "verify", "--run", "tournament-1", "--data", str(tmp_path))
    assert proved.endswith(f"{matches} proved, 0 failed\n")
    logs = {path.name: path.read_text() for path in (tmp_path / "logs" / "tournament-1").glob("*.stderr")}
    assert len(logs) == len(bots)
    assert not [name for name, said in logs.items() if "refused" in said or "Traceback" in said]
