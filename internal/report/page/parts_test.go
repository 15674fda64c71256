package page

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/text"
)

func TestHunk(t *testing.T) {
	for _, c := range []struct{ reason, diff, want string }{
		{"nothing", "", ""},
		{"both sides are numbered", "@@ -41,3 +50,3 @@\n a\n-b\n+c\n d\n", "at:: ctx:41:50 del:42: add::51 ctx:43:52"},
		{"a second header begins anew", "@@ -1 +1 @@\n-a\n@@ -9 +8 @@\n+b\n", "at:: del:1: at:: add::8"},
		{"without a header there are no numbers", " a\n-b\n", "ctx:: del::"},
		{"a header that is none", "@@ x\n-b", "at:: del::"},
		{"the file ends without a newline", "@@ -1 +1 @@\n-a\n\\ No newline\n", "at:: del:1: ctx::"},
	} {
		var got []string
		for _, l := range hunk(c.diff) {
			got = append(got, fmt.Sprintf("%s:%s:%s", l.Class, l.Old, l.New))
		}
		if text := strings.Join(got, " "); text != c.want {
			t.Errorf("%s: %q, want %q", c.reason, text, c.want)
		}
	}
}

func TestNode(t *testing.T) {
	v := &viewer{report: new(report.Report), words: text.NewWording(new(report.Report))}
	for _, c := range []struct {
		reason string
		line   report.TreeLine
		want   node
	}{
		{"equal", report.TreeLine{Text: "F"}, node{Text: "F", Status: "equal", Calls: 1}},
		{"folded", report.TreeLine{Text: "… 1921 calls unchanged"},
			node{Text: "… 1921 calls unchanged", Status: "folded", Calls: 1921}},
		{"a number that is too large", report.TreeLine{Text: "… 99999999999 calls"},
			node{Text: "… 99999999999 calls", Status: "folded", Calls: 1}},
		{"container and root", report.TreeLine{Text: "F", Mark: "container", Root: true, Depth: 2},
			node{Depth: 2, Text: "F", Status: "container", Calls: 1, Root: true}},
		{"only old", report.TreeLine{Text: "F (only in the old run)", Mark: "follower"},
			node{Text: "F", Status: "old-only", Calls: 1}},
		{"only new", report.TreeLine{Text: "F (only in the new run)", Mark: "follower"},
			node{Text: "F", Status: "new-only", Calls: 1}},
		{"another mark", report.TreeLine{Text: "F", Mark: "x"}, node{Text: "F", Status: "follower", Calls: 1}},
		{"depths that are none", report.TreeLine{Text: "F", Depth: -3}, node{Text: "F", Status: "equal", Calls: 1}},
		{"too deep", report.TreeLine{Text: "F", Depth: 1 << 40},
			node{Depth: maxDepth, Text: "F", Status: "equal", Calls: 1}},
	} {
		if got := v.node(c.line); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.reason, got, c.want)
		}
	}
}

func TestMarked(t *testing.T) {
	for _, c := range []struct{ reason, old, new, want string }{
		{"a short value is not marked", "true", "false", "true"},
		{"a long one is", "total 12.00 EUR", "total 11.80 EUR", "total 1[2.0]0 EUR"},
		{"nor is one of which nothing is alike", "aaaaaaaaaaaaaaaa", "bbbbbbbbbbbbbbbb", "aaaaaaaaaaaaaaaa"},
		{"nothing", "", "x", ""},
	} {
		before, _ := text.Marked(c.old, c.new, 100)
		var got strings.Builder
		for _, p := range marked(before) {
			if p.Differ {
				got.WriteString("[" + p.Text + "]")
			} else {
				got.WriteString(p.Text)
			}
		}
		if got.String() != c.want {
			t.Errorf("%s: %q, want %q", c.reason, got.String(), c.want)
		}
	}
}
