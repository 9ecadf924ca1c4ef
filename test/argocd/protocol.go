package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/argoproj/argo-cd/v3/pkg/apis/application/v1alpha1"
)

// request is one line of standard input. Requests run at the same time; answers come as they are ready.
type request struct {
	ID int `json:"id"`
	// Do is one of the names in answer.
	Do string `json:"do"`
	// Application is what generate and parameters are for; its repoURL is a git repository that this machine reaches.
	Application *v1alpha1.Application `json:"application,omitempty"`
	// Manifests are JSON texts for sync, as generate answers them.
	Manifests []string `json:"manifests,omitempty"`
	// Text is what split takes apart.
	Text string `json:"text,omitempty"`
	// HardRefresh leaves caches alone, as a hard refresh does.
	HardRefresh bool `json:"hardRefresh,omitempty"`
}

// response is one line of standard output: an error, or what was asked for.
type response struct {
	ID         int             `json:"id"`
	Error      string          `json:"error,omitempty"`
	SourceType string          `json:"sourceType,omitempty"`
	Manifests  []string        `json:"manifests,omitempty"`
	Parameters json.RawMessage `json:"parameters,omitempty"`
	Waves      []wave          `json:"waves,omitempty"`
	// Milliseconds is how long it took, waiting included.
	Milliseconds float64 `json:"milliseconds"`
}

// requestTimeout is what a request may take, waiting included. The application controller grants 60 seconds
// (--repo-server-timeout-seconds); tests that run beside others grant more.
func requestTimeout() time.Duration {
	if given, err := time.ParseDuration(os.Getenv("HARNESS_REQUEST_TIMEOUT")); err == nil {
		return given
	}
	return 60 * time.Second
}

// serve answers requests until the input ends.
func serve(input io.Reader, output io.Writer) error {
	server, err := newRepoServer()
	if err != nil {
		return err
	}
	var running sync.WaitGroup
	var writing sync.Mutex
	encoder := json.NewEncoder(output)
	lines := bufio.NewReader(input)
	timeout := requestTimeout()
	for {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			running.Wait()
			return nil
		}
		if err != nil {
			return err
		}
		var asked request
		if err := json.Unmarshal(line, &asked); err != nil {
			return fmt.Errorf("not a request: %w", err)
		}
		running.Go(func() {
			start := time.Now()
			ctx, cancel := context.WithTimeout(context.Background(), timeout)
			defer cancel()
			answered, err := answer(ctx, server, asked)
			if err != nil {
				answered = response{Error: err.Error()}
			}
			answered.ID = asked.ID
			answered.Milliseconds = float64(time.Since(start).Microseconds()) / 1000
			writing.Lock()
			defer writing.Unlock()
			_ = encoder.Encode(answered)
		})
	}
}

func answer(ctx context.Context, server *repoServer, asked request) (response, error) {
	switch asked.Do {
	case "generate":
		return server.generate(ctx, asked)
	case "parameters":
		return server.parameters(ctx, asked)
	case "split":
		return split(asked)
	case "sync":
		return syncAll(asked)
	default:
		return response{}, fmt.Errorf("unknown request %q", asked.Do)
	}
}
