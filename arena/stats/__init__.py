"""From results to a verdict: pure functions of the result log, whatever the order in which matches ended.

    sets        matches -> sets, the rated unit: two legs on the same decks, scored 0, 1/4, 1/2, 3/4 or 1
    evidence    sets -> how often which pairing had which score
    fit         evidence -> strengths: Bradley-Terry with a prior, all sets at once
    intervals   strengths -> a ladder: Elo with 95 % intervals clustered by set, superiority, ranks with intervals
    verdict     sets of two bots in the order of the schedule -> accepted, rejected or undecided
    sequential  the test for a verdict: by the scores of sets
    margin      the same by points a deal: faster, but not the game's own objective
    likelihood  the ratio that both tests take
    normal      the normal distribution
    matrix      the little linear algebra that the fit needs

Each room states its formulas and where they come from. Whatever the input, a figure is finite, or None where there is
nothing to say. Sums that decide are taken over whole numbers or in a fixed order, so that on one installation the same
results give the same bits in whatever order they come; the last bits may differ between versions of Python.
"""

from arena.stats.intervals import Ladder, Standing, rate
from arena.stats.margin import Margins, MarginTest
from arena.stats.sequential import ScoreTest, Tally
from arena.stats.sets import Played, Set, one_set, sets_of
from arena.stats.verdict import Finding, Risks, Verdict, decide

__all__ = [
    "Finding",
    "Ladder",
    "MarginTest",
    "Margins",
    "Played",
    "Risks",
    "ScoreTest",
    "Set",
    "Standing",
    "Tally",
    "Verdict",
    "decide",
    "one_set",
    "rate",
    "sets_of",
]
