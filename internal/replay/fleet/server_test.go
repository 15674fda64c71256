package fleet

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
		server, err := Serve(c.s)
		if err == nil {
			server.Close()
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
	s.Fatalf("can't go on")
	if text := lines.String(); text != "write of block: no space left on device\n" {
		t.Errorf("log %q", text)
	}
	if why := <-s.fatal; why != "can't go on" {
		t.Errorf("fatal %q", why)
	}
}
