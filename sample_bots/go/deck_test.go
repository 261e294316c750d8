package main

import (
	"encoding/hex"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	pb "drawbridge-arena/bot/gen/arena/v1"
)

type vectors struct {
	Secret string `json:"server_seed"`
	ID     string
	Nonces []string
	Commit string
	Seed   string
	Decks  []struct {
		Label string
		Deal  uint64
		Deck  []string
	}
}

func load(t *testing.T) (known vectors, secret []byte, nonces [][]byte) {
	t.Helper()
	text, err := os.ReadFile("../../tests/vectors/deck.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &known); err != nil {
		t.Fatal(err)
	}
	for _, nonce := range known.Nonces {
		nonces = append(nonces, unhex(t, nonce))
	}
	return known, unhex(t, known.Secret), nonces
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	bytes, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return bytes
}

func TestTheVectorsAreDealtAgain(t *testing.T) {
	known, secret, nonces := load(t)
	seed := deckSeed(secret, known.ID, nonces)
	if found := hex.EncodeToString(commit(known.ID, secret)); found != known.Commit {
		t.Errorf("commit %s", found)
	}
	if found := hex.EncodeToString(seed); found != known.Seed {
		t.Errorf("seed %s", found)
	}
	if found := firstDealer(seed, 2); found != 1 {
		t.Errorf("dealer %d", found)
	}
	if len(known.Decks) == 0 {
		t.Error("no decks")
	}
	for _, deal := range known.Decks {
		var found []string
		for _, card := range shuffled(seed, deal.Label, deal.Deal) {
			found = append(found, "23456789TJQKA"[card%16-2:][:1]+"-CDHS"[suit(card):][:1])
		}
		if !slices.Equal(found, deal.Deck) {
			t.Errorf("%s: %v", deal.Label, found)
		}
	}
}

func TestAChangeIsFoundOut(t *testing.T) {
	known, secret, nonces := load(t)
	offer := &pb.MatchOffered{
		MatchId: known.ID, Game: "draw-bridge", Sides: []uint32{0, 1}, Commitment: commit(known.ID, secret),
	}
	deck := shuffled(deckSeed(secret, known.ID, nonces), offer.Game, 0)
	var hand []pb.Card
	for place := 0; place < 26; place += 2 {
		hand = append(hand, deck[place])
	}
	for _, plant := range []struct {
		secret   []byte
		mine     []byte
		card     pb.Card
		expected string
	}{
		{secret, nonces[0], deck[0], "fair, 1 deals"},
		{nonces[0], nonces[0], deck[0], "NOT FAIR: the secret"},
		{secret, nonces[1], deck[0], "NOT FAIR: this seat's share"},
		{secret, nonces[0], deck[1], "NOT FAIR: deal 0"},
	} {
		hand[0] = plant.card
		seen := &evidence{offer: offer, nonce: string(plant.mine), deals: []dealt{{dealer: 1, hand: hand}}}
		reveal := &pb.Reveal{SetId: known.ID, ServerSeed: plant.secret, Nonces: nonces}
		if found := seen.verdict(reveal); !strings.HasPrefix(found, plant.expected) {
			t.Errorf("%q, not %q", found, plant.expected)
		}
	}
}
