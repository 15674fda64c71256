package shards

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/coverage"
	"github.com/spectradiff/spectradiff/internal/replay/shard"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/redact"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

const old, new = "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222"

// found returns what a shard found of a module: m.F deviates, if it is to, and m.G did not run.
func found(t *testing.T, of shard.Shard, folder string, deviates bool, ran byte) Module {
	t.Helper()
	r := &report.Report{
		Old: report.Revision{Revision: "v1", Commit: old}, New: report.Revision{Revision: "v2", Commit: new},
		Settings: report.Settings{Seed: 1, Sequences: 30, Shards: of.Of, Shard: of.Number, Sandbox: "landlock"},
		Subject:  report.Subject{Functions: 2, ChangedFunctions: []string{"m.F", "m.G"}, Unreached: []string{"m.G"}},
		Replay:   report.Replay{Sequences: 10, Recorded: report.Share(1, 2)},
		Tool:     report.Tool{Version: "v0.1.0", Go: "go1.26.8"},
	}
	if deviates {
		root := report.Root{Function: "m.F", Change: spectra.ChangeModified, Tier: spectra.TierValue}
		r.Add(root, report.Deviation{Kind: spectra.KindContainer, Function: "m.F", Path: "ret0"})
	}
	blocks := coverage.Blocks{
		Statements: []int{1, 2, 5}, Changed: coverage.Set{6}, Comparable: coverage.Set{2}, Ran: coverage.Set{ran},
	}
	e := &coverage.Extent{Old: blocks, New: blocks, Ran: coverage.Set{1}, Lines: []coverage.Lines{
		{File: "m.go", Line: 4, EndLine: 5, In: []int{0}, Ran: ran&2 > 0},
		{File: "m.go", Line: 9, EndLine: 9, In: []int{0}},
	}}
	branch := coverage.Taken{Never: coverage.Never{Side: spectra.New, File: "m.go", Line: 3}, Reached: true}
	branch.Held, branch.Failed = ran&2 > 0, ran&2 == 0
	e.Branches = append(e.Branches, branch)
	if err := r.Finish(report.FailAny); err != nil {
		t.Fatal(err)
	}
	return Module{
		Folder: folder, Report: r, Extent: e, Called: []string{"m.A", []string{"m.B", "m.C", "m.D"}[of.Number%3]},
		Recorded: Recorded{Recorded: int64(of.Number), All: 10},
	}
}

// part returns one of three parts of a run, as it is read from its file.
func part(t *testing.T, number int, change func(*Part)) *Part {
	t.Helper()
	of := shard.Shard{Number: number, Of: 3}
	p := &Part{Shard: of, Run: Run{
		Tool: report.Tool{Version: "v0.1.0", Go: "go1.26.8"}, Old: old, New: new, Folder: ".",
		Settings: report.Settings{Seed: 1, Sequences: 30, Shards: 3},
	}}
	p.Modules = []Module{found(t, of, "", number == 1, 1<<(number-1))}
	p.Stages = []report.Stage{{Name: "load", Seconds: 0.1, PeakBytes: int64(number)}}
	change(p)
	return again(t, p)
}

// again returns a part as its file has it.
func again(t *testing.T, p *Part) *Part {
	t.Helper()
	var file bytes.Buffer
	if err := Write(&file, p); err != nil {
		t.Fatal(err)
	}
	p, err := Read(&file, "part"+p.Shard.String())
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func same(*Part) {}

// written returns a report as JSON.
func written(t *testing.T, r *report.Report) string {
	t.Helper()
	data, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestMerge checks that the order of parts does not matter, and what is put together from what they say in numbers.
func TestMerge(t *testing.T) {
	var first string
	for _, order := range [][]int{{1, 2, 3}, {3, 1, 2}, {2, 3, 1}} {
		var parts []*Part
		for _, n := range order {
			parts = append(parts, part(t, n, same))
		}
		r, err := Merge(parts)
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = written(t, r)
			check(t, r)
		}
		if got := written(t, r); got != first {
			t.Errorf("in the order %v\n%s\nwant\n%s", order, got, first)
		}
	}
}

// check checks the report of the three parts: their blocks are all that there are.
func check(t *testing.T, r *report.Report) {
	t.Helper()
	g := r.Generation
	for name, of := range map[string]struct {
		got  *float64
		want float64
	}{
		"statements": {g.StatementCoverage, 1}, "changed ones": {g.ChangedStatementCoverage, 1},
		"comparable ones": {g.ComparableStatementCoverage, 1}, "recorded": {r.Replay.Recorded, 0.2},
	} {
		if of.got == nil || *of.got != of.want {
			t.Errorf("%s: %v, want %v", name, of.got, of.want)
		}
	}
	missed := r.Subject.Missed
	if len(g.OneWay) != 0 || len(missed) != 1 || missed[0].Line != 9 || g.OperationsReached != 4 {
		t.Errorf("branches %v, missed %v, %d operations; want none, line 9, 4", g.OneWay, missed, g.OperationsReached)
	}
	if s := r.Settings; s.Shards != 3 || s.Shard != 0 || r.Verdict != report.Deviates || len(r.Roots) != 1 {
		t.Errorf("shard %d of %d, %s, %d roots", s.Shard, s.Shards, r.Verdict, len(r.Roots))
	}
	if s := r.Stages; len(s) != 1 || s[0].Seconds != 0.3 || s[0].PeakBytes != 3 {
		t.Errorf("stages %v", s)
	}
}

// TestRefused checks that parts of different runs, and one that is there twice, are refused, with the file and what is
// wrong.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		reason string
		number int
		change func(*Part)
		want   string
	}{
		{"the same twice", 1, same, "part1/3 and part1/3 are both shard 1/3"},
		{"another number", 2, func(p *Part) { p.Shard.Of = 4 }, "part2/4 is of another run than part1/3: " +
			"the number of shards is 4, not 3"},
		{"another commit", 2, func(p *Part) { p.Run.New = old }, `the new commit is "` + old + `", not "` + new + `"`},
		{"another old commit", 2, func(p *Part) { p.Run.Old = new }, "the old commit is"},
		{"another tool", 2, func(p *Part) { p.Run.Tool.Version = "v2" }, `the version of the tool is "v2", not`},
		{"another Go", 2, func(p *Part) { p.Modules[0].Report.Tool.Go = "go1.25" }, "the Go release is"},
		{"another Go of one module", 2, func(p *Part) {
			p.Modules[0].Folder, p.Modules[0].Report.Tool.Go = "x", "go1.25"
		}, "the Go release of module x is"},
		{"another seed", 2, func(p *Part) { p.Run.Settings.Seed = 2 }, "the setting seed is 2, not 1"},
		{"a setting that the other lacks", 2, func(p *Part) { p.Run.Settings.Deps = true }, "the setting deps is true"},
		{"other packages", 2, func(p *Part) { p.Run.Packages = []string{"./x"} }, `the list of packages is ["./x"]`},
		{"another folder", 2, func(p *Part) { p.Run.Folder = "x" }, "the folder is"},
		{"without proofs", 2, func(p *Part) { p.Run.NoProof = true }, "--no-proof is true, not false"},
		{"other types", 2, func(p *Part) { p.Run.Opaque = []string{"m.T"} }, "the list of opaque types is"},
		{"other acceptances", 2, func(p *Part) { p.Accepted = []Acceptance{{Fingerprint: "x"}} },
			"the list of accepted findings is"},
	} {
		first := part(t, 1, same)
		first.Modules = append(first.Modules, Module{Folder: "x", Report: first.Modules[0].Report})
		_, err := Merge([]*Part{first, part(t, c.number, c.change)})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.reason, err, c.want)
		}
	}
	if _, err := Merge(nil); err == nil {
		t.Error("nothing was merged")
	}
	here := part(t, 2, same) // as this machine makes it; the other one is read from a file
	here.Run.Packages, here.Run.Outside, here.Run.Opaque = []string{}, []string{}, []string{}
	here.Accepted = []Acceptance{}
	if err := here.OfRun(part(t, 1, same)); err != nil {
		t.Errorf("lists that are empty in one and left out in the other: %v", err)
	}
}

// TestIncomplete checks what becomes of shards and modules that are missing, and of acceptances: only of a whole run
// is it known that one is stale.
func TestIncomplete(t *testing.T) {
	accept := func(p *Part) {
		for _, f := range []string{"m.F", "m.G"} {
			p.Accepted = append(p.Accepted, Acceptance{"0123456789abcdef" + f, f, report.Acceptance{Reason: "known"}})
		}
		if roots := p.Modules[0].Report.Roots; len(roots) > 0 { // and what the first shard shows
			wanted := Acceptance{roots[0].Fingerprint, "m.F", report.Acceptance{Reason: "wanted"}}
			p.Accepted = append(p.Accepted, wanted)
		}
	}
	first := part(t, 1, accept)
	all := func(p *Part) { p.Accepted = first.Accepted }
	whole, err := Merge([]*Part{first, part(t, 2, all), part(t, 3, all)})
	if err != nil {
		t.Fatal(err)
	}
	s, known := whole.AcceptedStale, whole.Roots[0].Accepted
	if len(s) != 1 || s[0].Function != "m.F" || known == nil || whole.Exit != 0 {
		t.Errorf("whole run: stale %v, accepted %v, exit %d", s, known, whole.Exit)
	}
	r, err := Merge([]*Part{part(t, 3, all), part(t, 1, accept)})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.AcceptedStale) != 0 || r.Verdict != report.Incomplete || r.Exit != 2 {
		t.Errorf("shard 2 is missing: stale %v, %s, exit %d", r.AcceptedStale, r.Verdict, r.Exit)
	}
	if p := r.Partial; p == nil || p.Reason != report.Missing || len(p.Undone) != 1 || p.Undone[0] != "shard 2/3" {
		t.Errorf("shard 2 is missing: %+v", p)
	}
}

// TestModules checks that each module is put together for itself, and that one which a shard could not compare is
// partial.
func TestModules(t *testing.T) {
	modules := func(n int, failed string) *Part {
		return part(t, n, func(p *Part) {
			p.Modules = []Module{
				found(t, p.Shard, "a", false, 7), {Folder: "b", Failed: "it does not build"},
				found(t, p.Shard, "c", false, 7),
			}
			if failed != "" {
				p.Modules[2] = Module{Folder: "c", Failed: failed}
				p.Lacks = []report.Lack{report.LackDependencies}
			}
		})
	}
	r, err := Merge([]*Part{modules(1, ""), modules(2, "the run ended early"), modules(3, "")})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Modules) != 3 || r.Modules[0].Partial != nil || r.Modules[1].Failed != "it does not build" ||
		r.Modules[2].Partial == nil || r.Modules[0].Replay.Sequences != 30 || r.Modules[2].Replay.Sequences != 20 {
		t.Errorf("modules %+v", r.Modules)
	}
	if !slices.Equal(r.Lacks, []report.Lack{report.LackDependencies}) {
		t.Errorf("lacks %v", r.Lacks)
	}
	if text := strings.Join(r.Warnings, "\n"); !strings.Contains(text, "shard 2/3: the run ended early") {
		t.Errorf("warnings %s", text)
	}
}

// TestNothing checks that parts in which nothing was compared make no report.
func TestNothing(t *testing.T) {
	for reason, modules := range map[string][]Module{
		"no module": nil, "one that failed": {{Failed: "it ended"}},
		"two": {{Folder: "a", Failed: "x"}, {Folder: "b", Failed: "y"}},
	} {
		if _, err := Merge([]*Part{part(t, 1, func(p *Part) { p.Modules = modules })}); err == nil ||
			!strings.HasPrefix(err.Error(), "nothing was compared") {
			t.Errorf("%s: %v", reason, err)
		}
	}
}

// TestOtherCode checks that shares are absent where shards compiled other code, and that this is said.
func TestOtherCode(t *testing.T) {
	r, err := Merge([]*Part{part(t, 1, same), part(t, 2, func(p *Part) {
		p.Modules[0].Extent.Old.Statements[0] = 9
	}), part(t, 3, same)})
	if err != nil {
		t.Fatal(err)
	}
	if r.Generation.StatementCoverage != nil || len(r.Warnings) != 1 {
		t.Errorf("coverage %v, warnings %q", r.Generation.StatementCoverage, r.Warnings)
	}
}

// TestAlone checks that the report of a part alone says that it is one.
func TestAlone(t *testing.T) {
	r, err := part(t, 2, same).Report()
	if err != nil {
		t.Fatal(err)
	}
	if r.Settings.Shard != 2 || len(r.Warnings) != 1 || !strings.HasPrefix(r.Warnings[0], "this is shard 2/3 of") {
		t.Errorf("%+v, %q", r.Settings, r.Warnings)
	}
}

// TestRead checks that files which were cut or changed are refused, and others than those of parts.
func TestRead(t *testing.T) {
	var file bytes.Buffer
	if err := Write(&file, part(t, 1, same)); err != nil {
		t.Fatal(err)
	}
	whole := file.String()
	for _, c := range []struct{ reason, text, want string }{
		{"nothing", "", "no whole file of a shard"},
		{"cut", whole[:len(whole)/2], "no whole file of a shard"},
		{"more behind it", whole + "{}", "no whole file of a shard"},
		{"changed", strings.Replace(whole, `"sequences": 10`, `"sequences": 11`, 1), "was changed after"},
		{"laid out anew", strings.Replace(whole, `"seed": 1`, `"seed":1`, 1), "was changed after it was written"},
		{"a report", `{"schema": "spectradiff/1"}`, "no shard of a run"},
		{"of a later version", strings.Replace(whole, "part/1", "part/2", 1), `schema is "spectradiff-part/2"`},
	} {
		if _, err := Read(strings.NewReader(c.text), "x.json"); err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.HasPrefix(err.Error(), "x.json: ") {
			t.Errorf("%s: %v, want %q", c.reason, err, c.want)
		}
	}
	for reason, damage := range map[string]func(*Part){
		"no such shard":      func(p *Part) { p.Shard.Number = 4 },
		"no report":          func(p *Part) { p.Modules[0].Report = nil },
		"a report and none":  func(p *Part) { p.Modules[0].Failed = "x" },
		"no valid report":    func(p *Part) { p.Modules[0].Report.Exit = 7 },
		"numbers do not fit": func(p *Part) { p.Modules[0].Extent.Ran = nil },
	} {
		p := part(t, 1, same)
		damage(p)
		var file bytes.Buffer
		if err := Write(&file, p); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(&file, "x.json"); err == nil {
			t.Errorf("%s: not refused", reason)
		}
	}
}

// TestShown checks that no text of a part holds a secret, and that no two parts have a token in common.
func TestShown(t *testing.T) {
	const secret = "s3cr3t-t0ken-abcdef1"
	hidden := func(n int) string {
		p := part(t, n, func(p *Part) {
			p.Warnings = []string{"password=" + secret}
			p.Modules[0].Commands = []string{"m --token=" + secret}
			p.Modules[0].Report.Warnings = []string{"api_key=" + secret}
			p.Modules = append(p.Modules, Module{Folder: "b", Failed: "password=" + secret})
		})
		shown := p.Shown(func(list []*report.Report) []*report.Report {
			return redact.All(list, redact.Rules{}, "0"+p.Shard.String()[:1])
		})
		if text := written(t, shown.Modules[0].Report); shown.Shard != p.Shard || strings.Contains(text, secret) {
			t.Errorf("shard %s: %s", shown.Shard, text)
		}
		var file bytes.Buffer
		if err := Write(&file, shown); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(file.String(), secret) || strings.Count(file.String(), "‹secret:0") != 4 {
			t.Errorf("not all of it is hidden, or too much: %s", file.String())
		}
		return strings.TrimPrefix(shown.Warnings[0], "password=")
	}
	one, two := hidden(1), hidden(2)
	if !strings.HasPrefix(one, "‹secret:01") || !strings.HasPrefix(two, "‹secret:02") {
		t.Errorf("tokens %s, %s", one, two)
	}
}
