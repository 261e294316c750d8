"""For tests of bots: questions without an arena, and an arena that does what a test tells it.

A bot in Python can be asked at once:

    from arena.bot.testing import position, questions

    def test_it_doubles_nothing_with_a_bare_hand():
        assert choose(position("draw-bridge", "auction", seed=3)) != "X"

    def test_its_answers_are_legal():
        assert all(decision.resolve(choose(decision)) < len(decision.legal) for decision in questions("smear", 200))

A bot in any language can be met on the wire, with breaks, refusals and whatever an arena may do:

    with ScriptedArena() as arena:
        ...start the bot with ARENA_SERVER=arena.address...
        match, stream = ScriptedMatch("smear", seat=2), arena.stream()
        stream.say(welcome(), match.offer)
        stream.say(*match.start(stream.ready().nonce))
        stream.break_off()
        again = arena.stream()
        again.say(welcome(), match.resumed(), match.started, *match.since(again.hello.resume.last_seq), match.question)
        match.answer(again.choose(match.decision_id))

`arena check-bot` is made of nothing else.
"""

from arena.bot.testing.arena import ScriptedArena
from arena.bot.testing.match import NONCE, Player, ScriptedMatch
from arena.bot.testing.messages import goodbye, rejected, welcome
from arena.bot.testing.position import position, questions
from arena.bot.testing.stream import Left, Message, Silence, Stream

__all__ = [
    "NONCE",
    "Left",
    "Message",
    "Player",
    "ScriptedArena",
    "ScriptedMatch",
    "Silence",
    "Stream",
    "goodbye",
    "position",
    "questions",
    "rejected",
    "welcome",
]
