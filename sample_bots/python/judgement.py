"""Rules of thumb that the sample bots share, for any game: what a card, a hand and a trick are worth.

Nothing here searches or remembers. Whoever has counted more says so: with `unseen`, the cards that may still come.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import takewhile
from typing import Final

from arena.bot import Answer, Decision
from engine.action import DOUBLE, PASS, PLAYS, REDOUBLE, Call, CallKind, Discard
from engine.card import PACK_32, PACK_52, SUITS, Card, Strain
from engine.event import ContractSet
from sample_bots.python.four_points import PARTNER, best_suit, promise, winning
from sample_bots.python.tricks import beats

HONOURS: Final = {14: 10.0, 13: 7.0, 12: 4.5, 11: 3.0, 10: 2.0}
"""What a card is worth to keep, by its rank; a smaller card a tenth of its rank."""
LENGTH: Final = 1.2
"""What each card of its suit adds to that."""
TRUMP_LENGTH: Final = 4
"""So many cards make a suit worth thinking of as trump."""
LONG: Final = 3.5
"""So many tricks come with such a suit, whatever else is held: the other hand is short of it."""


# -- cards


def length(suit: Strain, hand: Sequence[Card]) -> int:
    """How many cards of a suit a hand has."""
    return sum(card.suit is suit for card in hand)


def keeping(card: Card, hand: Sequence[Card]) -> float:
    """What it is worth to have a card in this hand."""
    return HONOURS.get(card.rank, card.rank / 10) + LENGTH * length(card.suit, hand)


def unseen(decision: Decision) -> list[Card]:
    """The cards that this seat has not seen in this deal."""
    pack = PACK_32 if decision.game == "smear" else PACK_52
    seen = decision.seen
    return [card for card in pack if card not in seen]


# -- bids


def shown_tricks(hand: Sequence[Card], strain: Strain) -> float:
    """The tricks of 13 that a hand shows in a denomination."""
    aces = sum(card.rank == 14 and card.suit is not strain for card in hand)
    kings = sum(card.rank == 13 for card in hand)
    if strain is Strain.NOTRUMP:
        return 2 * aces + kings / 2
    trumps = length(strain, hand)
    high = sum(card.rank >= 12 and card.suit is strain for card in hand)
    return high + (LONG + trumps / 2 + aces / 3 if trumps >= TRUMP_LENGTH else aces)


def shown_level(bid: Call, decision: Decision) -> float:
    """The level that a hand shows: tricks over six in the bid's denomination, or points where bids name none."""
    if bid.strain is not Strain.NONE:
        return shown_tricks(decision.hand, bid.strain) - 6
    kitty = int(decision.rules.get("kitty_cards", 0))
    return PARTNER + max(promise(decision.hand, suit, kitty) for suit in SUITS)


def sound_bids(decision: Decision, more: float = 0.0) -> list[Call]:
    """The bids that a hand is worth, or would be with so many levels more; the safest first."""
    bids = [action for action in decision.legal if isinstance(action, Call) and action.kind is CallKind.BID]
    spare = {bid: shown_level(bid, decision) + more - bid.level for bid in bids}
    return sorted((bid for bid in bids if spare[bid] >= 0), key=lambda bid: -spare[bid])


def no_bid(decision: Decision) -> Answer:
    """Pass; the least bid where passing is not allowed."""
    calls = [action for action in decision.legal if isinstance(action, Call)]
    return PASS if PASS in calls else min(calls, key=lambda call: (call.level, call.strain))


def bid_by_strength(decision: Decision, more: float = 0.0) -> Answer:
    """The safest bid that the hand is worth, unless what is bid is one's own side's already; else pass."""
    standing = standing_contract(decision)
    if standing and decision.offer.sides[standing.declarer] == decision.side:
        return no_bid(decision)
    return next(iter(sound_bids(decision, more)), no_bid(decision))


def standing_contract(decision: Decision) -> ContractSet | None:
    """The last bid of the auction as the contract that a pass would make it."""
    calls = decision.view.calls
    after = list(takewhile(lambda made: made.call.kind is not CallKind.BID, reversed(calls)))
    if len(after) == len(calls):
        return None
    bid = calls[-1 - len(after)]
    multiplier = 2 ** sum(made.call in (DOUBLE, REDOUBLE) for made in after)
    return ContractSet(bid.seat, bid.call.level, bid.call.strain, multiplier)


def discard(decision: Decision) -> Answer:
    """Put away what is worth least together."""
    options = [action for action in decision.legal if isinstance(action, Discard)]
    return min(options, key=lambda option: sum(keeping(card, decision.hand) for card in option.cards))


# -- tricks


def trump_of(decision: Decision) -> Strain:
    """The trump suit; while the first lead is still to name it (SM-5.1), the one that it should name."""
    if decision.trump is not Strain.NONE or decision.phase != "play":
        return decision.trump
    return best_suit(decision.hand, {card.suit for card in decision.plays})


def candidates(decision: Decision) -> list[Card]:
    """The cards to choose from, the cheapest first; the lead that names trump is one of that suit."""
    trump = trump_of(decision)
    naming = trump is not decision.trump
    plays = [card for card in decision.plays if card.suit is trump or not naming]
    return sorted(plays, key=lambda card: card.rank + 13 * (card.suit is trump))


def takes(card: Card, decision: Decision) -> bool:
    """Whether a card takes the trick from all that lies in it."""
    if decision.phase == "draw" and decision.rules.get("draw_winner") == "any":
        return all(card.rank > other.rank for other in decision.trick)
    return winning((*decision.trick, card), decision.trump) == len(decision.trick)


def surely_takes(card: Card, decision: Decision, coming: Collection[Card]) -> bool:
    """Whether it takes the trick whichever of the cards that may be coming is played after it."""
    if len(decision.trick) + 1 == len(decision.view.hand_counts):
        return takes(card, decision)
    any_suit = decision.phase == "draw" and decision.rules.get("draw_winner") == "any"
    trump = trump_of(decision)
    better = (other.rank > card.rank if any_suit else beats(other, card, trump) for other in coming)
    return takes(card, decision) and not any(better)


def is_ours(decision: Decision) -> bool:
    """Whether the trick, as it lies there, goes to one's own side."""
    table, sides = decision.view.table, decision.offer.sides
    if table is None or not table.cards:
        return False
    return sides[(table.leader + winning(table.cards, decision.trump)) % len(sides)] == decision.side


def draw_trick(decision: Decision, coming: Collection[Card]) -> Answer:
    """Throw away what is worth least; but fight for a good card that lies face up (DB-4.10), if that is cheap."""
    hand, shown = decision.hand, decision.view.shown
    cheapest = min(decision.plays, key=lambda card: keeping(card, hand))
    if shown:
        usual = sum(keeping(card, hand) for card in coming) / max(1, len(coming))
        spare = keeping(shown, hand) - usual + keeping(cheapest, hand)
        winners = [card for card in decision.plays if keeping(card, hand) < spare]
        winners = [card for card in winners if surely_takes(card, decision, coming)]
        cheapest = min(winners, key=lambda card: keeping(card, hand), default=cheapest)
    return PLAYS[cheapest]


def play_cheaply(decision: Decision) -> Answer:
    """Lead the best card; take the trick from an opponent as cheaply as possible; else give the lowest card."""
    plays = candidates(decision)
    if not decision.trick:
        return PLAYS[max(plays, key=lambda card: keeping(card, decision.hand))]
    winners = (card for card in plays if takes(card, decision) and not is_ours(decision))
    return PLAYS[next(winners, plays[0])]
