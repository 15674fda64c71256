package gocommand

import (
	"os"
	"path/filepath"
	"testing"
)

// TestSettings: what decides what is built is in the text, and nothing else is.
func TestSettings(t *testing.T) {
	saved := filepath.Join(t.TempDir(), "env")
	t.Setenv("GOENV", saved)
	settings := func() string {
		text, err := Unconfined().Settings()
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	before := settings()
	for _, c := range []struct {
		reason, name, value string
		counts              bool
	}{
		{"another toolchain", "GOTOOLCHAIN", "go1.25.1", true},
		{"other flags", "GOFLAGS", "-tags=x", true},
		{"another machine", "GOARCH", "riscv64", true},
		{"how targets behave", "GODEBUG", "randautoseed=0", true},
		{"whom to ask for modules", "GOPROXY", "off", false},
		{"nothing of the go command", "EDITOR", "ed", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(c.name, c.value)
			if other := settings() != before; other != c.counts {
				t.Errorf("%s: %s=%s: another text: %t, want %t", c.reason, c.name, c.value, other, c.counts)
			}
		})
	}
	if err := os.WriteFile(saved, []byte("GOTOOLCHAIN=go1.25.1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if settings() == before {
		t.Error("what go env -w wrote does not count")
	}
}
