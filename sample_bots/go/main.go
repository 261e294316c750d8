// A bot for Drawbridge Arena that plays every game. This file gets it in, lane.go holds the conversation,
// and strategy.go, the one to change, decides.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log"
	"net"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"

	pb "drawbridge-arena/bot/gen/arena/v1"
)

// The launch contract: what the arena, or a person, puts into the environment.
var server, token, ca = os.Getenv("ARENA_SERVER"), os.Getenv("ARENA_TOKEN"), os.Getenv("ARENA_CA")
var patience = time.Duration(min(number("ARENA_PATIENCE", 300.0), 1e9) * float64(time.Second))

func main() {
	transport, err := secured()
	if err != nil {
		log.Fatalf("ARENA_SERVER=%q ARENA_CA=%q: %v", server, ca, err)
	}
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(transport),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(16 << 20)),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 10 * time.Second, Timeout: 10 * time.Second}),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: firstPause, Multiplier: 2, MaxDelay: time.Second},
			MinConnectTimeout: 5 * time.Second,
		}),
	}
	ctx := context.Background()
	if token != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+token)
	}
	// SIGTERM means: finish the match in hand, then leave. A lane that fails tells the others the same.
	signalled, stop := signal.NotifyContext(ctx, syscall.SIGTERM, os.Interrupt)
	context.AfterFunc(signalled, stop) // the second signal ends it at once
	lanes, leaving := errgroup.WithContext(signalled)
	var client pb.ArenaServiceClient
	for number := range number("ARENA_LANES", 1) {
		if number%64 == 0 { // an arena allows so many streams on a connection
			connection, err := grpc.NewClient(server, options...)
			if err != nil {
				log.Fatalf("ARENA_SERVER=%q: %v", server, err)
			}
			client = pb.NewArenaServiceClient(connection)
		}
		lane := &lane{leaving: leaving, client: client, hello: &pb.Hello{
			ProtocolVersion: 1, SoftwareName: "go sample bot", SoftwareVersion: "1", Lane: uint32(number), AutoDraw: true,
			Games: strings.Fields(os.Getenv("ARENA_GAME")), Name: cmp.Or(os.Getenv("ARENA_NAME"), "go_bot"),
		}}
		lanes.Go(lane.stay)
	}
	if err := lanes.Wait(); err != nil {
		log.Fatal(err)
	}
}

// number reads a setting that is a number above 0.
func number[T int | float64](name string, value T) T {
	text := os.Getenv(name)
	if text != "" && (json.Unmarshal([]byte(text), &value) != nil || value <= 0) {
		log.Fatalf("%s is a number (%T) above 0: not %q", name, value, text)
	}
	return value
}

// secured says how to speak to the arena. A token goes over TLS or stays on this machine.
func secured() (credentials.TransportCredentials, error) {
	host, _, err := net.SplitHostPort(server)
	switch {
	case err != nil || ca == "public":
		return credentials.NewTLS(nil), err
	case ca != "":
		return credentials.NewClientTLSFromFile(ca, "")
	case token != "" && host != "localhost" && !net.ParseIP(host).IsLoopback():
		return nil, errors.New("the token would go there in plain text: set ARENA_CA")
	}
	return insecure.NewCredentials(), nil
}
