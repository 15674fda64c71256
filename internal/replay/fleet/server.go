package fleet

import (
	"context"
	"fmt"

	"github.com/nats-io/nats-server/v2/server"
)

// Serving says how the embedded server is run.
type Serving struct {
	Host   string // address where it listens
	Port   int    // -1: any
	Store  string // folder where it keeps what clients and workers hand over
	Config string // file of nats-server, such as with users and TLS; "": none
}

// largest is the size of the largest message of the embedded server, in bytes.
const largest = 8 << 20

// A Server is an embedded NATS server with JetStream.
type Server struct{ server *server.Server }

// Serve starts a server.
func Serve(s Serving) (*Server, error) {
	options := &server.Options{}
	if s.Config != "" {
		var err error
		if options, err = server.ProcessConfigFile(s.Config); err != nil {
			return nil, fmt.Errorf("configuration of the server: %w", err)
		}
	}
	options.Host, options.Port, options.StoreDir = s.Host, s.Port, s.Store
	options.JetStream, options.NoSigs, options.MaxPayload = true, true, largest
	options.NoLog = true
	of, err := server.NewServer(options)
	if err != nil {
		return nil, fmt.Errorf("server: %w", err)
	}
	go of.Start()
	if !of.ReadyForConnections(connecting) {
		of.Shutdown()
		return nil, fmt.Errorf("server: nothing listens at %s:%d after %v; is the port taken?", s.Host, s.Port,
			connecting)
	}
	return &Server{of}, nil
}

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
