package fleet

import (
	"strings"
	"testing"
)

// TestCheckAddress: an address that can't be read is an error that holds nothing of the password, nor of what looks
// like another part because of it.
func TestCheckAddress(t *testing.T) {
	for _, address := range []string{
		"", "nats://host", "nats://host:4222, nats://other", "ci:secret@host:4222", "tls://ci:se%25cret@host",
		"nats://[::1]:4222",
	} {
		if err := (Options{URL: address}).CheckAddress(); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, address := range []string{
		"nats://ci:se%cret@host", "nats://ci:sec,ret@host", "ci:se%cret@host", "nats://ok,nats://ci:sec\x7fret@host",
		"nats://ci:se^c/ret@host",
	} {
		o := Options{URL: address}
		_, err := connect(t.Context(), o, "test", t.Logf)
		if err == nil || o.CheckAddress() == nil {
			t.Errorf("%q is accepted", address)
			continue
		}
		for _, part := range []string{"sec", "ret", "%cr", "se%"} {
			if strings.Contains(err.Error(), part) {
				t.Errorf("%q: the error holds %q of the password: %v", address, part, err)
			}
		}
	}
}
