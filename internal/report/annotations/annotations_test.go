package annotations_test

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/annotations"
	"github.com/spectradiff/spectradiff/internal/report/reporttest"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

var update = flag.Bool("update", false, "write the golden files anew")

func write(t testing.TB, r *report.Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := annotations.Write(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A command is what GitHub reads in a line.
type command struct {
	kind       string
	properties map[string]string
	text       string
}

var form = regexp.MustCompile(`^::(error|warning|notice) ([^:]*)::([^\r\n]*)\n$`)

// read reads commands as GitHub does, and fails at any other line.
func read(t testing.TB, out string) (list []command) {
	t.Helper()
	property := strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",")
	data := strings.NewReplacer("%25", "%", "%0D", "\r", "%0A", "\n")
	for line := range strings.Lines(out) {
		parts := form.FindStringSubmatch(line)
		if parts == nil {
			t.Fatalf("no annotation: %q", line)
		}
		of := command{parts[1], map[string]string{}, data.Replace(parts[3])}
		for _, part := range strings.Split(parts[2], ",") {
			name, value, found := strings.Cut(part, "=")
			if !found || !slices.Contains([]string{"file", "line", "endLine", "title"}, name) {
				t.Fatalf("property %q of %q", part, line)
			}
			of.properties[name] = property.Replace(value)
		}
		list = append(list, of)
	}
	return list
}

func TestGolden(t *testing.T) {
	for _, c := range reporttest.Cases(t) {
		got := write(t, c.Report)
		read(t, got)
		reporttest.Golden(t, c.Name+".txt", c.Reason, *update, []byte(got))
	}
}

// TestEscaped: what a root says arrives as it is, and in the file where it is.
func TestEscaped(t *testing.T) {
	r := reporttest.Many(t, 1, spectra.TierError)
	r.Roots[0].Position.File, r.Roots[0].Summary = "a,b:c%2C.go", "100%0A, a::b"
	got := read(t, write(t, r))[0]
	if got.properties["file"] != "a,b:c%2C.go" || got.properties["line"] != "1" || got.properties["endLine"] != "" {
		t.Errorf("properties %q", got.properties)
	}
	const begin = "100%0A, a::b\na,b:c%2C.go:1, modified, "
	if !strings.HasPrefix(got.text, begin) || got.properties["title"] != "error: F0" {
		t.Errorf("text %q, title %q", got.text, got.properties["title"])
	}
}

func TestLimit(t *testing.T) {
	for _, c := range []struct {
		reason       string
		roots        int
		tier         spectra.Tier
		kind         string
		lines, given int // given: of the kind
		more         string
	}{
		{"as many errors as are shown", 10, spectra.TierCrash, "error", 10, 10, ""},
		{"one more", 11, spectra.TierCrash, "error", 11, 10, "1 more; "},
		{"many warnings", 10_000, spectra.TierLatent, "warning", 11, 10, "9990 more; "},
		{"as many notices as are shown", 10, spectra.TierText, "notice", 10, 10, ""},
		{"the last notice counts, and is one of ten", 11, spectra.TierText, "notice", 10, 10, "2 more; "},
	} {
		list := read(t, write(t, reporttest.Many(t, c.roots, c.tier)))
		given := 0
		for _, of := range list {
			if of.kind == c.kind {
				given++
			}
		}
		if len(list) != c.lines || given != c.given {
			t.Errorf("%s: %d lines, %d of them %s", c.reason, len(list), given, c.kind)
		}
		if last := list[len(list)-1]; c.more != "" && (last.kind != "notice" || !strings.HasPrefix(last.text, c.more)) {
			t.Errorf("%s: the last line is %+v", c.reason, last)
		}
	}
}

func TestWriteError(t *testing.T) {
	if err := annotations.Write(reporttest.Closed{}, reporttest.Full(t)); !errors.Is(err, os.ErrClosed) {
		t.Errorf("the error of the writer is lost: %v", err)
	}
}

func FuzzWrite(f *testing.F) {
	for i, text := range reporttest.Texts() {
		f.Add(text, i-1, i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, text string, line int, several bool) {
		r := reporttest.Hostile(t, text, line, several)
		out := write(t, r)
		if got := read(t, out); len(got) != len(r.Roots) {
			t.Errorf("%d lines for %d roots:\n%s", len(got), len(r.Roots), out)
		}
		hidden := func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) }
		if i := strings.IndexFunc(out, hidden); i >= 0 || strings.Contains(out, "##[") {
			t.Errorf("at byte %d is what is not seen, or there is a command:\n%q", i, out)
		}
	})
}
