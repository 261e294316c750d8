package main

import (
	"fmt"
	"math"

	pb "drawbridge-arena/bot/gen/arena/v1"
)

// choose is the strategy: the index of a legal action, and a note for the replay. It knows nothing but the question,
// so a broken stream costs it nothing.
func choose(decision *pb.Decision) (best int, note string) {
	view, most := decision.GetView(), math.MinInt
	for index, action := range decision.Legal {
		// Two of the three are 0, and all of them for a draw and for a kind of action that is new to this bot.
		worth := worthOfCall(action.GetCall(), view.GetHand()) + worthOfCard(action.GetPlay().GetCard(), view)
		for _, card := range action.GetDiscard().GetCards() {
			worth -= rank(card)
		}
		if worth > most {
			best, most = index, worth
		}
	}
	return best, fmt.Sprintf("worth %d, best of %d", most, len(decision.Legal))
}

// worthOfCall is 0 for a pass, more for a bid that the hand can make, less for all others. It counts in half tricks:
// honours, and trumps beyond the other cards; for a bid that names no trump the honours alone.
func worthOfCall(call *pb.Call, hand []pb.Card) int {
	if call.GetKind() != pb.CallKind_CALL_KIND_BID {
		return -int(max(0, call.GetKind()-pb.CallKind_CALL_KIND_PASS))
	}
	worth := -2*int(call.Level) - len(hand)*int(min(call.Strain, 1))
	for _, card := range hand {
		worth += max(0, rank(card)-11)
		if suit(card) == call.Strain {
			worth += 2
		}
	}
	return worth
}

// worthOfCard likes to win a trick as cheaply as it can, and to throw the lowest card where it cannot or need not.
func worthOfCard(card pb.Card, view *pb.View) int {
	trick, trump, holder := view.GetTable().GetCards(), view.GetTrump(), 0
	for place, other := range trick {
		if beats(other, trick[holder], trump) {
			holder = place
		}
	}
	partners := (int(view.GetTable().GetLeader())+holder-int(view.GetSeat()))%2 == 0 // they sit opposite each other
	wanted := view.GetPhase() != "draw" || rank(view.GetShown()) > 9                 // it wins the card that is shown
	switch {
	case wanted && len(trick) == 0:
		return rank(card)
	case wanted && !partners && beats(card, trick[holder], trump):
		return 100 - rank(card)
	}
	return -rank(card)
}

func beats(card, holder pb.Card, trump pb.Strain) bool {
	return suit(card) == suit(holder) && card > holder || suit(card) == trump && suit(holder) != trump
}

func suit(card pb.Card) pb.Strain { return pb.Strain(card / 16) }
func rank(card pb.Card) int       { return int(card % 16) }
