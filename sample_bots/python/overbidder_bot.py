"""The overbidder: it plays like the steady bot, but hopes for more than it holds when it bids.

    python overbidder_bot.py --server 127.0.0.1:7878

In Draw Bridge it reckons with one trick more than there is, so it bids a level more than it makes, or a contract that
fails where the steady bot would pass. In Smear it hopes for a point more, and says so at once. What others bid it
judges soberly, and once a card lies on the table it is as good as the steady bot: all it loses, it loses by bidding.
Where nobody bids it is the steady bot. It plays every game.
"""

from __future__ import annotations

from arena.bot import Answer, Choice, Decision, run
from engine.action import Call, CallKind
from sample_bots.python.steady_bot import SteadyBot


class OverbidderBot(SteadyBot):
    """The steady bot with too much hope."""

    name = "overbidder"
    version = "1"
    boldness = 1

    def choose(self, decision: Decision) -> Answer:
        """What the steady bot would do if its hand were better; bids that name no suit are raised by one as well."""
        answer = super().choose(decision)
        said = answer.answer if isinstance(answer, Choice) else answer
        if isinstance(said, Call) and said.kind is CallKind.BID:
            raised = Call(CallKind.BID, said.level + 1)
            return raised if raised in decision.legal else answer
        return answer


if __name__ == "__main__":
    run(OverbidderBot)
