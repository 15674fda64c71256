package markdown_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/markdown"
	"github.com/spectradiff/spectradiff/internal/report/reporttest"
)

var update = flag.Bool("update", false, "write the golden files anew")

const page = "https://ci.example.com/run/7?a=b&c=(d)"

// folded are the titles of the folded parts.
const (
	detail   = "Change, values, example, proof"
	commits  = "Commits"
	further  = "Further findings"
	taken    = "Accepted"
	missing  = "What of the change was not reached"
	warnings = "Warnings"
	compared = "What was compared"
)

var titles = []string{detail, commits, further, taken, missing, warnings, compared}

func write(t testing.TB, r *report.Report, link string) string {
	t.Helper()
	var out strings.Builder
	if err := markdown.Write(&out, r, markdown.Options{Link: link}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestGolden(t *testing.T) {
	for _, c := range []struct {
		name, link, reason string
		make               func(testing.TB) *report.Report
		folded             []string
	}{
		{"deviating", page, "every part at once", deviating,
			[]string{detail, detail, detail, further, missing, warnings, compared}},
		{"same", page, "nothing to decide: two lines", same, nil},
		{"unchanged", "", "the same commit twice", unchanged, nil},
		{"not-reached", "", "silence that says little", notReached, []string{missing, compared}},
		{"calls", "", "no value differs", calls, []string{further, compared}},
		{"interrupted", "", "the run ended early; the working tree", interrupted, []string{compared}},
		{"accepted", "", "accepted findings stand apart", withAccepted,
			[]string{detail, further, taken, missing, warnings, compared}},
		{"commits", "", "the commits with which findings came", func(t testing.TB) *report.Report {
			return reporttest.Commits(t)
		}, []string{detail, detail, detail, detail, detail, commits, further, warnings, compared}},
		{"many", "", "findings beyond those with details have a line", func(t testing.TB) *report.Report {
			return many(t, 40, `"tea"`)
		}, []string{detail, detail, detail, detail, detail, further, missing, warnings, compared}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := write(t, c.make(t), c.link)
			reporttest.Golden(t, c.name+".md", c.reason, *update, []byte(got))
			if folded := check(t, got, c.link != ""); strings.Join(folded, "|") != strings.Join(c.folded, "|") {
				t.Errorf("%s: folded are %q, want %q", c.reason, folded, c.folded)
			}
		})
	}
}

// TestTwoLines: a report without findings has two lines below the mark.
func TestTwoLines(t *testing.T) {
	var lines []string
	for line := range strings.Lines(write(t, same(t), page)) {
		if strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	if len(lines) != 3 || lines[0] != markdown.Mark+"\n" {
		t.Errorf("got %d lines: %q", len(lines), lines)
	}
}

// TestSecondsAreNotShown: what varies from run to run is not in the comment.
func TestSecondsAreNotShown(t *testing.T) {
	first, second := deviating(t), deviating(t)
	second.Generation.Seconds, second.Replay.Seconds, second.Tests.Seconds = 99.5, 98.5, 97.5
	second.Stages = []report.Stage{{Name: "generate", Seconds: 96.5, PeakBytes: 1 << 30}}
	if write(t, first, "") != write(t, second, "") {
		t.Error("durations or memory change the comment")
	}
}

// TestRoom: whatever a report holds, the comment has room for it, and says what it leaves out.
func TestRoom(t *testing.T) {
	const most = 65_000
	for _, c := range []struct {
		reason, value string
		roots         int
	}{
		{"many findings", `"tea"`, 100_000},
		{"a value of megabytes", strings.Repeat("tea ", 10<<18), 1},
		{"what code has to be longer for", strings.Repeat("@ ` b ", 1000), 30},
		{"characters of four bytes", strings.Repeat("𝔸", 1000), 30},
		{"lines", strings.Repeat("\n", 1000), 30},
	} {
		got := write(t, many(t, c.roots, c.value), page)
		if len(got) >= most {
			t.Errorf("%s: %d bytes", c.reason, len(got))
		}
		check(t, got, true)
	}
	r := many(t, 5, "x")
	for i := range r.Roots {
		r.Roots[i].Diff = strings.Repeat("+"+strings.Repeat("𝔸", 200)+"\n", 100)
	}
	got := write(t, r, page)
	folded := check(t, got, true)
	const note = "Left out, because a comment has no room for it: the details of finding 2, "
	if len(got) >= most || !strings.Contains(got, note) || len(folded) < 2 || folded[len(folded)-1] != compared {
		t.Errorf("%d bytes, folded %q; want the note that begins with %q", len(got), folded, note)
	}
}

func TestLink(t *testing.T) {
	for _, c := range []struct{ link, want, reason string }{
		{"https://a.example/x", "](https://a.example/x)", "as it is"},
		{"https://a.example/(x)[y]`z <b>\n", "](https://a.example/%28x%29%5By%5D%60z%20%3Cb%3E%0A)", "escaped"},
		{"javascript:alert(1)", "", "another scheme"},
		{"//a.example", "", "no scheme"},
		{"https://" + strings.Repeat("a", 3000), "", "too long"},
	} {
		var out strings.Builder
		err := markdown.Write(&out, same(t), markdown.Options{Link: c.link})
		if (err != nil) != (c.want == "") || !strings.Contains(out.String(), c.want) {
			t.Errorf("%s: error %v, want %q in\n%s", c.reason, err, c.want, &out)
		}
	}
}

func TestWriteError(t *testing.T) {
	file, err := os.Open(os.DevNull) // open for reading only, so every write fails
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := markdown.Write(file, same(t), markdown.Options{}); err == nil {
		t.Error("no error from a writer that fails")
	}
}

func ExampleWrite() {
	r := &report.Report{
		Old: report.Revision{Revision: "main", Commit: "1111111111111111111111111111111111111111"},
		New: report.Revision{Revision: "HEAD", Commit: "1111111111111111111111111111111111111111"},
	}
	var out strings.Builder
	err := r.Finish(report.FailAny)
	if err == nil {
		err = markdown.Write(&out, r, markdown.Options{})
	}
	fmt.Println(out.String(), err)
	// Output:
	// <!-- spectradiff -->
	// **spectradiff: no deviations between main and `HEAD`: they are the same commit**
	//  <nil>
}
