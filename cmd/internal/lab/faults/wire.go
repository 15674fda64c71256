package faults

import (
	"bytes"
	"net"
	"sync"
	"time"
)

// A wire passes connections on to a server.
type wire struct {
	listener net.Listener
	mu       sync.Mutex
	pass     *sync.Cond
	quiet    bool // nothing passes
	gone     bool // new connections are closed
	lies     bool // contents that go to the server are changed
	open     []net.Conn
}

// lay makes a wire to an address.
func lay(address string) (*wire, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	return layFrom(listener, address), nil
}

// layFrom makes a wire from a listener to an address.
func layFrom(listener net.Listener, address string) *wire {
	w := &wire{listener: listener}
	w.pass = sync.NewCond(&w.mu)
	go func() {
		for {
			from, err := listener.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("tcp", address)
			if err != nil || !w.hold(from, to) {
				_ = from.Close()
				continue
			}
			go w.copy(to, from, true)
			go w.copy(from, to, false)
		}
	}()
	return w
}

// hold notes an open connection. It refuses it where the wire is cut.
func (w *wire) hold(ends ...net.Conn) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.gone {
		for _, end := range ends {
			_ = end.Close()
		}
		return false
	}
	w.open = append(w.open, ends...)
	return true
}

func (w *wire) copy(to, from net.Conn, up bool) {
	defer to.Close()
	defer from.Close()
	buffer := make([]byte, 1<<16)
	for {
		n, err := from.Read(buffer)
		w.mu.Lock()
		for w.quiet {
			w.pass.Wait()
		}
		if up && w.lies {
			lie(buffer[:n])
		}
		w.mu.Unlock()
		if _, failed := to.Write(buffer[:n]); failed != nil || err != nil {
			return
		}
	}
}

// silent lets nothing pass for some time, and then all that waited.
func (w *wire) silent(d time.Duration, ended <-chan struct{}) error {
	w.set(true)
	wait(d, ended)
	w.set(false)
	return nil
}

func (w *wire) set(quiet bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.quiet = quiet
	w.pass.Broadcast()
}

// cut closes all connections, and lets no new one through.
func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.gone, w.quiet = true, false
	w.pass.Broadcast()
	for _, end := range w.open {
		_ = end.Close()
	}
}

func (w *wire) close() {
	_ = w.listener.Close()
	w.cut()
}

// lying changes all contents from now on.
func (w *wire) lying() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lies = true
}

// lie changes the first byte of each content that begins in a part of what a client of NATS sends: a piece of an object
// is published under a subject of its own.
func lie(sent []byte) {
	for {
		_, piece, ok := bytes.Cut(sent, []byte("PUB $O."))
		if !ok {
			return
		}
		if _, sent, ok = bytes.Cut(piece, []byte("\r\n")); !ok || len(sent) == 0 {
			return
		}
		sent[0] ^= 1
	}
}
