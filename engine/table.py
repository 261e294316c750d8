"""The table: one match, its clocks and its faults, without input, output or a clock of its own.

What happens at the seats goes in (`ready`, `submit`, `resign`, `lost`, `back`, `tick`), with the time at which it
happened; a list of effects comes out. All times are microseconds since the match was offered. Every race (a late
answer, two answers, a drop in mid-turn) is decided here by the numbers that went in, so every race is a plain unit
test.

Time of a decision runs from its Ask to the answer's `now`; an answer whose charge is exactly the allowance is in time,
one microsecond more is not. There is no other tolerance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.action import DRAW, Action
from engine.clock import Bill, Clock, TimeLeft
from engine.effect import (
    Ask,
    Begin,
    Effect,
    EndStream,
    Finish,
    MarkBack,
    MarkLost,
    Record,
    Reject,
    Rejection,
    Tell,
)
from engine.errors import Refused
from engine.event import DealStarted, Event
from engine.match import Match
from engine.seat import Seat
from engine.states import MatchState, Step, Termination, follow
from engine.terms import SHORTEST_ABSENCE_US, STRAYS, STRIKES, TableTerms


class Table:
    """One match. `history` holds the current deal's events with their seq, for seats that come back.

    `lag` is how late the arena itself has been since the offer, in all; its owner keeps it up to date. That time is
    charged to nobody: not to a decision, not to an absence, not to the start.
    """

    def __init__(self, terms: TableTerms) -> None:
        self.terms = terms
        self.state = MatchState.OFFERED
        self.sides = terms.game.sides
        self.seats = [Seat(Clock.full(terms.control)) for _ in self.sides]
        self.match: Match | None = None
        self.seq = 0
        self.history: list[tuple[int, Event]] = []
        self._legal: Sequence[Action] = ()  # of the seat that is asked
        self._deciders = bytearray()  # who took decision 0, 1, 2, ...
        self.lag = 0
        self._asked_at: int | None = None  # None: nobody is asked, or the one asked is not back after a restart
        self._asked_lag = 0

    # -- what may be asked of the table

    @property
    def playing(self) -> Match:
        """The match; only when it has begun."""
        if self.match is None:
            raise RuntimeError("the match has not begun")
        return self.match

    @property
    def totals(self) -> tuple[int, ...]:
        """Each side's total after the last complete deal."""
        return self.match.totals if self.match is not None else (0,) * (max(self.sides) + 1)

    @property
    def turn(self) -> int | None:
        """The seat that is asked, None if none is."""
        return self.match.turn if self.match is not None and self.state is MatchState.PLAYING else None

    @property
    def decision_id(self) -> int:
        """The id of the pending decision: the number of actions so far."""
        return self.match.actions if self.match is not None else 0

    @property
    def acted(self) -> tuple[int, ...]:
        """How many actions each seat has taken, draws that were made for it included."""
        return tuple(map(self._deciders.count, range(len(self.seats))))

    @property
    def rejected(self) -> tuple[int, ...]:
        """How many answers of each seat were refused with a strike."""
        return tuple(seat.strikes for seat in self.seats)

    def deadline(self) -> int | None:
        """The time at which `tick` has something to do if nothing happens before; None when the match is over."""
        if self.state is MatchState.ENDED:
            return None
        if self.state is MatchState.OFFERED:
            return min(seat.start_by(self.terms) for seat in self.seats if seat.nonce is None) + self.lag
        limits = [until + self.lag for seat in self.seats if (until := seat.away_until(self.terms)) is not None]
        turn = self.turn
        if turn is not None and self._asked_at is not None:
            limits.append(self._asked_at + self.seats[turn].clock.allowance_us + self._late + 1)
        return min(limits, default=None)

    def left(self, now: int) -> TimeLeft | None:
        """The time of the seat that is asked, as of `now`."""
        turn = self.turn
        if turn is None:
            return None
        return self.seats[turn].clock.left(0 if self._asked_at is None else self._bill(now, self._asked_at).charged_us)

    def question(self, now: int) -> Ask | None:
        """The pending question with the true clock, for a seat that has come back."""
        turn, left = self.turn, self.left(now)
        if turn is None or left is None:
            return None
        return Ask(turn, self.decision_id, self._legal, left)

    # -- what happens at the seats

    def ready(self, seat: int, nonce: bytes, now: int) -> list[Effect]:
        """A seat accepts the match. The last one to do so begins it; a second Ready of a seat changes nothing."""
        if self.state is not MatchState.OFFERED or self.seats[seat].nonce is not None:
            return []
        self.seats[seat].nonce = nonce
        if any(other.nonce is None for other in self.seats):
            return []
        effects = self._begin()
        for number, place in enumerate(self.seats):
            if place.away_since is not None:
                place.away_since = now - self.lag  # before the start nobody's absence counts
                effects.append(MarkLost(number))
        self._ask(now, effects)
        return effects

    def submit(
        self, seat: int, decision_id: int, choice: Action | int | None, now: int, *, note: str = ""
    ) -> list[Effect]:
        """A seat answers: with an action, an index into the legal actions, or with nothing that is either (None)."""
        if self.state is MatchState.ENDED:
            return []
        if self.turn != seat or decision_id != self.decision_id or self._asked_at is None:
            return self._stray(seat, decision_id, now)
        bill = self._bill(now, self._asked_at)
        if self._is_late(seat, now):
            return self._forfeit(Termination.TIMEOUT, seat)
        return self._answer(seat, choice, bill, note, now)

    def resign(self, seat: int) -> list[Effect]:
        """A seat gives up. Before the match has begun nothing can be lost: the offer counts as not taken."""
        if self.state is MatchState.OFFERED:
            return self._void(Termination.VOID_NOT_READY, seat)
        return [] if self.state is MatchState.ENDED else self._forfeit(Termination.RESIGN, seat)

    def abandon(self, seat: int) -> list[Effect]:
        """A seat's bot is known never to come back: there is nothing to wait for."""
        if self.state is MatchState.OFFERED:
            return self._void(Termination.VOID_NOT_READY, seat)
        return [] if self.state is MatchState.ENDED else self._forfeit(Termination.DISCONNECT, seat)

    def lost(self, seat: int, now: int) -> list[Effect]:
        """A seat's stream is gone. The clock of its turn runs on."""
        place = self.seats[seat]
        if self.state is MatchState.ENDED or place.away_since is not None:
            return []
        place.away_since = now - self.lag
        return [MarkLost(seat)] if self.state is MatchState.PLAYING else []

    def back(self, seat: int, now: int) -> list[Effect]:
        """A seat has a stream again. Its clock has run on, unless the arena itself was away: then it is asked now.

        What it has to be told is `history` and `question`.
        """
        place = self.seats[seat]
        if self.state is MatchState.ENDED or place.away_since is None:
            return []
        away, place.away_since = max(SHORTEST_ABSENCE_US, now - self.lag - place.away_since), None
        excused, place.excused = place.excused, False
        if self.state is MatchState.OFFERED:
            if excused:
                place.offered = now - self.lag
            return []
        place.away_spent += away
        effects: list[Effect] = [MarkBack(seat)]
        if self.turn == seat and self._asked_at is None:
            self._ask(now, effects)
        return effects

    def tick(self, now: int) -> list[Effect]:
        """Time has passed: end the match if somebody's is up."""
        if self.state is MatchState.ENDED:
            return []
        if self.state is MatchState.OFFERED:
            late = [
                i
                for i, seat in enumerate(self.seats)
                if seat.nonce is None and now >= seat.start_by(self.terms) + self.lag
            ]
            if any(self.seats[seat].excused for seat in late):
                return self._void(Termination.VOID_ARENA)
            return self._void(Termination.VOID_NOT_READY, late[0] if len(late) == 1 else None) if late else []
        untils = [seat.away_until(self.terms) for seat in self.seats]
        gone = [seat for seat, until in enumerate(untils) if until is not None and until + self.lag <= now]
        turn = self.turn
        slow = turn if turn is not None and self._is_late(turn, now) else None
        out = gone if slow is None else [slow, *gone]
        if any(self.seats[seat].excused for seat in gone) or len({self.sides[seat] for seat in out}) > 1:
            return self._void(Termination.VOID_ARENA)  # of two sides that run out in one tick none was first
        if slow is not None:
            return self._forfeit(Termination.TIMEOUT, slow)
        return self._forfeit(Termination.DISCONNECT, gone[0]) if gone else []

    def void(self, termination: Termination) -> list[Effect]:
        """The arena or its operator ends the match; it counts for nothing."""
        return [] if self.state is MatchState.ENDED else self._void(termination)

    # -- coming back from the log

    def recall(self, records: Iterable[Record | Begin | Reject], nonces: tuple[bytes, ...]) -> list[Effect]:
        """Play a logged match again up to where the log ends: clocks and strikes too. Give what followed on the way.

        Raises Refused when the log holds what the rules forbid: it was edited, or written by other rules.
        """
        for seat, nonce in zip(self.seats, nonces, strict=True):
            seat.nonce = nonce or None
        effects: list[Effect] = []
        for record in records:
            match record:
                case Begin():
                    effects += self._begin()
                case Record():
                    effects += self._advance(record.seat, record.action, record.bill, record.note, auto=False)
                case Reject():
                    effects += self._strike(record.seat, record.reason, record.text, 0)
        return effects

    def restart(self, now: int) -> list[Effect]:
        """The arena is up again: all are away, with their whole allowance; no clock runs until its seat is back.

        An offer stands: whoever had not accepted it has the whole time for that again once it is back.
        """
        for seat in self.seats:
            seat.away_since, seat.away_spent, seat.excused = now - self.lag, 0, True
        self._asked_at = None
        effects: list[Effect] = []
        if self.state is MatchState.OFFERED:
            if any(seat.nonce is None for seat in self.seats):
                return effects
            effects += self._begin()  # all were ready, and that was the last word of the log
            effects += map(MarkLost, range(len(self.seats)))
        self._finish_or_draw(effects)
        return effects

    # -- inside

    def _begin(self) -> list[Effect]:
        nonces = tuple(seat.nonce or b"" for seat in self.seats)
        source = self.terms.source
        dealer = source.dealer(nonces)
        self.match = Match(self.terms.game, self.terms.rules, dealer, source.decks(nonces))
        self.state = follow(self.state, Step.ALL_READY)
        effects: list[Effect] = [Begin(dealer, nonces)]
        self._tell(self.match.start(), effects)
        self._legal = self.match.legal()
        return effects

    def _tell(self, events: list[Event], effects: list[Effect]) -> None:
        for event in events:
            self.seq += 1
            if isinstance(event, DealStarted):
                self.history.clear()
            self.history.append((self.seq, event))
            effects.append(Tell(self.seq, event))

    def _advance(
        self, seat: int, action: Action, bill: Bill | None, note: str = "", *, auto: bool = True
    ) -> list[Effect]:
        """Carry an action out, charge for it, and make the draws that the next seats leave to the arena."""
        match = self.playing
        record = Record(seat, match.actions, action, bill, note)
        events = match.apply(action)
        self._deciders.append(seat)
        self._asked_at = None
        for place in self.seats:
            place.strays = 0
        if bill is not None:
            self.seats[seat].clock = self.seats[seat].clock.charge(bill)
        effects: list[Effect] = [record]
        self._tell(events, effects)
        if auto:
            self._finish_or_draw(effects)
        return effects

    def _finish_or_draw(self, effects: list[Effect]) -> None:
        match = self.playing
        if match.ending is not None:
            self.state = follow(self.state, Step.DECIDED)
            effects.append(Finish(match.ending, match.winner, None, match.totals, match.deals_complete))
            return
        turn = match.turn
        self._legal = match.legal()
        if turn is not None and self._legal[0] is DRAW and any(self.terms.auto_draw[turn : turn + 1]):
            effects += self._advance(turn, DRAW, None)

    def _ask(self, now: int, effects: list[Effect]) -> None:
        turn = self.turn
        if turn is not None:
            self._asked_at, self._asked_lag = now, self.lag
            effects.append(Ask(turn, self.decision_id, self._legal, self.seats[turn].clock.left(0)))

    def _answer(self, seat: int, choice: Action | int | None, bill: Bill, note: str, now: int) -> list[Effect]:
        if isinstance(choice, int):
            legal = self._legal
            if not 0 <= choice < len(legal):
                text = f"index {choice} is none of the {len(legal)} legal actions, which are 0 to {len(legal) - 1}"
                return self._strike(seat, Rejection.MALFORMED, text, now)
            choice = legal[choice]
        if choice is None:
            return self._strike(
                seat, Rejection.MALFORMED, "the answer holds neither an index nor an action that there is", now
            )
        try:
            effects = self._advance(seat, choice, bill, note)
        except Refused as refusal:
            return self._strike(seat, Rejection.NOT_LEGAL, str(refusal), now)
        self._ask(now, effects)
        return effects

    @property
    def _late(self) -> int:
        """How late the arena has been since it asked."""
        return self.lag - self._asked_lag

    def _bill(self, now: int, asked_at: int) -> Bill:
        return Bill(now - asked_at, min(self._late, now - asked_at))

    def _is_late(self, seat: int, now: int) -> bool:
        if self._asked_at is None:
            return False
        return self._bill(now, self._asked_at).charged_us > self.seats[seat].clock.allowance_us

    def _stray(self, seat: int, decision_id: int, now: int) -> list[Effect]:
        place = self.seats[seat]
        place.strays += 1
        if place.strays > STRAYS:
            return [EndStream(seat, f"more than {STRAYS} answers to questions that are not open")]
        if decision_id < len(self._deciders) and self._deciders[decision_id] == seat:
            reason, text = Rejection.ALREADY_DECIDED, f"decision {decision_id} is answered: the first answer counts"
        elif self.turn != seat:
            reason, text = Rejection.NOT_YOUR_TURN, "it is not this seat's turn"
        else:
            reason, text = Rejection.STALE_DECISION, f"decision {decision_id} is not open: {self.decision_id} is"
        left = self.left(now) if self.turn == seat else None
        return [Reject(seat, decision_id, reason, text, left, STRIKES - place.strikes)]

    def _strike(self, seat: int, reason: Rejection, text: str, now: int) -> list[Effect]:
        place = self.seats[seat]
        place.strikes += 1
        effects: list[Effect] = []
        if place.strikes <= STRIKES:
            left = STRIKES - place.strikes
            effects.append(Reject(seat, self.decision_id, reason, text, self.left(now), left))
            return effects
        effects.append(Reject(seat, self.decision_id, reason, text, None, 0))
        named = Termination.ILLEGAL if reason is Rejection.NOT_LEGAL else Termination.MALFORMED
        return effects + self._forfeit(named, seat)

    def _forfeit(self, termination: Termination, seat: int) -> list[Effect]:
        self.state = follow(self.state, Step.FORFEITED)
        others = {side for side in self.sides if side != self.sides[seat]}
        winner = others.pop() if len(others) == 1 else None
        return [self._ended(termination, winner, seat)]

    def _void(self, termination: Termination, at_fault: int | None = None) -> list[Effect]:
        self.state = follow(self.state, Step.VOIDED)
        return [self._ended(termination, None, at_fault)]

    def _ended(self, termination: Termination, winner: int | None, at_fault: int | None) -> Finish:
        deals_complete = self.match.deals_complete if self.match is not None else 0
        return Finish(termination, winner, at_fault, self.totals, deals_complete)
