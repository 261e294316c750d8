"""How a steady player bids, puts away and plays Smear: rules of thumb about its four points (SM-6).

Whoever plays the ace and the 7 of trumps has their points, whatever becomes of the trick, so these two are simply
counted. The jack must be brought home, and the game point is won trick by trick: that is what the play is about. Each
card is weighed by the chance that the trick is ours with it, times what lies in the trick, less what the card would be
worth later. So tens go to a partner who is winning, and cheap cards to opponents.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from arena.bot import Answer, Choice, Decision
from engine.action import PASS, PLAYS, Call, CallKind, Discard
from engine.card import PACK_32, SUITS, Card, Strain
from sample_bots.python.tricks import beats

ACE, TEN, JACK, SEVEN = 14, 10, 11, 7
CARD_POINTS: Final = {ACE: 4, 13: 3, 12: 2, JACK: 1, TEN: 10}
"""What a card counts towards the game point (SM-6.4)."""
GAME: Final = 40
"""So many card points are worth about one point: half of the pack."""
PARTNER: Final = 0.5
"""So many points more come from a partner."""
STRETCH: Final = 3
"""This near to the end an opponent must be kept from the bid."""
DARING: Final = 0.2
"""So many points may then be missing."""
OPEN: Final = 0.05
"""What a trick is about before any card of value lies in it."""
TRUMP_POWER: Final = 0.3
SIDE_POWER: Final = 0.1
"""What the highest card of a suit is worth while it is kept."""


def choose(decision: Decision, boldness: int = 0) -> Answer:
    """What a steady player does, or one who hopes for so many points more when he bids."""
    match decision.phase:
        case "auction":
            return bid(decision, boldness)
        case "discard":
            return discard(decision)
        case _:
            return play(decision)


def bid(decision: Decision, boldness: int = 0) -> Answer:
    """The lowest bid there is, if the best suit promises as much; else pass."""
    bids = [call for call in decision.legal if isinstance(call, Call) and call.kind is CallKind.BID]
    cheapest = min(bids, key=lambda call: call.level, default=PASS)
    kitty = int(decision.rules["kitty_cards"])
    best = max(promise(decision.hand, suit, kitty) for suit in SUITS)
    short = int(decision.rules["target"]) - max(decision.view.totals)
    hoped = best + PARTNER + boldness + (0.0 if short > STRETCH else DARING)
    call = cheapest if hoped >= cheapest.level or PASS not in decision.legal else PASS
    return Choice(call, note=f"{best:.1f} points promised")


def promise(hand: Sequence[Card], trump: Strain, kitty: int = 0) -> float:
    """The points that a hand may hope for with this trump suit, and so many undealt cards to come."""
    ranks = {card.rank for card in hand if card.suit is trump}
    if not ranks:
        return 0.0
    luck = kitty / (len(PACK_32) - len(hand))  # the chance that a card which is missed comes with the kitty
    high = 1.0 if ACE in ranks else luck
    low = 1.0 if SEVEN in ranks else luck
    caught = 0.1 * len(ranks) + (0.25 if ACE in ranks else 0.0)
    jack = min(0.95, 0.3 + caught) if JACK in ranks else 0.3 * caught
    aces = sum(card.rank == ACE and card.suit is not trump for card in hand)
    game = min(0.9, 0.13 * len(ranks) + 0.1 * aces + 0.1 * high + 0.05 * kitty)
    return high + low + jack + game


def best_suit(hand: Sequence[Card], suits: Collection[Strain] = SUITS) -> Strain:
    """The suit that promises most as trump."""
    return max(suits, key=lambda suit: promise(hand, suit))


def discard(decision: Decision) -> Answer:
    """Keep the trumps and the side aces, put away tens, which count for the game from there, and shorten suits."""
    trump = best_suit(decision.hand)
    options = [action for action in decision.legal if isinstance(action, Discard)]
    best = max(options, key=lambda option: kept_well(decision.hand, option.cards, trump))
    return Choice(best, note=f"{trump.name.lower()} will be trumps")


def kept_well(hand: Sequence[Card], away: Sequence[Card], trump: Strain) -> float:
    """How good it is to put these cards away."""
    kept = [card for card in hand if card not in away]
    void = sum(all(card.suit is not suit for card in kept) for suit in SUITS)
    return 12 * promise(kept, trump) + sum(CARD_POINTS.get(card.rank, 0) for card in away) / 4 + void / 2


def play(decision: Decision) -> Answer:
    """The card that is worth most now and later. The first lead names trump (SM-5.1)."""
    trump, plays = decision.trump, decision.plays
    if trump is Strain.NONE:
        trump = best_suit(decision.hand, {card.suit for card in plays})
        plays = tuple(card for card in plays if card.suit is trump)
    return PLAYS[max(plays, key=lambda card: worth(card, trump, decision))]


def worth(card: Card, trump: Strain, decision: Decision) -> float:
    """What it brings to play `card`, in points: the trick if it is ours, less what the card could do later."""
    trick = (*decision.trick, card)
    leader = decision.seat - len(decision.trick)
    winner = winning(trick, trump)
    ours = (leader + winner - decision.seat) % 2 == 0
    unseen = [other for other in PACK_32 if other not in decision.seen]
    better = sum(beats(other, trick[winner], trump) for other in unseen)
    chance = 1.0 if ours else 0.0
    for place in range(len(trick), 4):
        cards = decision.view.hand_counts[(leader + place) % 4]
        held = 1 - (1 - cards / max(cards, len(unseen))) ** better
        theirs = (leader + place - decision.seat) % 2 == 1
        chance = chance * (1 - held) if theirs else chance + (1 - chance) * held / 2
    return (2 * chance - 1) * stake(trick, trump) - later(card, trump, unseen)


def winning(trick: Sequence[Card], trump: Strain) -> int:
    """The place in the trick of the card that wins it so far."""
    best = 0
    for place, card in enumerate(trick):
        if beats(card, trick[best], trump):
            best = place
    return best


def stake(trick: Iterable[Card], trump: Strain) -> float:
    """What the trick is about, in points; a little of it for the cards that are still to come."""
    jack = any(card.rank == JACK and card.suit is trump for card in trick)
    return jack + OPEN + sum(CARD_POINTS.get(card.rank, 0) for card in trick) / GAME


def later(card: Card, trump: Strain, unseen: Sequence[Card]) -> float:
    """What the card could do in a later trick: win it, the more surely the fewer are left that beat it."""
    above = sum(other.suit is card.suit and other > card for other in unseen)
    trumps = sum(other.suit is trump for other in unseen)
    power = TRUMP_POWER / (1 + above) if card.suit is trump else SIDE_POWER / (1 + above + trumps / 2)
    return power + (0.3 if card.rank == JACK and card.suit is trump else 0.0)
