package main

import (
	"fmt"
	"math/rand/v2"

	pb "drawbridge-arena/bot/gen/arena/v1"
)

// choose is the strategy: the index of a legal action, and a note for the replay. It needs nothing but its arguments,
// so a broken stream costs it nothing. With the same seed it chooses the same way again.
func choose(decision *pb.Decision, offer *pb.MatchOffered, seed uint64) (int, string) {
	dice := rand.New(rand.NewPCG(seed, decision.DecisionId))
	best, most := 0, -1e9
	for index, action := range decision.Legal {
		worth := dice.Float64() / 10 // who knows nothing better rolls dice
		switch kind := action.Kind.(type) {
		case *pb.Action_Call:
			worth += worthOfCall(kind.Call, decision.View)
		case *pb.Action_Discard:
			for _, card := range kind.Discard.Cards {
				worth -= keeping(card, decision.View.Hand)
			}
		case *pb.Action_Play:
			worth += worthOfCard(kind.Play.Card, decision.View, offer)
		}
		if worth > most {
			best, most = index, worth
		}
	}
	return best, fmt.Sprintf("%s: worth %.1f, best of %d", decision.View.Phase, most, len(decision.Legal))
}

// worthOfCall likes the lowest bid that the hand can make, a pass (0) more than one that it cannot.
func worthOfCall(call *pb.Call, view *pb.View) float64 {
	if call.Kind == pb.CallKind_CALL_KIND_PASS {
		return 0
	}
	if call.Kind != pb.CallKind_CALL_KIND_BID {
		return -1 // it never doubles
	}
	need := float64(call.Level) + 6 // tricks of 13; where bids name no strain, points of four
	suits := []pb.Strain{call.Strain}
	if call.Strain == pb.Strain_STRAIN_UNSPECIFIED {
		need, suits = 1.5*float64(call.Level)+2, []pb.Strain{1, 2, 3, 4}
	}
	shown := 0.0
	for _, suit := range suits {
		shown = max(shown, tricks(view.Hand, suit))
	}
	if shown < need {
		return shown - need
	}
	return 10 - float64(call.Level) + shown/100
}

// tricks counts what a hand may win: high cards, and every trump when there are four or more.
func tricks(hand []pb.Card, trump pb.Strain) float64 {
	high, trumps := 0.0, 0
	for _, card := range hand {
		if suit(card) == trump {
			trumps++
		}
		high += map[pb.Card]float64{14: 1.5, 13: 1, 12: 0.5}[rank(card)]
	}
	if trumps < 4 {
		return high
	}
	return high + float64(trumps)
}

// worthOfCard likes to win a trick as cheaply as it can, and to throw its lowest card where it cannot or need not.
// Tricks that only bring cards it wants when the card to be won lies there, and is a good one.
func worthOfCard(card pb.Card, view *pb.View, offer *pb.MatchOffered) float64 {
	good := rank(view.Shown) >= 10 || view.Shown > 0 && suit(view.Shown) == view.Trump
	wanted := view.Phase != "draw" || good
	cost := keeping(card, view.Hand)
	if suit(card) == view.Trump {
		cost += 10
	}
	trick := view.Table.GetCards()
	if len(trick) == 0 {
		if view.Trump == pb.Strain_STRAIN_UNSPECIFIED && view.Phase == "play" {
			return tricks(view.Hand, suit(card)) + cost/100 // the first lead names trump
		}
		if wanted {
			return float64(rank(card)) - cost/100
		}
		return -cost
	}
	winner := 0
	for place, other := range trick {
		if beats(other, trick[winner], view.Trump) {
			winner = place
		}
	}
	seat := (int(view.Table.Leader) + winner) % len(offer.Sides)
	if wanted && offer.Sides[seat] != offer.Sides[view.Seat] && beats(card, trick[winner], view.Trump) {
		return 100 - cost
	}
	return -cost
}

func suit(card pb.Card) pb.Strain { return pb.Strain(card / 16) }
func rank(card pb.Card) pb.Card   { return card % 16 }

// keeping is what it is worth to have a card in a hand: high ones, and those of a long suit.
func keeping(card pb.Card, hand []pb.Card) float64 {
	worth := float64(rank(card))
	for _, other := range hand {
		if suit(other) == suit(card) {
			worth += 0.5
		}
	}
	return worth
}

// beats says whether a card takes the trick from the one that holds it.
func beats(card, holder pb.Card, trump pb.Strain) bool {
	if suit(card) == suit(holder) {
		return rank(card) > rank(holder)
	}
	return suit(card) == trump
}
