package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"

	pb "drawbridge-arena/bot/gen/arena/v1"
)

// evidence is what a seat saw of a match's cards: with the arena's secret it proves the decks (arena-deck-1).
type evidence struct {
	offer *pb.MatchOffered
	nonce string // unknown to a bot that was started in the middle of the match
	deals []dealt
}

// dealt is the hand of this seat at the beginning of a deal.
type dealt struct {
	number, dealer uint32
	hand           []pb.Card
}

func (e *evidence) keep(event *pb.Event) {
	if started := event.GetDealStarted(); started != nil {
		e.deals = append(e.deals, dealt{number: started.DealNo, dealer: started.Dealer})
	}
	if given := event.GetHandDealt(); given != nil && given.Seat == e.offer.Seat && len(e.deals) > 0 {
		e.deals[len(e.deals)-1].hand = given.Cards
	}
}

// verdict is a line for people about all decks of the match.
func (e *evidence) verdict(reveal *pb.Reveal) string {
	if len(reveal.GetNonces()) == 0 {
		return "nothing to prove them with"
	}
	if err := e.prove(reveal); err != nil {
		return "NOT FAIR: " + err.Error()
	}
	return fmt.Sprintf("fair, %d deals dealt again", len(e.deals))
}

// prove deals all hands of this seat again. Cards go round from the seat after the dealer, one at a time.
func (e *evidence) prove(reveal *pb.Reveal) error {
	if !slices.Equal(commit(e.offer.MatchId, reveal.ServerSeed), e.offer.Commitment) {
		return fmt.Errorf("the secret is not the one that was promised")
	}
	seats, first := len(e.offer.Sides), reveal.SetId == e.offer.MatchId
	if len(reveal.Nonces) != seats || first && e.nonce != "" && string(reveal.Nonces[e.offer.Seat]) != e.nonce {
		return fmt.Errorf("this seat's share was changed")
	}
	seed := deckSeed(reveal.ServerSeed, reveal.SetId, reveal.Nonces)
	for _, deal := range e.deals {
		if deal.number == 0 && deal.dealer != firstDealer(seed, seats) {
			return fmt.Errorf("deal 0 has another dealer")
		}
		deck := shuffled(seed, e.offer.Game, uint64(deal.number))
		place := (int(e.offer.Seat) - int(deal.dealer) - 1 + seats) % seats
		for range deal.hand {
			if !slices.Contains(deal.hand, deck[place]) {
				return fmt.Errorf("deal %d: %v should have been in the hand", deal.number, deck[place])
			}
			place += seats
		}
	}
	return nil
}

func lp(part []byte) []byte {
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(part))), part...)
}

func commit(matchID string, serverSeed []byte) []byte {
	sum := sha256.Sum256(slices.Concat([]byte("arena-commit-1"), lp([]byte(matchID)), lp(serverSeed)))
	return sum[:]
}

func deckSeed(serverSeed []byte, setID string, nonces [][]byte) []byte {
	mac := hmac.New(sha256.New, serverSeed)
	mac.Write(append([]byte("arena-seed-1"), lp([]byte(setID))...))
	for _, nonce := range nonces {
		mac.Write(lp(nonce))
	}
	return mac.Sum(nil)
}

func firstDealer(seed []byte, seats int) uint32 {
	return uint32(sha256.Sum256(append([]byte("arena-dealer-1"), lp(seed)...))[0]) % uint32(seats)
}

// shuffled is the deck of a deal, its top first.
func shuffled(seed []byte, game string, dealNo uint64) []pb.Card {
	size, ranks := 52, 13
	if game == "smear" {
		size, ranks = 32, 8
	}
	deck := make([]pb.Card, size)
	for k := range deck {
		deck[k] = pb.Card(16*(1+k/ranks) + 15 - ranks + k%ranks)
	}
	prefix := slices.Concat([]byte("arena-deck-1"), lp(seed), lp([]byte(game)), binary.BigEndian.AppendUint64(nil, dealNo))
	var stream []byte
	for i, block := size-1, uint32(0); i > 0; {
		if len(stream) == 0 {
			sum := sha256.Sum256(binary.BigEndian.AppendUint32(slices.Clone(prefix), block))
			stream, block = sum[:], block+1
		}
		b := int(stream[0])
		stream = stream[1:]
		if b < 256-256%(i+1) { // a larger byte would favour some cards
			deck[i], deck[b%(i+1)] = deck[b%(i+1)], deck[i]
			i--
		}
	}
	return deck
}
