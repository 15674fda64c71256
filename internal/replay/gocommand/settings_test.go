package gocommand

import (
	"os"
	"path/filepath"
	"testing"
	"time"
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
		{"how C code is compiled", "CXX", "c++", true},
		{"where headers are", "CPATH", "/include", true},
		{"where caches are", "GOMODCACHE", t.TempDir(), false},
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

// TestDeciding: what is built here is kept under what decides it, wherever that is said, and under the compilers.
func TestDeciding(t *testing.T) {
	folder := t.TempDir()
	saved, compiler := save(t, filepath.Join(folder, "env"), ""), save(t, filepath.Join(folder, "cc"), "#!/bin/sh\n")
	for name, value := range map[string]string{"GOENV": saved, "CGO_ENABLED": "1", "CC": compiler, "GOAMD64": ""} {
		t.Setenv(name, value)
	}
	deciding := func() string { r := Unconfined(); return r.Deciding(r.Environment(os.Environ())) }
	before := deciding()
	for _, c := range []struct {
		reason, name, value string
		counts              bool
	}{
		{"the compiler of C++", "CXX", "c++", true},
		{"where headers are", "C_INCLUDE_PATH", "/include", true},
		{"where libraries are", "LIBRARY_PATH", "/lib", true},
		{"what pkg-config finds", "PKG_CONFIG_PATH", "/lib", true},
		{"which programs are found", "PATH", os.Getenv("PATH") + ":" + folder, true},
		{"the instructions of the machine", "GOAMD64", "v3", true},
		{"whom to ask for modules", "GOPROXY", "https://user:secret@example.com", false},
		{"how to fetch", "GIT_SSH", "ssh", false},
		{"temporary files", "GOTMPDIR", folder, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Setenv(c.name, c.value)
			if other := deciding() != before; other != c.counts {
				t.Errorf("%s: %s=%s: another text: %t, want %t", c.reason, c.name, c.value, other, c.counts)
			}
		})
	}
	save(t, saved, "GOAMD64=v2\n")
	if deciding() == before {
		t.Error("what go env -w wrote does not count")
	}
	save(t, saved, "GOPROXY=off\n")
	if deciding() != before {
		t.Error("what is saved of module servers counts")
	}
	if err := os.Chtimes(compiler, time.Time{}, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if deciding() == before {
		t.Error("another compiler in the same place does not count")
	}
	t.Setenv("CGO_ENABLED", "0")
	if r := Unconfined(); r.Compilers() != "" {
		t.Error("compilers count where cgo is off")
	}
}
