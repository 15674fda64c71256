package fleet

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
)

// TestServeErrors: why a server does not start is what the system says, at once.
func TestServeErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	taken := listener.Addr().(*net.TCPAddr).Port
	ended := make(chan struct{})
	close(ended)
	for _, c := range []struct {
		reason string
		s      Serving
		want   string
	}{
		{"no folder can be made", Serving{Port: -1, Store: filepath.Join(file, "store")}, "not a directory"},
		{"the port is taken", Serving{Port: taken, Store: t.TempDir()}, "address already in use"},
		{"nobody waits for it", Serving{Port: -1, Store: t.TempDir(), Done: ended}, ""},
	} {
		c.s.Host = "127.0.0.1"
		of, err := Serve(c.s)
		if err == nil {
			of.Close()
		}
		if c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %q", c.reason, err, c.want)
		}
	}
}

// TestSaying: a server says each of its troubles once.
func TestSaying(t *testing.T) {
	lines := &log{}
	s := &saying{logf: lines.printf, fatal: make(chan string, 1), before: map[string]bool{}}
	for range 3 {
		s.Errorf("write of %s: no space left on device", "block")
	}
	for chunks := range 3 {
		s.Noticef("10.0.0.2:99 - cid:1 - Slow Consumer Detected: WriteDeadline of 10s exceeded with %d chunks", chunks)
		s.Noticef("10.0.0.2:99 - cid:1 - Slow Consumer Recovered: Flush took 12s with %d chunks", chunks)
		s.Noticef("Server is ready")
	}
	s.Fatalf("can't go on")
	if text := lines.String(); text != "write of block: no space left on device\n"+
		"10.0.0.2:99 - cid:1 - Slow Consumer Detected: WriteDeadline of 10s\n" {
		t.Errorf("log %q", text)
	}
	if why := <-s.fatal; why != "can't go on" {
		t.Errorf("fatal %q", why)
	}
}

// TestSlowLinks: who is slow in taking a content is not thrown out, unless the configuration wants that.
func TestSlowLinks(t *testing.T) {
	for config, want := range map[string]server.WriteTimeoutPolicy{
		"": server.WriteTimeoutPolicyRetry, "debug: false": server.WriteTimeoutPolicyRetry,
		"write_timeout: close": server.WriteTimeoutPolicyClose,
	} {
		var s Serving
		if config != "" {
			s.Config = filepath.Join(t.TempDir(), "server.conf")
			if err := os.WriteFile(s.Config, []byte(config), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		options, err := s.options()
		if err != nil {
			t.Fatal(err)
		}
		if options.WriteTimeout != want {
			t.Errorf("%q: %v, want %v", config, options.WriteTimeout, want)
		}
	}
}

// TestGiven: where a server listens, and where it keeps what it has, is what it is told, then what its configuration
// says.
func TestGiven(t *testing.T) {
	file := filepath.Join(t.TempDir(), "server.conf")
	const text = "listen: \"10.0.0.1:4333\"\njetstream { store_dir: \"/srv/nats\" }\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		reason      string
		s           Serving
		host, store string
		port        int
	}{
		{"nothing is said", Serving{Temp: "/tmp/x"}, "127.0.0.1", "/tmp/x", 4222},
		{"the file says it", Serving{Temp: "/tmp/x", Config: file}, "10.0.0.1", "/srv/nats", 4333},
		{"it is said otherwise", Serving{Host: "10.0.0.2", Port: -1, Store: "s", Config: file}, "10.0.0.2", "s", -1},
	} {
		o, err := c.s.options()
		if err != nil {
			t.Fatal(err)
		}
		if o.Host != c.host || o.Port != c.port || o.StoreDir != c.store {
			t.Errorf("%s: %s:%d, %s", c.reason, o.Host, o.Port, o.StoreDir)
		}
	}
}
