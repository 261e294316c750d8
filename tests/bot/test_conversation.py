"""The bot's side of the protocol, without a stream: responses in, requests out."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from arena.bot import Answer, Bot, Choice, Decision, MatchOffer, MatchResult, Outcome, Rejection, Resign
from arena.bot.conversation import Conversation
from arena.bot.testing import Message, goodbye, rejected, welcome
from arena.v1 import action_pb2, play_pb2
from bare_messages import HAND, LEGAL, asked, both, ended, happened, offered, resumed, started
from engine.action import PASS, Discard
from engine.card import HIDDEN
from engine.effect import Rejection as Reason
from engine.event import CardDrawn, Event, TrickTaken
from engine.states import Termination


class Diary(Bot):
    """Answers what it is told to, and remembers what it was told."""

    name = "diary"
    version = "7"

    def __init__(self, *answers: Answer) -> None:
        self.answers = iter(answers)
        self.asked: list[Decision] = []
        self.started: list[MatchOffer] = []
        self.ended: list[MatchResult] = []
        self.events: list[Event] = []
        self.refused: list[Rejection] = []

    def choose(self, decision: Decision) -> Answer:
        """The next answer; index 0 when there is none."""
        self.asked.append(decision)
        return next(self.answers, 0)

    def match_started(self, offer: MatchOffer) -> None:
        """Noted."""
        self.started.append(offer)

    def match_ended(self, result: MatchResult) -> None:
        """Noted."""
        self.ended.append(result)

    def event(self, event: Event) -> None:
        """Noted."""
        self.events.append(event)

    def rejected(self, rejection: Rejection) -> None:
        """Noted."""
        self.refused.append(rejection)


def nonces() -> Iterator[bytes]:
    """Nonces that differ."""
    for number in range(100):
        yield bytes([number]) * 16


@pytest.fixture
def bot() -> Diary:
    """A bot that remembers."""
    return Diary()


def converse(bot: Bot, *, seed: int | None = None) -> Conversation:
    """A conversation whose Hello has been said."""
    fresh = nonces()
    talk = Conversation(bot, nonce=lambda: next(fresh), lane=3, name="tester", games=("draw-bridge",), seed=seed)
    talk.hello()
    return talk


def hear(talk: Conversation, *messages: Message) -> list[play_pb2.PlayRequest]:
    """What the bot says to each message, one response after the other."""
    return [request for message in messages for request in talk.receive(both(message))]


def refused(decision_id: int, *, decision_ms: int | None = 3_000, strikes_left: int = 2) -> play_pb2.Event:
    """A strike."""
    text = "DB-6.3: spades were led"
    return rejected(decision_id, Reason.NOT_LEGAL, text, decision_ms=decision_ms, strikes_left=strikes_left)


def in_match(bot: Bot) -> Conversation:
    """A conversation in a match that has begun."""
    talk = converse(bot)
    hear(talk, welcome(), offered(), started())
    return talk


def test_hello_says_who_the_bot_is(bot: Diary) -> None:
    """Hello holds the protocol's version, the software, the lane, the games, the name and the wish for draws."""
    hello = Conversation(bot, nonce=bytes, lane=3, name="tester", games=("draw-bridge",)).hello().hello
    assert (hello.protocol_version, hello.software_name, hello.software_version) == (1, "diary", "7")
    assert (hello.lane, list(hello.games), hello.name, hello.auto_draw) == (3, ["draw-bridge"], "tester", True)
    assert not hello.HasField("resume")


def test_an_offer_is_accepted_with_a_fresh_nonce(bot: Diary) -> None:
    """Every match gets a nonce of its own."""
    talk = converse(bot)
    first = hear(talk, welcome(), offered("m1"))[0].ready
    hear(talk, ended("m1"))
    second = hear(talk, offered("m2"))[0].ready
    assert (first.match_id, second.match_id) == ("m1", "m2")
    assert len(first.nonce) == 16
    assert first.nonce != second.nonce


def test_a_match_from_offer_to_end(bot: Diary) -> None:
    """The bot hears of the start, is asked with all that there is to know, and hears of the end, each once."""
    talk = converse(bot)
    hear(talk, welcome(), offered())
    assert not bot.started, "an offer is no start"
    assert talk.in_match
    answer = hear(talk, both(started(), asked(4)))[0].choose
    assert (answer.decision_id, answer.WhichOneof("choice"), answer.index) == (4, "index", 0)
    assert [offer.match_id for offer in bot.started] == ["m1"]
    assert bot.started[0].rules == {"target": 300, "reveal": "hidden"}
    assert bot.started[0].names == ("tester", "other")
    decision = bot.asked[0]
    assert (decision.game, decision.seat, decision.phase, decision.hand) == ("draw-bridge", 0, "play", HAND)
    hear(talk, ended())
    assert talk.hello().hello.resume.match_id == ""
    result = bot.ended[0]
    assert (result.outcome, result.totals, result.termination) == (Outcome.WON, (310, 40), Termination.SCORE)
    assert (result.text, result.log_hash, result.at_fault) == ("tester won 310 - 40", b"h", None)


@pytest.mark.parametrize(
    ("answer", "index"), [(LEGAL[1], 1), ("play 9H", 1), ("play h9", 1), (HAND[2], 2), (2, 2), (Choice(1, "why"), 1)]
)
def test_a_legal_answer_goes_by_index(answer: Answer, index: int) -> None:
    """Whatever form a legal answer has, its index is sent."""
    choose = hear(in_match(Diary(answer)), asked())[0].choose
    assert choose.WhichOneof("choice") == "index"
    assert choose.index == index


def test_a_note_is_cut_to_what_fits() -> None:
    """A note of more than 512 bytes loses its end, and never half a letter."""
    choose = hear(in_match(Diary(Choice(0, "é" * 400))), asked())[0].choose
    assert choose.note == "é" * 256
    choose = hear(in_match(Diary(Choice(0, "x" + "é" * 400))), asked())[0].choose
    assert choose.note == "x" + "é" * 255


def test_an_action_that_is_not_legal_is_the_arenas_to_judge() -> None:
    """An action that was not offered is sent as it is."""
    choose = hear(in_match(Diary(PASS)), asked())[0].choose
    assert choose.action == action_pb2.Action(call=action_pb2.Call(kind=action_pb2.CALL_KIND_PASS))


def test_a_discard_is_found_in_any_order() -> None:
    """The cards of a discard may be named in any order, and the offered one is meant."""
    offered_discards = (Discard(HAND[:2]), Discard(HAND[1:]))
    choose = hear(in_match(Diary(Discard((HAND[2], HAND[1])))), asked(0, offered_discards))[0].choose
    assert choose.index == 1


@pytest.mark.parametrize("answer", [3, -1, True, None, "knit 2C", 1.5])
def test_what_is_no_answer_is_the_bots_own_error(answer: Answer) -> None:
    """Something that cannot be sent raises, and nothing is sent."""
    with pytest.raises((ValueError, TypeError), match=r"is no|is none"):
        hear(in_match(Diary(answer)), asked())


def test_resigning_names_the_match() -> None:
    """The answer Resign gives the match up."""
    assert hear(in_match(Diary(Resign())), asked())[0].resign.match_id == "m1"


def test_actions_of_an_unknown_kind_can_be_chosen() -> None:
    """An action that this version does not know stands in legal and is chosen by its index or as it stands there."""
    response = asked()
    response.events[0].decision.legal[1].Clear()
    bot = Diary(1)
    assert hear(in_match(bot), response)[0].choose.index == 1
    assert hear(in_match(Diary(bot.asked[0].legal[1])), response)[0].choose.index == 1


def test_unknown_events_are_skipped_and_counted(bot: Diary) -> None:
    """An event of an unknown kind does no harm, and its seq counts for a resume."""
    talk = in_match(bot)
    strange = b"\x08\x03" + b"\x9a\x06\x00"  # seq 3; field 99, an empty message
    hear(talk, play_pb2.PlayResponse.FromString(b"\x0a" + bytes([len(strange)]) + strange))
    assert bot.events == []
    assert talk.hello().hello.resume.last_seq == 3


def test_events_arrive_as_the_engines(bot: Diary) -> None:
    """The hook gets engine events; a card that was not shown is HIDDEN."""
    talk = in_match(bot)
    hear(talk, happened(1, card_drawn={"seat": 1}), happened(2, trick_taken={"seat": 0}))
    assert bot.events == [CardDrawn(1, HIDDEN), TrickTaken(0)]


def test_a_broken_stream_resumes_where_it_stood(bot: Diary) -> None:
    """Hello names match, seat and last seq; nothing is told twice, and the open question is answered again."""
    talk = in_match(bot)
    hear(talk, happened(6, trick_taken={"seat": 0}), asked(8))
    resume = talk.hello().hello.resume
    assert (resume.match_id, resume.seat, resume.last_seq) == ("m1", 0, 6)
    again = both(
        resumed(last_seq=7), happened(6, trick_taken={"seat": 0}), happened(7, trick_taken={"seat": 1}), asked(8)
    )
    assert [request.choose.decision_id for request in hear(talk, welcome(), again)] == [8]
    assert bot.events == [TrickTaken(0), TrickTaken(1)]
    assert len(bot.started) == 1, "the start is told once"


def test_a_new_process_takes_up_a_match(bot: Diary) -> None:
    """A match that this process has not seen before starts for it with Resumed, once."""
    talk = converse(bot)
    requests = hear(talk, welcome(), both(resumed(), happened(5, trick_taken={"seat": 0}), asked(8)))
    assert [request.WhichOneof("message") for request in requests] == ["choose"]
    assert len(bot.started) == 1
    hear(talk, resumed(), started())
    assert len(bot.started) == 1


def test_a_resumed_match_that_waits_gets_the_same_nonce(bot: Diary) -> None:
    """Ready is said again, with the nonce of before, when the arena has not had it; the match has not started."""
    talk = converse(bot)
    first = hear(talk, welcome(), offered())
    talk.hello()
    second = hear(talk, welcome(), resumed(awaits_ready=True, last_seq=0))
    assert second == first
    assert not bot.started
    hear(talk, resumed(last_seq=0))
    assert not bot.started, "ready, but not yet begun"


def test_the_end_of_a_match_that_was_missed(bot: Diary) -> None:
    """A bot that was away hears of the end on its next stream, with whatever seq."""
    talk = in_match(bot)
    talk.hello()
    hear(talk, both(welcome(), ended(seq=0)))
    assert [result.match_id for result in bot.ended] == ["m1"]
    assert not talk.in_match


def test_the_end_of_another_match_is_none_of_this_one(bot: Diary) -> None:
    """The end of a match that is over for the bot, whatever its seq, leaves the running match and its seq alone."""
    talk = in_match(bot)
    hear(talk, happened(5, trick_taken={"seat": 0}), ended("m0", seq=80), happened(6, trick_taken={"seat": 1}))
    assert [event for event in bot.events if isinstance(event, TrickTaken)] == [TrickTaken(0), TrickTaken(1)]
    assert bot.ended == []
    assert talk.hello().hello.resume.last_seq == 6


def test_an_arena_that_has_forgotten_is_heard_again(bot: Diary) -> None:
    """Where a power cut took the arena back behind what the bot was told, events and end count as they come now."""
    talk = in_match(bot)
    hear(talk, happened(5, trick_taken={"seat": 0}), happened(6, trick_taken={"seat": 0}))
    talk.hello()
    hear(talk, welcome(), resumed(last_seq=5), happened(5, trick_taken={"seat": 1}))
    assert [event for event in bot.events if isinstance(event, TrickTaken)][-1] == TrickTaken(1)
    hear(talk, ended(seq=4))
    assert [result.match_id for result in bot.ended] == ["m1"]


def test_a_new_offer_means_that_the_old_match_is_gone(bot: Diary) -> None:
    """An arena that offers a match knows of no other on this lane."""
    talk = in_match(bot)
    talk.hello()
    ready = hear(talk, welcome(), offered("m2"))
    assert ready[0].ready.match_id == "m2"
    hear(talk, ended("m1"))
    assert talk.in_match, "the end of a match of before ends nothing"


def test_after_a_strike_the_bot_is_asked_again() -> None:
    """A refused answer is told to the bot, which is asked again with the time that is left now."""
    bot = Diary(PASS, 1)
    talk = in_match(bot)
    hear(talk, asked(5))
    again = hear(talk, refused(5))
    assert again[0].choose.index == 1
    assert bot.refused[0].reason is Reason.NOT_LEGAL
    assert (bot.refused[0].text, bot.refused[0].strikes_left) == ("DB-6.3: spades were led", 2)
    assert bot.asked[1].time_left.decision_us == 3_000_000
    assert bot.asked[1].legal == bot.asked[0].legal


@pytest.mark.parametrize("reason", ["STALE_DECISION", "ALREADY_DECIDED", "NOT_YOUR_TURN", "UNSPECIFIED"])
def test_a_harmless_rejection_is_not_answered(bot: Diary, reason: str) -> None:
    """Only a strike asks again: to answer anything else would only make more of the same."""
    talk = in_match(bot)
    hear(talk, asked(5))
    harmless = refused(5)
    harmless.rejected.reason = play_pb2.RejectionReason.Value(f"REJECTION_REASON_{reason}")
    assert hear(talk, harmless) == []
    assert len(bot.refused) == 1


def test_a_strike_for_another_decision_is_not_answered(bot: Diary) -> None:
    """A rejection of an older answer leaves the open question alone."""
    talk = in_match(bot)
    hear(talk, asked(5), asked(7))
    assert hear(talk, refused(5)) == []


def test_the_last_strike_is_not_answered(bot: Diary) -> None:
    """A strike without a clock has lost the match."""
    talk = in_match(bot)
    hear(talk, asked(5))
    assert hear(talk, refused(5, decision_ms=None, strikes_left=0)) == []


def test_a_question_that_is_closed_is_not_thought_about(bot: Diary) -> None:
    """A match that ended in the same message leaves nothing to answer."""
    assert hear(in_match(bot), both(asked(5), ended())) == []
    assert bot.asked == []


def test_every_question_is_answered_when_it_comes_again(bot: Diary) -> None:
    """A question that is put twice is answered twice: the first answer may be lost."""
    assert [request.choose.decision_id for request in hear(in_match(bot), asked(5), asked(5))] == [5, 5]


@pytest.mark.parametrize(("reason", "status"), [("REPLACED", 0), ("FINISHED", 0), ("PROTOCOL", 1)])
def test_a_goodbye_that_is_for_good(bot: Diary, reason: str, status: int) -> None:
    """Replaced and finished are good ends, a breach of the protocol is a bad one."""
    talk = converse(bot)
    hear(talk, welcome(), goodbye(reason, "farewell"))
    assert talk.ending is not None
    assert talk.ending.status == status
    assert "farewell" in talk.ending.text


@pytest.mark.parametrize("reason", ["SHUTDOWN", "UNSPECIFIED"])
def test_a_goodbye_to_come_back_from(bot: Diary, reason: str) -> None:
    """An arena that stops may come back; so may one that says a reason that is not known yet."""
    talk = converse(bot)
    hear(talk, welcome(), goodbye(reason))
    assert talk.ending is None


def test_no_match_is_accepted_when_the_bot_is_leaving(bot: Diary) -> None:
    """An offer that comes after the bot was told to leave is not answered."""
    talk = converse(bot)
    talk.closing = True
    assert hear(talk, welcome(), offered()) == []
    assert not talk.in_match


def test_a_match_elsewhere_is_not_accepted(bot: Diary) -> None:
    """A match at another endpoint is beyond this version, and it says so."""
    talk = converse(bot)
    assert hear(talk, welcome(), offered(endpoint="node2:7878")) == []
    assert talk.ending is not None
    assert talk.ending.status == 1
    assert "node2:7878" in talk.ending.text


def test_dice_fall_the_same_way_with_a_seed() -> None:
    """Dice depend on seed, match and seat alone, so a repeated run repeats itself on whatever lane."""

    def throw(seed: int | None, match_id: str) -> list[int]:
        bot = Diary()
        hear(converse(bot, seed=seed), welcome(), offered(match_id), asked())
        return [bot.asked[0].dice.randrange(1000) for _ in range(5)]

    assert throw(7, "m1") == throw(7, "m1")
    assert throw(7, "m1") != throw(7, "m2")
    assert throw(7, "m1") != throw(8, "m1")
    assert throw(None, "m1") != throw(None, "m1")


def test_an_end_of_an_unknown_kind_is_still_an_end(bot: Diary) -> None:
    """Numbers of a later version read as None, and the match is over all the same."""
    response = ended()
    response.events[0].match_ended.termination = 99  # type: ignore[assignment]  # a later version's
    response.events[0].match_ended.outcomes[0] = 9  # type: ignore[call-overload]  # a later version's
    hear(in_match(bot), response)
    assert bot.ended[0].termination is None
    assert bot.ended[0].outcomes == (None, Outcome.LOST)
