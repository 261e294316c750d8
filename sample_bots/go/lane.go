package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	pb "drawbridge-arena/bot/gen/arena/v1"
)

const (
	firstPause = 100 * time.Millisecond
	lastPause  = 10 * time.Second
)

// A lane is one seat: a stream, and another one when it breaks.
type lane struct {
	launch
	number   uint32
	evidence *evidence // of the match in hand; nil between matches
	seq      uint64    // the last event of it that was told
	pause    time.Duration
	there    bool // this stream has had a Welcome
	done     bool // there is nothing to come back for
}

// stay plays until it is time to leave. Its error would only come again.
func (l *lane) stay(leaving context.Context, client pb.ArenaServiceClient) error {
	seen := time.Now()
	for l.pause = firstPause; ; l.pause = min(2*l.pause, lastPause) {
		err := l.talk(leaving, client)
		if l.there {
			seen, l.there = time.Now(), false
		}
		switch status.Code(err) {
		case codes.Unauthenticated, codes.FailedPrecondition, codes.InvalidArgument:
			return err
		}
		if l.done || l.mayLeave(leaving) {
			return nil
		}
		left := l.patience - time.Since(seen)
		if left <= 0 {
			return fmt.Errorf("no arena at %s for %g s, giving up: %w", l.server, l.patience.Seconds(), err)
		}
		log.Printf("lane %d: the stream has ended (%v), once more in %v", l.number, err, l.pause)
		time.Sleep(min(l.pause, left))
	}
}

// mayLeave is true between matches, once the bot was told to go.
func (l *lane) mayLeave(leaving context.Context) bool {
	return leaving.Err() != nil && l.evidence == nil
}

func (l *lane) leave(leaving context.Context, stream pb.ArenaService_PlayClient) {
	if l.mayLeave(leaving) {
		l.done = true
		stream.CloseSend()
	}
}

// talk holds one stream from Hello to its end.
func (l *lane) talk(leaving context.Context, client pb.ArenaServiceClient) error {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if l.token != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+l.token)
	}
	stream, err := client.Play(ctx)
	if err != nil {
		return err
	}
	// What Send returns needs no look: when a stream breaks, Recv says why.
	stream.Send(&pb.PlayRequest{Message: &pb.PlayRequest_Hello{Hello: l.hello()}})
	responses, ended := make(chan *pb.PlayResponse), make(chan error, 1)
	go func() {
		for {
			response, err := stream.Recv()
			if err != nil {
				ended <- err
				return
			}
			responses <- response
		}
	}()
	signalled := leaving.Done()
	for {
		select {
		case err := <-ended:
			if errors.Is(err, io.EOF) {
				return nil
			}
			return err
		case response := <-responses:
			for _, event := range response.Events {
				if l.done {
					break // the end of a match and the offer of the next one may come together
				}
				if answer := l.hear(event); answer != nil {
					stream.Send(answer)
				}
				l.leave(leaving, stream)
			}
		case <-signalled:
			signalled = nil
			l.leave(leaving, stream)
		}
	}
}

func (l *lane) hello() *pb.Hello {
	hello := &pb.Hello{
		ProtocolVersion: 1, SoftwareName: "go sample bot", SoftwareVersion: "1",
		Games: l.games, Lane: l.number, AutoDraw: true, Name: l.name,
	}
	if l.evidence != nil {
		hello.Resume = &pb.Resume{MatchId: l.evidence.offer.MatchId, Seat: l.evidence.offer.Seat, LastSeq: l.seq}
	}
	return hello
}

// hear takes note of an event and returns what to say to it, or nil.
func (l *lane) hear(event *pb.Event) *pb.PlayRequest {
	if event.Seq > 0 {
		l.seq = event.Seq
	}
	switch kind := event.Kind.(type) {
	case *pb.Event_Welcome:
		l.pause, l.there = firstPause, true
		log.Printf("lane %d: playing as %s", l.number, kind.Welcome.Bot)
	case *pb.Event_MatchOffered:
		return l.accept(kind.MatchOffered)
	case *pb.Event_Resumed:
		if kind.Resumed.AwaitsReady {
			return l.accept(kind.Resumed.Offer)
		}
		if l.evidence == nil || l.evidence.offer.MatchId != kind.Resumed.Offer.MatchId {
			l.evidence, l.seq = &evidence{offer: kind.Resumed.Offer}, 0
		}
	case *pb.Event_Decision:
		if l.evidence == nil {
			return nil // a question without a match
		}
		index, note := choose(kind.Decision, l.evidence.offer, l.seed)
		return answer(kind.Decision.DecisionId, index, note)
	case *pb.Event_Rejected:
		switch kind.Rejected.Reason {
		case pb.RejectionReason_REJECTION_REASON_NOT_LEGAL, pb.RejectionReason_REJECTION_REASON_MALFORMED:
			log.Printf("lane %d: refused: %s", l.number, kind.Rejected.Text)
			return answer(kind.Rejected.DecisionId, 0, "the first that is allowed")
		}
	case *pb.Event_DealStarted, *pb.Event_HandDealt:
		if l.evidence != nil {
			l.evidence.keep(event)
		}
	case *pb.Event_MatchEnded:
		log.Printf("lane %d: %s", l.number, kind.MatchEnded.Text)
		if l.evidence != nil {
			log.Printf("lane %d: decks: %s", l.number, l.evidence.verdict(kind.MatchEnded.Reveal))
		}
		l.evidence = nil
	case *pb.Event_Goodbye:
		log.Printf("lane %d: goodbye: %s", l.number, kind.Goodbye.Text)
		l.done = kind.Goodbye.Reason == pb.GoodbyeReason_GOODBYE_REASON_REPLACED ||
			kind.Goodbye.Reason == pb.GoodbyeReason_GOODBYE_REASON_FINISHED
	}
	return nil // a kind of event that this bot has no use for, or has never heard of
}

func (l *lane) accept(offer *pb.MatchOffered) *pb.PlayRequest {
	nonce := make([]byte, 16)
	rand.Read(nonce)
	l.evidence, l.seq = &evidence{offer: offer, nonce: nonce}, 0
	return &pb.PlayRequest{Message: &pb.PlayRequest_Ready{Ready: &pb.Ready{MatchId: offer.MatchId, Nonce: nonce}}}
}

func answer(decision uint64, index int, note string) *pb.PlayRequest {
	return &pb.PlayRequest{Message: &pb.PlayRequest_Choose{Choose: &pb.Choose{
		DecisionId: decision, Choice: &pb.Choose_Index{Index: uint32(index)}, Note: note,
	}}}
}
