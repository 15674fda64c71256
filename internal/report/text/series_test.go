package text_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/reporttest"
	"github.com/spectradiff/spectradiff/internal/report/series"
	"github.com/spectradiff/spectradiff/internal/report/text"
)

func printSeries(t *testing.T, s *series.Series, options text.Options) string {
	t.Helper()
	var out bytes.Buffer
	if err := text.WriteSeries(&out, s, options); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestSeriesGolden(t *testing.T) {
	for _, c := range []struct {
		name    string
		options text.Options
		reason  string
	}{
		{"series.60.txt", text.Options{Width: 60}, "a narrow terminal"},
		{"series.80.txt", text.Options{}, "every kind of pair, and roots that come and go"},
		{"series.120.txt", text.Options{Width: 120, Detail: true}, "with the time that each pair took"},
	} {
		got := printSeries(t, reporttest.Series(t), c.options)
		reporttest.Golden(t, c.name, c.reason, *update, []byte(got))
	}
}

// TestSeriesColor: colours add nothing but colours.
func TestSeriesColor(t *testing.T) {
	colored := printSeries(t, reporttest.Series(t), text.Options{Color: true})
	plain := regexp.MustCompile("\x1b\\[[0-9]*m").ReplaceAllString(colored, "")
	if want := printSeries(t, reporttest.Series(t), text.Options{}); plain != want || colored == want {
		t.Errorf("without colours:\n%s\nwant:\n%s", plain, want)
	}
}

// TestSeriesHostile: no text of a series does more than be read, or makes lines of its own.
func TestSeriesHostile(t *testing.T) {
	for _, hostile := range reporttest.Texts() {
		s := reporttest.Series(t)
		reporttest.Fill(reflect.ValueOf(&s.Module).Elem(), hostile)
		reporttest.Fill(reflect.ValueOf(s.Pairs), hostile)
		got := printSeries(t, s, text.Options{})
		if got != text.Printable(got) {
			t.Errorf("%q does more than be read:\n%q", hostile, got)
		}
	}
}

// TestSeriesVerdict: the first line, by what the pairs are.
func TestSeriesVerdict(t *testing.T) {
	version := func(name string) report.Revision { return report.Revision{Revision: name} }
	pair := func(verdict report.Verdict) series.Pair {
		return series.Pair{Old: version("v1"), New: version("v2"), Verdict: verdict}
	}
	for _, c := range []struct {
		reason  string
		pairs   []series.Pair
		partial bool
		want    string
	}{
		{"nothing deviates", []series.Pair{pair(report.Same), pair(report.Same)}, false,
			"from v1 to v2: no deviations in 2 pairs"},
		{"one deviates", []series.Pair{pair(report.Deviates), pair(report.Same)}, false,
			"from v1 to v2: 1 of 2 pairs deviates, 0 roots"},
		{"silence that says little", []series.Pair{pair(report.NotReached)}, false,
			"from v1 to v2: no deviations in 1 pair; in 1 pair the change was not reached"},
		{"one that does not count as silent", []series.Pair{pair(report.Same), pair(report.Incomplete)}, false,
			"from v1 to v2: no deviations in 1 pair; 1 pair not compared to the end"},
		{"nothing is known", []series.Pair{pair(report.Incomplete)}, false,
			"from v1 to v2: no deviations found; 1 pair not compared to the end"},
		{"interrupted", []series.Pair{pair(report.Deviates), pair(report.Incomplete)}, true, "from v1 to v2: " +
			"1 of 2 pairs deviates, 0 roots; 1 pair not compared to the end; partial: the series was interrupted"},
		{"no pairs", nil, false, "nothing to compare"},
	} {
		s := series.Make(report.Tool{}, nil, c.pairs, c.partial)
		if got := text.NewSeriesWording(s).Verdict(); got != c.want {
			t.Errorf("%s: %s, want %s", c.reason, got, c.want)
		}
	}
}

// TestSeriesError: what stops the output is the error.
func TestSeriesError(t *testing.T) {
	err := text.WriteSeries(reporttest.Closed{}, reporttest.Series(t), text.Options{})
	if !errors.Is(err, os.ErrClosed) || !strings.Contains(fmt.Sprint(err), "write text series") {
		t.Errorf("got %v", err)
	}
}
