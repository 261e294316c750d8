"""Tests of the bot: questions without an arena, and matches in this process. `python -m unittest` runs them."""

from __future__ import annotations

import unittest

from arena.bot import Answer, Choice, Decision
from arena.bot.local import play_matches
from arena.bot.testing import position, questions
from engine.card import parse_card
from sample_bots.first.first_bot import choose

GAMES = ("draw-bridge", "german-whist", "smear")


def anything(decision: Decision) -> Answer:
    """Play anything that is allowed."""
    return decision.dice.choice(decision.legal)


class ChoiceTest(unittest.TestCase):
    """What the bot does."""

    def test_its_answers_are_legal(self) -> None:
        """In every game, in every phase."""
        for game in GAMES:
            for decision in questions(game, 200):
                with self.subTest(game=game, hand=decision.hand, legal=decision.legal):
                    self.assertIsInstance(decision.resolve(choose(decision).answer), int)

    def test_it_leads_its_highest_trump(self) -> None:
        """Asked once, in a position that is the same every time; another seed is another one."""
        decision = position("german-whist", "play", seed=3)
        self.assertEqual(decision.trick, ())
        self.assertEqual(choose(decision), Choice(parse_card("KC"), "leads the highest"))

    def test_it_beats_chance(self) -> None:
        """Of 20 matches it wins most."""
        won = sum(match.points(0) for match in play_matches([choose, anything], 20, game="draw-bridge", seed=1))
        self.assertGreater(won, 15)


if __name__ == "__main__":
    unittest.main()
