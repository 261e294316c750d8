"""Proves what a log can prove, and says what it cannot.

A log is evidence against its writer: whoever changed a byte, an action, a seed, a bill or a result, and made all
checksums fit again, has a match that the rules, the seed or the clocks contradict somewhere. Against a file that was
written anew as a whole there is only a hash that somebody kept.
"""

from __future__ import annotations

from collections.abc import Iterator

from arena.replay.bills import Bills, Conduct
from arena.replay.course import Course
from arena.replay.fairness import fairness, unbroken
from arena.replay.read import Replay
from arena.replay.report import Finding, Report, Verdict
from arena.replay.rerun import setting_of
from arena.wire import termination_from_proto
from engine.states import Termination


def verify(replay: Replay, *, known_hash: bytes | None, first_leg: Replay | None = None) -> Report:
    """Every finding on a replay. `known_hash` is the log hash from elsewhere: the record, or a bot's MatchEnded.

    A later leg of a set needs `first_leg`, the replay of its first. Raises BadReplay when this arena cannot play by the
    header at all, and says what would be needed.
    """
    setting = setting_of(replay, first_leg)
    course, bills, conduct = Course(setting), Bills(setting), Conduct(setting)
    for entry in replay.entries:
        course.take(entry)
        bills.take(entry)
        conduct.take(entry)
    findings = [
        *fairness(replay, setting, first_leg),
        *course.findings(replay),
        *bills.findings(),
        *conduct.findings(),
        *unbroken(replay, known_hash),
        *_never_provable(replay, conduct.rejections),
    ]
    return Report(replay.name, tuple(findings))


def _never_provable(replay: Replay, rejections: int) -> Iterator[Finding]:
    claims = [
        ("clock", "that the arena's clock was right: times are what it says"),
        ("secrecy", "that the operator told nobody about hidden cards"),
        ("collusion", "that two bots did not talk to each other elsewhere"),
    ]
    if rejections:
        claims.append(
            ("refusals", "that refused answers were what their texts say: the log keeps no answer but those taken")
        )
    ended = replay.ended
    termination = None if ended is None else termination_from_proto(ended.termination)
    if termination is Termination.RESIGN:
        claims.append(("resignation", "that the bot resigned by itself"))
    if termination is Termination.DISCONNECT:
        claims.append(("absence", "whose fault it was that the stream was lost, and how long a seat may be away"))
    for check, text in claims:
        yield Finding(Verdict.OPEN, check, text)
