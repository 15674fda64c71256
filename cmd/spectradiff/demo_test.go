package main

import (
	"strings"
	"testing"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestDemoRepository checks that the demo's commits have the same hashes on every machine, and that they
// differ.
func TestDemoRepository(t *testing.T) {
	seen := map[string]plumbing.Hash{}
	for range 2 {
		folder := t.TempDir()
		if err := makeDemo(folder); err != nil {
			t.Fatal(err)
		}
		repository, err := git.PlainOpen(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, tag := range []string{"v1.0.0", "v1.1.0"} {
			hash, err := repository.ResolveRevision(plumbing.Revision(tag))
			if err != nil {
				t.Fatalf("%s: %v", tag, err)
			}
			if first, again := seen[tag]; again && first != *hash {
				t.Errorf("%s is %s, then %s", tag, first, hash)
			}
			seen[tag] = *hash
		}
	}
	if seen["v1.0.0"] == seen["v1.1.0"] {
		t.Error("both tags name one commit")
	}
}

// TestCheckDemo checks that a report is refused if it does not show what the repository was made to show.
func TestCheckDemo(t *testing.T) {
	const pop, delay = "example.com/jobqueue.(*ring).pop", "example.com/jobqueue.Delay"
	for _, test := range []struct {
		reason string
		roots  []report.Root
		want   string // "": no error
	}{
		{"both", []report.Root{{Function: pop, Reach: spectra.Masked}, {Function: delay, Reach: spectra.Visible}}, ""},
		{"none", nil, "found were 0"},
		{"one is missing", []report.Root{{Function: pop, Reach: spectra.Masked}}, "found were 1"},
		{"another reach", []report.Root{{Function: pop, Reach: spectra.Visible},
			{Function: delay, Reach: spectra.Visible}}, "want masked"},
		{"the rename is a root", []report.Root{{Function: "example.com/jobqueue.canonical", Reach: spectra.Masked}},
			"changes nothing"},
	} {
		err := checkDemo(&report.Report{Roots: test.roots})
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", test.reason, err, test.want)
		}
	}
}
