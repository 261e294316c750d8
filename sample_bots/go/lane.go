package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"log"
	"slices"
	"sync"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	pb "drawbridge-arena/bot/gen/arena/v1"
)

const firstPause, lastPause = 100 * time.Millisecond, 10 * time.Second

var refusals = []codes.Code{codes.Unauthenticated, codes.FailedPrecondition, codes.InvalidArgument}

// A lane is one seat: a stream, and another one when it breaks.
type lane struct {
	client   pb.ArenaServiceClient
	leaving  context.Context // done when the bot is told to leave
	leave    func()          // ends the stream, and lets no other follow
	hello    *pb.Hello       // with the place in the match from which a new stream goes on
	stream   pb.ArenaService_PlayClient
	pause    time.Duration // before the next stream; 0 on one that had a Welcome
	playing  sync.Mutex    // held from the beginning of a match to its end
	evidence *evidence     // of the match in hand; nil between matches
}

// stay plays until nothing is left to play, or the bot is told to leave and its match has ended.
func (l *lane) stay() error {
	ctx, leave := context.WithCancel(context.WithoutCancel(l.leaving))
	context.AfterFunc(l.leaving, func() { l.playing.Lock(); leave() })
	l.leave, l.pause = leave, firstPause
	for seen := time.Now(); ; l.pause = min(2*l.pause, lastPause) {
		err := l.talk(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if l.pause == 0 {
			l.pause, seen = firstPause, time.Now()
		}
		left := patience - time.Since(seen)
		if left <= 0 || slices.Contains(refusals, status.Code(err)) {
			return fmt.Errorf("giving up %s after %.1f s: %w", server, time.Since(seen).Seconds(), err)
		}
		log.Printf("lane %d: the stream has ended (%v), once more in %v", l.hello.Lane, err, l.pause)
		select {
		case <-ctx.Done():
		case <-time.After(min(l.pause, left)):
		}
	}
}

// talk holds one stream from Hello to its end.
func (l *lane) talk(ctx context.Context) (err error) {
	if l.stream, err = l.client.Play(ctx); err != nil {
		return err
	}
	// What Send returns needs no look: when a stream breaks, Recv says why.
	l.stream.Send(&pb.PlayRequest{Message: &pb.PlayRequest_Hello{Hello: l.hello}})
	for err == nil {
		var response *pb.PlayResponse
		response, err = l.stream.Recv()
		for _, event := range response.GetEvents() {
			l.hear(event)
		}
	}
	return err
}

// hear takes note of an event, and answers it; kinds that this bot has never heard of have a seq, and nothing more.
func (l *lane) hear(event *pb.Event) {
	if l.evidence != nil && event.Seq > 0 {
		l.hello.Resume.LastSeq = event.Seq
		l.evidence.keep(event)
	}
	switch kind := event.Kind.(type) {
	case *pb.Event_Welcome:
		l.pause = 0
		log.Printf("lane %d: playing as %s", l.hello.Lane, kind.Welcome.Bot)
	case *pb.Event_MatchOffered:
		l.begin(kind.MatchOffered, true)
	case *pb.Event_Resumed:
		l.begin(kind.Resumed.Offer, kind.Resumed.AwaitsReady)
	case *pb.Event_Decision:
		index, note := choose(kind.Decision)
		l.answer(kind.Decision.DecisionId, index, note)
	case *pb.Event_Rejected:
		log.Printf("lane %d: refused: %s", l.hello.Lane, kind.Rejected.Text)
		if kind.Rejected.Reason <= pb.RejectionReason_REJECTION_REASON_MALFORMED { // a strike
			l.answer(kind.Rejected.DecisionId, 0, "the first that is allowed")
		}
	case *pb.Event_MatchEnded:
		if l.evidence != nil {
			log.Printf("lane %d: %s decks: %s", l.hello.Lane, kind.MatchEnded.Text, l.evidence.verdict(kind.MatchEnded.Reveal))
			l.evidence, l.hello.Resume = nil, nil
			l.playing.Unlock()
		}
	case *pb.Event_Goodbye:
		log.Printf("lane %d: goodbye: %s", l.hello.Lane, kind.Goodbye.Text)
		switch kind.Goodbye.Reason {
		case pb.GoodbyeReason_GOODBYE_REASON_REPLACED, pb.GoodbyeReason_GOODBYE_REASON_FINISHED:
			l.leave()
		}
	}
}

// begin takes up a match, unless the bot was told to leave, and says Ready if that is still to be said.
func (l *lane) begin(offer *pb.MatchOffered, ready bool) {
	if l.evidence == nil && (l.leaving.Err() != nil || !l.playing.TryLock()) {
		return
	}
	if l.evidence == nil || l.evidence.offer.MatchId != offer.MatchId {
		l.evidence = &evidence{offer: offer}
		l.hello.Resume = &pb.Resume{MatchId: offer.MatchId, Seat: offer.Seat}
	}
	if ready {
		l.evidence.nonce = cmp.Or(l.evidence.nonce, rand.Text())
		accepted := &pb.Ready{MatchId: offer.MatchId, Nonce: []byte(l.evidence.nonce)}
		l.stream.Send(&pb.PlayRequest{Message: &pb.PlayRequest_Ready{Ready: accepted}})
	}
}

func (l *lane) answer(decision uint64, index int, note string) {
	choice := &pb.Choose{DecisionId: decision, Choice: &pb.Choose_Index{Index: uint32(index)}, Note: note}
	l.stream.Send(&pb.PlayRequest{Message: &pb.PlayRequest_Choose{Choose: choice}})
}
