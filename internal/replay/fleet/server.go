package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Serving says how the embedded server is run. What it leaves out is as Config says it.
type Serving struct {
	Host   string // address where it listens; "": 127.0.0.1, if Config does not say it
	Port   int    // -1: any; 0: 4222, if Config does not say it
	Store  string // folder where it keeps what clients and workers hand over; "": Temp, if Config does not say it
	Temp   string
	Config string // file of nats-server, such as with users and TLS; "": none

	Done <-chan struct{}                  // ends waiting until the server has read what it keeps; nil: nothing does
	Log  func(format string, args ...any) // what the server says of its troubles; nil: nobody is told
}

// largest is the size of the largest message of the embedded server, in bytes.
const largest = 8 << 20

// A Server is an embedded NATS server with JetStream.
type Server struct{ server *server.Server }

// Serve starts a server.
func Serve(s Serving) (*Server, error) {
	options, err := s.options()
	if err != nil {
		return nil, err
	}
	s.Host, s.Port, s.Store = options.Host, options.Port, options.StoreDir
	of, err := server.NewServer(options)
	if err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	said := &saying{logf: s.Log, fatal: make(chan string, 1), before: map[string]bool{}}
	of.SetLogger(said, false, false)
	started := make(chan struct{})
	go func() {
		defer close(started)
		of.Start()
	}()
	if err := s.wait(of, said, started); err != nil {
		of.Shutdown()
		select { // what still begins writes to the store
		case <-started:
			of.WaitForShutdown()
		case <-time.After(connecting):
		}
		return nil, fmt.Errorf("server: %w", err)
	}
	return &Server{of}, nil
}

// options returns what the configuration says, and what the embedded server has beside it.
func (s Serving) options() (*server.Options, error) {
	options := &server.Options{}
	if s.Config != "" {
		var err error
		if options, err = server.ProcessConfigFile(s.Config); err != nil {
			return nil, fmt.Errorf("configuration of the server: %w", err)
		}
	}
	options.Host = cmp.Or(s.Host, options.Host, "127.0.0.1")
	options.Port = cmp.Or(s.Port, options.Port, server.DEFAULT_PORT)
	options.StoreDir = cmp.Or(s.Store, options.StoreDir, s.Temp)
	options.JetStream, options.NoSigs, options.MaxPayload = true, true, largest
	options.NoLog = true // it says nothing by itself
	if options.WriteTimeout == server.WriteTimeoutPolicyDefault {
		// By default who does not take in 10 s what waits for him is thrown out: a large content on a slow link.
		options.WriteTimeout = server.WriteTimeoutPolicyRetry
	}
	return options, nil
}

// reading is the time between two words about a store that takes long to read.
const reading = 10 * time.Second

// wait waits until a server has read what it keeps and listens, however long that takes.
func (s Serving) wait(of *server.Server, said *saying, started <-chan struct{}) error {
	ticker := time.NewTicker(reading)
	defer ticker.Stop()
	for {
		select {
		case why := <-said.fatal:
			return errors.New(why)
		case <-s.Done:
			return errors.New("ended before it had read what it keeps")
		case <-ticker.C:
			said.Errorf("what is kept in %s is still being read", s.Store)
			continue
		case <-started:
		}
		select {
		case why := <-said.fatal:
			return errors.New(why)
		default:
		}
		if !of.ReadyForConnections(connecting) {
			return fmt.Errorf("nothing listens at %s:%d after %v", s.Host, s.Port, connecting)
		}
		return nil
	}
}

// A saying hands on what a server says of its troubles, each text once.
type saying struct {
	logf  func(format string, args ...any)
	fatal chan string // why it can't go on; has room for one

	mu     sync.Mutex
	before map[string]bool
}

// mostTexts is how many texts are known not to be new.
const mostTexts = 1000

func (s *saying) Errorf(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	s.mu.Lock()
	known := s.before[text]
	if len(s.before) == mostTexts {
		clear(s.before)
	}
	s.before[text] = true
	s.mu.Unlock()
	if s.logf != nil && !known {
		s.logf("%s", text)
	}
}

func (s *saying) Fatalf(format string, args ...any) {
	select {
	case s.fatal <- fmt.Sprintf(format, args...):
	default:
		s.Errorf(format, args...)
	}
}

// Noticef hands on that somebody takes what is sent too slowly, and may be thrown out. How much waits for him then is
// another text each time, so it is left out.
func (s *saying) Noticef(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if strings.Contains(text, "Slow Consumer Detected") {
		text, _, _ = strings.Cut(text, " exceeded with")
		s.Errorf("%s", text)
	}
}

func (s *saying) Warnf(string, ...any)  {}
func (s *saying) Debugf(string, ...any) {}
func (s *saying) Tracef(string, ...any) {}

// URL returns the address for clients and workers.
func (s *Server) URL() string { return s.server.ClientURL() }

// Wait waits for the end of the context, and ends the server.
func (s *Server) Wait(ctx context.Context) {
	<-ctx.Done()
	s.Close()
}

// Close ends the server.
func (s *Server) Close() {
	s.server.Shutdown()
	s.server.WaitForShutdown()
}
