package json_test

import (
	"bytes"
	"flag"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/json"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

var update = flag.Bool("update", false, "write the golden file anew")

// full returns a report with a value in every field.
func full(t *testing.T) *report.Report {
	t.Helper()
	r := &report.Report{
		Tool:     report.Tool{Version: "v0.1.0", Go: "go1.26.8"},
		Old:      report.Revision{Revision: "v1.2.0", Commit: "1111111111111111111111111111111111111111"},
		New:      report.Revision{Revision: report.Worktree, Commit: report.Worktree},
		Settings: report.Settings{Seed: 1, BudgetSeconds: 30, Drive: []string{"api"}, Sandbox: "landlock+netns"},
		Subject: report.Subject{Module: "example.com/m", Packages: 7, Functions: 210, Operations: 96,
			ChangedFunctions: []string{"example.com/m.F"}},
		Generation: report.Generation{
			Sequences: 12000, Kept: 2400, Redundant: 9100, Illegal: 500, Steps: 88000, OperationsReached: 88,
			Seconds:           12.1,
			StatementCoverage: report.Share(71, 100), ChangedStatementCoverage: report.Share(0, 5),
		},
		Replay: report.Replay{
			Sequences: 2400, FunctionExecutions: 510000, Seconds: 3.3,
			Lost: 3, Unplayed: 40, Incomplete: 7, LostAt: []string{"example.com/m.F"}, EndedAlike: 2,
		},
		Noise: report.Noise{Values: 9310, Masked: 12,
			Sites: []report.NoiseSite{{Function: "example.com/m.New", Path: "ret0.ID",
				Reason: "differs between two runs of the old version"}}},
		Exposure: report.Exposure{Covering: 1800, Output: 40, Hit: 131, Count: 131, Trace: 133},
		Structural: []report.Structural{{Function: "example.com/m.G", Change: spectra.ChangeRenamed,
			Detail: "now example.com/m.H"}},
		Warnings: []string{"a < b && \"c\" \u2028"}, Lacks: []report.Lack{report.LackTests},
	}
	r.Add(report.Root{
		Function: "example.com/m.F", Change: spectra.ChangeModified, Confidence: spectra.Confirmed,
		Proof:    &report.Proof{Sufficient: true, Necessary: true, Trials: 4},
		Position: &report.Position{Side: spectra.New, File: "m.go", Line: 41, EndLine: 44},
		Summary:  "F returns <nil>", Sequences: 131,
		Values: []report.Difference{{Function: "example.com/m.F", Path: "ret0", Old: "3", New: "4", Output: true}},
		Tree: []report.TreeLine{{Depth: 0, Text: "example.com/m.F", Mark: "container", Root: true},
			{Depth: 1, Text: "… 3 not deviated"}},
		Sequence: "spectradiff sequence 1\nv0 := example.com/m.F(1)",
	},
		report.Deviation{Kind: spectra.KindContainer, Function: "example.com/m.F", Path: "ret0", Old: "3", New: "4",
			Sequence: "spectradiff sequence 1\nv0 := example.com/m.F(1)", Reach: spectra.Visible})
	r.Add(report.Root{Function: "example.com/m.limit", Change: spectra.ChangeModified, Confidence: spectra.Likely})
	hash, other := strings.Repeat("4f", 20), strings.Repeat("9c", 20)
	r.Commits = &report.Commits{
		Count: 412, Distinct: 38, FirstParent: true, Asked: 9, Remembered: 4,
		Untestable: []report.Untestable{{Hash: other, Reason: "it does not build"}},
		List: []report.Commit{{
			Hash: hash, Subject: "refactor: `F` <b>", Author: "Jane Doe", Date: "2024-05-03T10:11:12+02:00",
			PullRequest: 1234, Purpose: spectra.PurposeRefactoring, Lacking: true,
		}},
		Unasked: []report.Unasked{{Root: 2, Reason: "it varies from run to run"}},
	}
	r.Roots[0].Introduced = []report.Introduction{
		{Commit: hash, Before: "3", After: "5"}, {Among: []string{other, hash}, Before: "5", After: "4"},
	}
	if err := r.Finish(report.FailAny); err != nil {
		t.Fatal(err)
	}
	how := report.Acceptance{Reason: "a lower limit is wanted", Author: "Ann <ann@example.com>", Date: "2026-11-26"}
	stale := []report.Stale{{Fingerprint: "0123456789abcdef", Function: "example.com/m.F", Acceptance: how}}
	if err := r.Accept(map[string]report.Acceptance{r.Roots[1].Fingerprint: how}, stale); err != nil {
		t.Fatal(err)
	}
	return r
}

func write(t *testing.T, r *report.Report) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := json.Write(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestGolden(t *testing.T) {
	got := write(t, full(t))
	if *update {
		if err := os.WriteFile("testdata/full.json", got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/full.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("run go test ./report/json -update and read the change\ngot:\n%s\nwant:\n%s", got, want)
	}
}

func TestRoundTrip(t *testing.T) {
	empty := new(report.Report)
	if err := empty.Finish(report.FailNone); err != nil {
		t.Fatal(err)
	}
	for _, r := range []*report.Report{full(t), empty} {
		first := write(t, r)
		read, err := json.Read(bytes.NewReader(first))
		if err != nil {
			t.Fatal(err)
		}
		if second := write(t, read); !bytes.Equal(first, second) {
			t.Errorf("another report came back\nwritten:\n%s\nread and written:\n%s", first, second)
		}
	}
}

// TestNothingFaked checks that fields which were not computed are absent.
func TestNothingFaked(t *testing.T) {
	r := new(report.Report)
	r.Add(report.Root{Function: "m.F", Change: spectra.ChangeModified, Confidence: spectra.Likely})
	if err := r.Finish(report.FailAny); err != nil {
		t.Fatal(err)
	}
	got := string(write(t, r))
	for _, field := range []string{"proof", "reproducer", "position", "statement_coverage",
		"changed_statement_coverage", "tree", "sequence"} {
		if strings.Contains(got, `"`+field+`":`) {
			t.Errorf("%s is there, though nothing computed it:\n%s", field, got)
		}
	}
	if strings.Contains(got, "null") {
		t.Errorf("a list or a field is null:\n%s", got)
	}
}

func TestReadTakesMore(t *testing.T) {
	more := strings.Replace(string(write(t, full(t))), `"schema"`, `"added": {"later": [1]}, "schema"`, 1)
	more = strings.Replace(more, `"container"`, `"a kind of a later version"`, 1)
	if _, err := json.Read(strings.NewReader(more)); err != nil {
		t.Errorf("a report with more fields and kinds: %v", err)
	}
}

func TestReadErrors(t *testing.T) {
	sound := string(write(t, full(t)))
	for _, test := range []struct {
		text, want, reason string
	}{
		{"", "not JSON at byte 0", "nothing"},
		{"go on\n", "not JSON at byte 1", "text"},
		{sound[:len(sound)/2], "not JSON at byte", "cut"},
		{"[]", "not a report", "a list"},
		{"{}", "no field schema", "something else"},
		{`{"schema": "spectradiff/2", "roots": "many"}`,
			`schema is "spectradiff/2", this version reads "spectradiff/1"`, "a later schema, whatever its fields are"},
		{strings.Replace(sound, `"rank": 1`, `"rank": "first"`, 1), "rank", "a field of another type"},
		{`{"roots": [` + strings.Repeat("{},", 1<<20) + `{}]}`, "1048579 lists and objects", "millions of small roots"},
		{`{"warnings": [` + strings.Repeat("0,", 1<<23+1) + `0]}`, "8388609 further entries", "millions of warnings"},
		{strings.Repeat("[", 1<<19), "not JSON", "lists in lists"},
		{strings.Repeat(" ", 128<<20+1), "more than 134217728 bytes", "a file without end"},
		{strings.Replace(sound, `"exit": 1`, `"exit": 0`, 1), "verdict", "not consistent in itself"},
	} {
		if _, err := json.Read(strings.NewReader(test.text)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one with %q", test.reason, err, test.want)
		}
	}
}

type failing struct{}

func (failing) Read([]byte) (int, error)  { return 0, io.ErrClosedPipe }
func (failing) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestBrokenPipes(t *testing.T) {
	if err := json.Write(failing{}, full(t)); err == nil {
		t.Error("no error from a writer that fails")
	}
	if _, err := json.Read(failing{}); err == nil {
		t.Error("no error from a reader that fails")
	}
}

// TestHarmless: texts of a report are the same when they are read again, and nothing in the file does more than be
// read.
func TestHarmless(t *testing.T) {
	texts := []string{"a\u202eb", "\u007f\u0085", "##[error]x", "a ##vso[task.x]b", "\U000e0001", "é \\u202e"}
	r := full(t)
	r.Warnings = texts
	data := write(t, r)
	for _, bad := range []string{"\u202e", "\u007f", "\u0085", "##[", "##vso[", "\U000e0001"} {
		if bytes.Contains(data, []byte(bad)) {
			t.Errorf("%q is in the file", bad)
		}
	}
	again, err := json.Read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(again.Warnings, texts) {
		t.Errorf("read %q, wrote %q", again.Warnings, texts)
	}
}
