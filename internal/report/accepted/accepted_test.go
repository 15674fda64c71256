package accepted_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/accepted"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

const name = ".spectradiff/accepted.json"

func read(t *testing.T, text string) accepted.List {
	t.Helper()
	list, err := accepted.Read(name, []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func write(t *testing.T, list accepted.List) string {
	t.Helper()
	data, err := accepted.Write(list)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestRoundTrip(t *testing.T) {
	const one = `{"fingerprint": "0a", "function": "m.F", "tier": "value", "reason": "a < b & c", "author": "Ann", ` +
		`"date": "2026-11-26"}`
	const two = `{"fingerprint": "0b", "function": "m.(*T).G", "reason": "„gewollt“"}`
	for _, c := range []struct{ reason, in, want string }{
		{"no entry", "[]", "[\n]\n"},
		{"as it is written", "[\n" + one + ",\n" + two + "\n]\n", "[\n" + one + ",\n" + two + "\n]\n"},
		{"sorted by fingerprint", "[" + two + "," + one + "]", "[\n" + one + ",\n" + two + "\n]\n"},
		{"laid out by an editor", strings.ReplaceAll("[\r\n"+one+"]", ", ", ",\r\n\t"), "[\n" + one + "\n]\n"},
		{"the same twice, as after a merge", "[" + one + "," + two + "," + one + "]",
			"[\n" + one + ",\n" + two + "\n]\n"},
		{"of the same fingerprint the later one stays",
			`[{"fingerprint": "0b", "function": "m.F", "reason": "z", "date": "2026-01-02"},
			{"fingerprint": "0b", "function": "m.F", "reason": "a", "date": "2026-01-03"}]`,
			"[\n" + `{"fingerprint": "0b", "function": "m.F", "reason": "a", "date": "2026-01-03"}` + "\n]\n"},
		{"whatever the order", `[{"fingerprint": "0b", "function": "m.F", "reason": "a", "date": "2026-01-03"},
			{"fingerprint": "0b", "function": "m.F", "reason": "z", "date": "2026-01-02"}]`,
			"[\n" + `{"fingerprint": "0b", "function": "m.F", "reason": "a", "date": "2026-01-03"}` + "\n]\n"},
		{"fields of a later version", `[{"until": {"b": [1, 2.50], "a": "<x>"}, "fingerprint": "0b", "function": "m.F",
			"reason": "r", "Reason": null}]`,
			"[\n" + `{"fingerprint": "0b", "function": "m.F", "reason": "r", "Reason": null, ` +
				`"until": {"b":[1,2.50],"a":"<x>"}}` + "\n]\n"},
	} {
		if diff := cmp.Diff(c.want, write(t, read(t, c.in))); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.reason, diff)
		}
	}
}

func TestDamaged(t *testing.T) {
	const good = `{"fingerprint": "0a", "function": "m.F", "reason": "r"}`
	entry := func(fields string) string { return "[\n" + good + ",\n{" + fields + "}\n]\n" }
	for _, c := range []struct{ reason, in, want string }{
		{"empty", "", name + ":1: want a list in brackets"},
		{"another value", `{"entries": []}`, name + ":1: want a list in brackets"},
		{"cut off", "[\n" + good + ",\n", name + ":2: the list ends too early"},
		{"cut off in an entry", "[\n" + good[:20], name + ":2: the list ends too early"},
		{"a comma is missing", "[\n" + good + "\n" + good + "\n]\n", name + ":3: no JSON: "},
		{"a comma too many", "[\n" + good + ",\n]\n", name + ":3: no JSON: "},
		{"two lists", "[\n]\n[\n]\n", name + ":3: no JSON: "},
		{"a conflict of a merge", "[\n<<<<<<< HEAD\n" + good + "\n=======\n" + good + "\n>>>>>>> b\n]\n",
			name + ":2: a merge left <<<<<<< here: keep the entries of both sides"},
		{"the rest of a conflict", "[\n" + good + "\r\n=======\r\n]\n", name + ":3: a merge left ======= here"},
		{"not UTF-8", "[\n" + good + ",\n\"\xff\"]", name + ":3: it is not UTF-8"},
		{"a control character", "[\n" + good + ",\n\"\x1b[31m\"]", name + ":3: it holds the control character U+001B"},
		{"a mark that turns text around", entry(`"reason": "` + "\u202e" + `"`),
			name + ":3: it holds the control character U+202E"},
		{"the same, escaped", entry(`"fingerprint": "0b", "function": "m.F", "reason": "\u001b[31m"`),
			name + ":3: reason of entry \"0b\": it holds the control character U+001B"},
		{"a newline", entry(`"fingerprint": "0b", "function": "m.F\n::error", "reason": "r"`),
			name + ":3: function of entry \"0b\": it holds the control character U+000A"},
		{"a tab", entry(`"fingerprint": "0b", "function": "m.F", "reason": "r\t"`),
			name + ":3: reason of entry \"0b\" holds a tab"},
		{"an unknown field's name", entry(`"fingerprint": "0b", "function": "m.F", "reason": "r", "\u0007": 1`),
			name + ":3: a field of entry \"0b\": it holds the control character U+0007"},
		{"no fingerprint", entry(`"function": "m.F"`), name + ":3: an entry has no fingerprint"},
		{"no function", entry(`"fingerprint": "0b", "reason": "r"`), name + ":3: entry \"0b\" has no function"},
		{"no reason", entry(`"fingerprint": "0b", "function": "m.F", "reason": " "`),
			name + ":3: entry \"0b\" has no reason"},
		{"a number", entry(`"fingerprint": 11`), name + ":3: fingerprint is no text"},
		{"null", entry(`"fingerprint": null`), name + ":3: fingerprint is no text"},
		{"no date", entry(`"fingerprint": "0b", "function": "m.F", "reason": "r", "date": "26.11.2026"`),
			name + `:3: entry "0b": date "26.11.2026": want a day`},
		{"an entry that is a text", "[\n\"0a\"\n]", name + ":2: an entry is no object"},
		{"an entry that is null", "[\n" + good + ",\n\n null]", name + ":4: an entry is no object"},
	} {
		if _, err := accepted.Read(name, []byte(c.in)); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %s…", c.reason, err, c.want)
		}
	}
}

func TestWriteRefuses(t *testing.T) {
	list := accepted.List{}.With(accepted.Entry{Fingerprint: "0a", Function: "m.F", Reason: "one\ntwo"})
	if _, err := accepted.Write(list); err == nil {
		t.Error("a reason of two lines was written, which nobody could read again")
	}
}

func TestWith(t *testing.T) {
	list := read(t, `[{"fingerprint": "0b", "function": "m.F", "reason": "old", "until": 1}]`)
	list = list.With(accepted.Entry{Fingerprint: "0b", Function: "m.F", Reason: "new"},
		accepted.Entry{Fingerprint: "0a", Function: "m.G", Reason: "r"})
	want := "[\n" + `{"fingerprint": "0a", "function": "m.G", "reason": "r"},` + "\n" +
		`{"fingerprint": "0b", "function": "m.F", "reason": "new", "until": 1}` + "\n]\n"
	if diff := cmp.Diff(want, write(t, list)); diff != "" {
		t.Errorf("an entry that takes the place of another keeps its unknown fields: -want +got\n%s", diff)
	}
	if got := write(t, list.Without("0a", "ff")); strings.Contains(got, "0a") || !strings.Contains(got, "0b") {
		t.Errorf("without 0a: %s", got)
	}
	if e := list.Find("0b"); e == nil || e.Reason != "new" || list.Find("0c") != nil {
		t.Errorf("found %v for 0b, %v for 0c", e, list.Find("0c"))
	}
}

// compared is a report of two roots, m.F and m.G, that ran m.H too, and did not reach m.I.
func compared(t *testing.T) *report.Report {
	t.Helper()
	r := &report.Report{Replay: report.Replay{Sequences: 10}, Subject: report.Subject{
		ChangedFunctions: []string{"m.F", "m.G", "m.H", "m.I"}, Unreached: []string{"m.I"},
	}}
	one := 1.0
	r.Generation.ComparableStatementCoverage = &one
	for _, f := range []string{"m.F", "m.G"} {
		r.Add(report.Root{Function: f, Change: spectra.ChangeModified, Tier: spectra.TierValue})
	}
	if err := r.Finish(report.FailAny); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestApply(t *testing.T) {
	r := compared(t)
	how := report.Acceptance{Reason: "wanted", Author: "Ann", Date: "2026-11-26"}
	other := func(fingerprint, function string) accepted.Entry {
		return accepted.Entry{Fingerprint: fingerprint, Function: function, Reason: "of another comparison"}
	}
	list := accepted.List{}.With(accepted.Of(&r.Roots[1], how), other("0a", "m.H"), other("0b", "m.I"),
		other("0c", "m.J"), other("0d", "m.F"))
	stale, err := accepted.Apply(r, list)
	if err != nil {
		t.Fatal(err)
	}
	if r.Roots[0].Accepted != nil || r.Roots[1].Accepted == nil || *r.Roots[1].Accepted != how {
		t.Errorf("accepted %v and %v, want the second alone", r.Roots[0].Accepted, r.Roots[1].Accepted)
	}
	var of []string
	for _, e := range stale {
		of = append(of, e.Fingerprint+" "+e.Function)
	}
	want := []string{"0a m.H", "0d m.F"}
	if diff := cmp.Diff(want, of); diff != "" || len(r.AcceptedStale) != len(want) {
		t.Errorf("stale are entries of functions that ran (m.I did not, m.J did not change): -want +got\n%s", diff)
	}
	if r.Verdict != report.Deviates || r.Exit != 1 {
		t.Errorf("%s, %d: the first root is not accepted", r.Verdict, r.Exit)
	}
	list = list.With(accepted.Of(&r.Roots[0], how))
	if _, err := accepted.Apply(r, list); err != nil || r.Verdict != report.Deviates || r.Exit != 0 {
		t.Errorf("%s, %d, %v: all are accepted, so it deviates with exit 0", r.Verdict, r.Exit, err)
	}
	_, err = accepted.Apply(r, nil)
	if err != nil || r.Roots[0].Accepted != nil || r.AcceptedStale != nil || r.Exit != 1 {
		t.Errorf("%v: nothing stays accepted if the list is empty", err)
	}
}

// TestStaleNeedsWholeRun: a run that did not try everything says nothing of what it did not show.
func TestStaleNeedsWholeRun(t *testing.T) {
	list := accepted.List{}.With(accepted.Entry{Fingerprint: "0a", Function: "m.H", Reason: "r"})
	for _, c := range []struct {
		reason string
		change func(*report.Report)
		want   int
	}{
		{"all ran", func(*report.Report) {}, 1},
		{"some tests alone", func(r *report.Report) { r.Settings.Run = "^TestX$" }, 0},
		{"the time was over", func(r *report.Report) { r.Partial = &report.Partial{Reason: report.TimedOut} }, 0},
		{"much was lost", func(r *report.Report) { r.Replay.Incomplete = 9 }, 0},
		{"nothing was played", func(r *report.Report) { r.Replay.Sequences = 0 }, 0},
	} {
		r := compared(t)
		c.change(r)
		if got := accepted.Stale(r, list); len(got) != c.want {
			t.Errorf("%s: %d stale, want %d", c.reason, len(got), c.want)
		}
	}
}

// TestMany checks that ten thousand entries take no time worth speaking of.
func TestMany(t *testing.T) {
	var list accepted.List
	entries := make([]accepted.Entry, 10_000)
	for i := range entries {
		entries[i] = accepted.Entry{Fingerprint: fmt.Sprintf("%016x", i*7919%10_007), Function: "m.F", Reason: "r"}
	}
	text := write(t, list.With(entries...))
	if got := read(t, text); len(got) != len(entries) || strings.Count(text, "\n") != len(entries)+2 {
		t.Errorf("%d entries in %d lines came back", len(got), strings.Count(text, "\n"))
	}
}
