package text_test

import (
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/text"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

func TestSummary(t *testing.T) {
	const module = "example.com/shop/v2"
	p := text.NewPhrases(&report.Report{Subject: report.Subject{Module: module}})
	old := &report.Position{Side: spectra.Old, File: "a.go", Line: 3, EndLine: 5}
	for _, c := range []struct {
		reason string
		root   report.Root
		want   string
	}{
		{"its sentence", report.Root{Summary: "F returns " + module + "/price.T"}, "F returns price.T"},
		{"a place in the old version", report.Root{Summary: "F is gone", Position: old},
			"F is gone (a.go:3-5 in the old version)"},
		{"odd arguments", report.Root{Summary: "F panics", OnNegative: true},
			"F panics, seen only with a negative number"},
		{"a method of nil", report.Root{Summary: "F panics", OnNil: true},
			"F panics, seen only where a method of a nil pointer is called"},
		{"none", report.Root{Function: module + ".F"}, "shop.F deviates"},
		{"hostile", report.Root{Summary: "::error::\n\x1b[2J\u202e##[x]"}, `\::error::\n\x1b[2J\u202e#\#[x]`},
		{"too long", report.Root{Summary: strings.Repeat("a", 2000)}, strings.Repeat("a", 999) + "…"},
	} {
		if got := p.Summary(&c.root); got != c.want {
			t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
		}
	}
}

// TestDetails: the first difference of long values is seen, and no line or list is without end.
func TestDetails(t *testing.T) {
	r := deviating(t)
	p, root := text.NewPhrases(r), r.Roots[0]
	equal := strings.Repeat("x", 1<<20)
	root.Values = []report.Difference{{Path: "ret0", Old: equal + "old end", New: equal + "new end"}}
	root.Diff = "@@ -1 +1 @@\n-\told\n+\tnew\x1b\n" + strings.Repeat(" same\n", 1000)
	root.Sequence = strings.Repeat("v0 := F()\n", 1000)
	got := p.Details(&root)
	for _, want := range []string{"xold end", "xnew end", "@@ -1 +1 @@\n-    old\n+    new\\x1b\n",
		"… more lines; git diff v1.2.0 v1.3.0 -- cart.go has all"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q", want)
		}
	}
	if lines := strings.Split(got, "\n"); len(lines) > 151 || len(got) > 1<<16 {
		t.Errorf("%d lines, %d bytes", len(lines), len(got))
	}
	bare := report.Root{Change: spectra.ChangeModified, Confidence: spectra.Likely, Reach: spectra.Masked}
	if got, want := p.Details(&bare), "modified, likely, masked, seen before any call"; got != want {
		t.Errorf("without more there is %q, want %q", got, want)
	}
}
