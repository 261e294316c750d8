"""Does the log tell a match that the rules allow, from the first deal to the result?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from arena.errors import BadReplay
from arena.replay.read import Entry, Replay
from arena.replay.report import Check, Finding, Verdict
from arena.replay.rerun import OutOfTurn, Setting, act, place_of_action
from arena.replay.words import disagreement
from arena.v1 import replay_pb2
from arena.wire import termination_from_proto
from engine.event import DealScored
from engine.match import Match
from engine.states import Termination

RESULT: Final = "result"
"""The check that a log without its end fails."""


class Course:
    """Plays the match again, entry by entry. After an action that does not fit it looks no further at the play."""

    def __init__(self, setting: Setting) -> None:
        self._setting = setting
        self._match: Match | None = None
        self._broken = False
        self._ended = False
        self._ready: set[int] = set()
        self._unscored: list[DealScored] = []
        self._at_us = 0
        self._order = Check("order")
        self._turns = Check("turns")
        self._actions = Check("actions")
        self._scores = Check("scores")
        self._result = Check(RESULT)
        self._count = 0

    def take(self, entry: Entry) -> None:
        """Look at the next entry."""
        self._follow(entry)
        match entry.kind:
            case "ready":
                self._ready.add(entry.frame.ready.seat)
                if self._match is not None:
                    self._order.fail(entry.where, "a seat is ready after the start")
            case "started":
                self._start(entry)
            case "asked":
                self._ask(entry)
            case "action":
                self._act(entry)
            case "deal":
                self._score(entry)
            case "restarted":
                self._unscored = []  # the end of the log that a power cut took may have held the score
            case "ended":
                self._end(entry)

    def findings(self, replay: Replay) -> Iterator[Finding]:
        """What has been found."""
        if not self._ended:
            self._result.fail("end of file", "the log has no end: the match is still running, or the end was cut off")
        match = self._match
        deals = 0 if match is None else match.deals_complete
        yield self._order.finding(f"{len(replay.entries)} entries follow each other as they must")
        yield self._turns.finding(f"{self._count} actions by the seat in turn, decisions numbered without gaps")
        yield self._so_far(self._actions, f"{self._count} actions, each allowed by the rules")
        dealt = 0 if match is None else match.deal_no + 1
        if not self._broken:
            yield Finding(Verdict.PROVED, "decks", f"{dealt} dealt again from the seed; every card came from them")
        yield self._so_far(self._scores, f"{deals} deals scored again, points and totals are the same")
        yield self._so_far(
            self._result, "termination, winner, totals and number of deals are those of the match played again"
        )

    def _so_far(self, check: Check, proved: str) -> Finding:
        """The finding of a check that looks no further once the play is broken."""
        finding = check.finding(proved)
        if self._broken and finding.verdict is Verdict.PROVED:
            return Finding(Verdict.OPEN, check.name, "not looked at behind the entry that does not fit")
        return finding

    def _follow(self, entry: Entry) -> None:
        if self._ended:
            self._order.fail(entry.where, f"an entry ({entry.kind}) after the end of the match")
        if entry.frame.at_us < self._at_us:
            self._order.fail(entry.where, f"the time goes back from {self._at_us} to {entry.frame.at_us} us")
        self._at_us = max(self._at_us, entry.frame.at_us)

    def _start(self, entry: Entry) -> None:
        if self._match is not None:
            self._order.fail(entry.where, "a second start")
            return
        if len(self._ready) < len(self._setting.game.sides):
            self._order.fail(entry.where, "the match starts before every seat is ready")
        self._match = self._setting.begin()
        if self._match is None:
            self._broken = True
        else:
            self._match.start()

    def _ask(self, entry: Entry) -> None:
        asked, match = entry.frame.asked, self._match
        if self._broken:
            return
        self._want_scored(entry)
        if match is None or asked.seat != match.turn or asked.decision_id != match.actions:
            due = "nothing" if match is None or match.turn is None else f"decision {match.actions} of seat {match.turn}"
            self._turns.fail(
                entry.where, f"seat {asked.seat} was asked for decision {asked.decision_id}, and {due} was due"
            )

    def _act(self, entry: Entry) -> None:
        if self._broken:
            return
        self._want_scored(entry)
        if self._match is None:
            self._turns.fail(place_of_action(entry), "the match has not started")
            self._broken = True
            return
        try:
            events = act(self._match, entry)
        except OutOfTurn as fault:
            self._turns.fail(fault.where, fault.what)
            self._broken = True
        except BadReplay as fault:
            self._actions.fail(fault.where, fault.what)
            self._broken = True
        else:
            self._count += 1
            self._unscored = [event for event in events if isinstance(event, DealScored)]

    def _score(self, entry: Entry) -> None:
        if self._broken:
            return
        if not self._unscored:
            self._scores.fail(entry.where, f"deal {entry.frame.deal.deal_no} is scored, and no deal was over")
            return
        logged, scored = entry.frame.deal, self._unscored.pop(0)
        for name, said, found in (
            ("number", logged.deal_no, scored.deal_no),
            ("points", tuple(logged.points), scored.points),
            ("totals", tuple(logged.totals), scored.totals),
        ):
            if said != found:
                self._scores.fail(entry.where, f"deal {scored.deal_no} has the {name} {said}, played again {found}")

    def _want_scored(self, entry: Entry) -> None:
        for scored in self._unscored:
            self._scores.fail(entry.where, f"the score of deal {scored.deal_no} is missing before this entry")
        self._unscored = []

    def _end(self, entry: Entry) -> None:
        self._ended = True
        if self._broken:
            return
        self._want_scored(entry)
        ended, match = entry.frame.ended, self._match
        sides = self._setting.game.sides
        totals = (0,) * (max(sides) + 1) if match is None else match.totals
        deals = 0 if match is None else match.deals_complete
        if tuple(ended.totals) != totals:
            self._result.fail(entry.where, f"the totals are {tuple(ended.totals)}, played again {totals}")
        if ended.deals_complete != deals:
            self._result.fail(entry.where, f"{ended.deals_complete} deals were complete, played again {deals}")
        termination = termination_from_proto(ended.termination)
        if termination is None:
            self._result.fail(entry.where, f"it ends in a way that this arena does not know ({ended.termination})")
            return
        self._compare_ending(entry, termination, ended, match)

    def _compare_ending(
        self, entry: Entry, termination: Termination, ended: replay_pb2.LoggedEnd, match: Match | None
    ) -> None:
        ending = None if match is None else match.ending
        winner = ended.winner if ended.HasField("winner") else None
        at_fault = ended.at_fault if ended.HasField("at_fault") else None
        by_rules = not termination.void and not termination.forfeit
        if ending is not None and termination is not ending:
            self._result.fail(entry.where, f"it ended by {termination.value}, played again by {ending.value}")
        elif ending is None and by_rules:
            self._result.fail(entry.where, f"it ended by {termination.value}, played again it goes on")
        elif ending is not None and match is not None and winner != match.winner:
            self._result.fail(entry.where, f"the winner is {winner}, played again {match.winner}")
        wrong = disagreement(termination, self._setting.game.sides, at_fault, winner, tuple(ended.totals))
        if wrong is not None:
            self._result.fail(entry.where, wrong)
