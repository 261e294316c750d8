"""Tests of the bot: questions without an arena, and matches in this process. `python -m unittest` runs them."""

from __future__ import annotations

import unittest

from arena.bot import Answer, Choice, Decision
from arena.bot.local import play_matches
from arena.bot.testing import questions
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
        """Whenever it leads to a trick that counts, and has one."""
        leads = 0
        for decision in questions("german-whist", 200):
            trumps = [card for card in decision.plays if card.suit is decision.trump]
            if decision.phase == "play" and not decision.trick and trumps:
                self.assertEqual(choose(decision), Choice(max(trumps), "leads the highest"))
                leads += 1
        self.assertGreater(leads, 0)

    def test_it_beats_chance(self) -> None:
        """Of 20 matches it wins most."""
        won = sum(match.points(0) for match in play_matches([choose, anything], 20, game="draw-bridge", seed=1))
        self.assertGreater(won, 15)


if __name__ == "__main__":
    unittest.main()
