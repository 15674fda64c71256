//go:build linux

package sandbox_test

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

// BenchmarkStart compares a short process in the sandbox with a plain one.
func BenchmarkStart(b *testing.B) {
	b.Run("plain", func(b *testing.B) {
		for b.Loop() {
			if err := exec.Command(binaries.hostile, "hello").Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, v := range []struct {
		name    string
		without []string
	}{
		{"all layers", nil},
		{"no mount namespace", []string{"mountns"}},
		{"no user namespace", []string{"userns"}},
		{"Landlock and seccomp", []string{"userns", "mountns", "netns", "pidns"}},
	} {
		b.Run(v.name, func(b *testing.B) {
			s := open(b, v.without...)
			c := sandbox.Config{Binary: binaries.hostile, Args: []string{"hello"},
				Scratch: filepath.Join(b.TempDir(), "scratch"),
				Limits: sandbox.Limits{Memory: 1 << 30, Total: 1 << 30, FileSize: 1 << 20, Disk: 1 << 28,
					Processes: 100, OpenFiles: 100}}
			for b.Loop() {
				p, err := s.Start(b.Context(), c)
				if err != nil {
					b.Fatal(err)
				}
				if exit := p.Wait(); exit != (sandbox.Exit{}) {
					b.Fatal(exit)
				}
			}
		})
	}
}
