// A bot for Drawbridge Arena that plays every game. This file gets it in, lane.go holds the conversation,
// and strategy.go, the one to change, decides.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log"
	"math/rand/v2"
	"net"
	"os"
	"os/signal"
	"strconv"
	"sync"
	"syscall"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"

	pb "drawbridge-arena/bot/gen/arena/v1"
)

// launch is the launch contract: what the arena, or a person, puts into the environment.
type launch struct {
	server, token, ca, name string
	games                   []string
	lanes, seed             uint64
	patience                time.Duration
}

func main() {
	log.SetFlags(log.Ltime)
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	contract, err := fromEnvironment()
	if err != nil {
		return err
	}
	transport, err := contract.credentials()
	if err != nil {
		return err
	}
	connection, err := grpc.NewClient(contract.server,
		grpc.WithTransportCredentials(transport),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 10 * time.Second, Timeout: 10 * time.Second}),
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: firstPause, Multiplier: 2, MaxDelay: time.Second},
			MinConnectTimeout: 5 * time.Second,
		}))
	if err != nil {
		return fmt.Errorf("ARENA_SERVER: %w", err)
	}
	defer connection.Close()

	// SIGTERM means: finish the match in hand, then leave. Each lane looks at this context between matches.
	signalled, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, os.Interrupt)
	defer stop()
	leaving, leave := context.WithCancel(signalled) // a lane that fails tells the others to leave
	var lanes sync.WaitGroup
	failures := make(chan error, contract.lanes)
	for number := range contract.lanes {
		lanes.Go(func() {
			lane := &lane{launch: contract, number: uint32(number)}
			if err := lane.stay(leaving, pb.NewArenaServiceClient(connection)); err != nil {
				failures <- err
				leave()
			}
		})
	}
	lanes.Wait()
	close(failures)
	return <-failures // the first, if any: the others mostly say the same
}

func fromEnvironment() (launch, error) {
	contract := launch{
		server: os.Getenv("ARENA_SERVER"),
		token:  os.Getenv("ARENA_TOKEN"),
		ca:     os.Getenv("ARENA_CA"),
		name:   cmp.Or(os.Getenv("ARENA_NAME"), "go_bot"),
	}
	if contract.server == "" {
		return launch{}, errors.New("ARENA_SERVER is not set: it says where the arena is, such as 127.0.0.1:7878")
	}
	if game := os.Getenv("ARENA_GAME"); game != "" {
		contract.games = []string{game}
	}
	var err error
	if contract.lanes, err = strconv.ParseUint(cmp.Or(os.Getenv("ARENA_LANES"), "1"), 10, 16); err != nil || contract.lanes < 1 {
		return launch{}, fmt.Errorf("ARENA_LANES is a number from 1: not %q", os.Getenv("ARENA_LANES"))
	}
	seconds, err := strconv.ParseFloat(cmp.Or(os.Getenv("ARENA_PATIENCE"), "300"), 64)
	if err != nil || !(seconds > 0 && seconds < 1e9) {
		return launch{}, fmt.Errorf("ARENA_PATIENCE is a number of seconds above 0: not %q", os.Getenv("ARENA_PATIENCE"))
	}
	contract.patience = time.Duration(seconds * float64(time.Second))
	contract.seed = rand.Uint64()
	if text := os.Getenv("ARENA_SEED"); text != "" {
		seed, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return launch{}, fmt.Errorf("ARENA_SEED is an integer of 64 bits: not %q", text)
		}
		contract.seed = uint64(seed)
	}
	return contract, nil
}

// credentials says how to speak to the arena. A token goes over TLS or stays on this machine.
func (l launch) credentials() (credentials.TransportCredentials, error) {
	switch l.ca {
	case "":
		if l.token != "" && !isLoopback(l.server) {
			return nil, fmt.Errorf("the token would go to %s in plain text: set ARENA_CA", l.server)
		}
		return insecure.NewCredentials(), nil
	case "public":
		return credentials.NewTLS(nil), nil
	}
	trusted, err := credentials.NewClientTLSFromFile(l.ca, "")
	if err != nil {
		return nil, fmt.Errorf("ARENA_CA: %w", err)
	}
	return trusted, nil
}

func isLoopback(server string) bool {
	host, _, err := net.SplitHostPort(server)
	if err != nil {
		host = server
	}
	return host == "localhost" || net.ParseIP(host).IsLoopback()
}
