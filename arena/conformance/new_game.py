"""A match of a game that nobody has heard of, as a new arena might tell it: three seats, and a trade of cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from arena.conformance.newer import new_action
from arena.v1 import action_pb2, card_pb2, event_pb2, match_pb2, play_pb2, view_pb2

_SEATS: Final = 3
_FIRST_DECISION: Final = 1000
"""Far from the numbers of the match that follows."""
_DECISIONS: Final = 3
_HAND: Final = (card_pb2.CARD_C7, card_pb2.CARD_D9, card_pb2.CARD_HT, card_pb2.CARD_SJ, card_pb2.CARD_SA)


class NewGame:
    """The match, with the bot in seat 1; it is never told what became of its answers."""

    match_id = "tomorrow"

    @property
    def offer(self) -> play_pb2.Event:
        """With rules that are new too."""
        offered = play_pb2.MatchOffered(
            match_id=self.match_id,
            game="tomorrows-barter",
            rules_version=7,
            rules={"bells": "three", "widow": "-2", "stalls_open": "1"},
            time_control=match_pb2.TimeControl(bank_ms=60_000, increment_ms=500, cap_ms=10_000),
            seat=1,
            names=["dice-0", "tested", "dice-2"],
            sides=range(_SEATS),
            commitment=bytes(32),
            ready_within_ms=20_000,
        )
        return play_pb2.Event(match_offered=offered)

    @property
    def started(self) -> list[play_pb2.Event]:
        """All are ready, and the first hands are dealt."""
        hands = [
            event_pb2.HandDealt(seat=seat, cards=_HAND if seat == 1 else [card_pb2.CARD_UNSPECIFIED] * len(_HAND))
            for seat in range(_SEATS)
        ]
        return [
            play_pb2.Event(match_started=play_pb2.MatchStarted(match_id=self.match_id)),
            play_pb2.Event(seq=1, deal_started=event_pb2.DealStarted(dealer=2)),
            *(play_pb2.Event(seq=seq, hand_dealt=hand) for seq, hand in enumerate(hands, start=2)),
        ]

    @property
    def questions(self) -> Iterator[play_pb2.Event]:
        """Each offers known things between new ones."""
        view = view_pb2.View(
            seat=1,
            dealer=2,
            phase="barter",
            hand=_HAND,
            hand_counts=[len(_HAND)] * _SEATS,
            taken=[0] * _SEATS,
            totals=[0] * _SEATS,
        )
        legal = [
            new_action(1),
            new_action(2),
            *(action_pb2.Action(play=action_pb2.Play(card=card)) for card in _HAND),
            new_action(3),
        ]
        clock = match_pb2.Clock(bank_ms=60_000, decision_ms=10_000)
        for number in range(_DECISIONS):
            asked = play_pb2.Decision(decision_id=_FIRST_DECISION + number, view=view, legal=legal, clock=clock)
            yield play_pb2.Event(decision=asked)

    @property
    def end(self) -> play_pb2.Event:
        """Somebody else has won."""
        ended = play_pb2.MatchEnded(
            match_id=self.match_id,
            outcomes=[match_pb2.OUTCOME_WON, match_pb2.OUTCOME_LOST, match_pb2.OUTCOME_LOST],
            totals=[3, 1, 0],
            termination=match_pb2.TERMINATION_SCORE,
            text="dice-0 wins 3 to 1 and 0.",
            log_hash=bytes(32),
        )
        return play_pb2.Event(seq=_SEATS + 2, match_ended=ended)
