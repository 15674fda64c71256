package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5"
	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A planted is a fixture: two versions with a known root.
type planted struct {
	name, reason string
	versions     *txtar.Archive
	root, tier   string
	proof        string // the confidence that is possible
	also         string // another cause: it may be a root too, or a place of the root
	line         int    // of new, in what the root names; 0: wherever
}

// fixtures reads testdata/roots. The archives' comments hold the reason and what is expected.
func fixtures(t *testing.T) (list []planted) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", "roots", "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		p := planted{name: strings.TrimSuffix(filepath.Base(file), ".txtar"), versions: archive}
		for line := range strings.Lines(string(archive.Comment)) {
			switch word, rest, _ := strings.Cut(strings.TrimSpace(line), " "); word {
			case "root":
				p.root = "example.com/" + strings.TrimPrefix(rest, "example.com/")
			case "also":
				p.also = "example.com/" + rest
			case "tier":
				p.tier = rest
			case "proof":
				p.proof = rest
			case "line":
				if p.line, err = strconv.Atoi(rest); err != nil {
					t.Fatalf("%s: %v", file, err)
				}
			default:
				p.reason += strings.TrimSpace(line)
			}
		}
		list = append(list, p)
	}
	return list
}

// repository makes a repository of both versions, tagged old and new.
func (p planted) repository(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	made, err := git.PlainInit(folder, false)
	if err != nil {
		t.Fatal(err)
	}
	for i, side := range []string{"old", "new"} {
		if err := emptyWorktree(folder); err != nil {
			t.Fatal(err)
		}
		for _, f := range p.versions.Files {
			name, ok := strings.CutPrefix(f.Name, side+"/")
			if !ok {
				continue
			}
			name = filepath.Join(folder, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, f.Data, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		when := time.Date(2026, time.January, 1+i, 12, 0, 0, 0, time.UTC)
		if err := commitAndTag(made, side, side, when); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// A judgement is what of a fixture's report is as it should be.
type judgement struct{ first, line, tier, sound bool }

// judge compares a report with what was planted.
func (p planted) judge(r *report.Report) judgement {
	j := judgement{sound: true}
	for i, root := range r.Roots {
		names := []string{root.Function}
		for _, place := range root.Places {
			names = append(names, place.Function)
		}
		own := slices.Contains(names, p.root)
		confirmed := root.Confidence == spectra.Confirmed
		if confirmed && !own && !slices.Contains(names, p.also) || own && confirmed != (p.proof == "confirmed") {
			j.sound = false
		}
		if i == 0 && own {
			j.first, j.tier, j.line = true, string(root.Tier) == p.tier, p.line == 0 || p.at(root.Position)
		}
	}
	return j
}

// at reports whether a position has the line that was changed. One in old, where new has lost lines, has none of new's.
func (p planted) at(at *report.Position) bool {
	return at != nil && (at.Side == spectra.Old || at.Line <= p.line && p.line <= max(at.Line, at.EndLine))
}

// TestRoots compares the versions of each fixture. Of the planted roots 95 % have to be the first and 90 % at the right
// lines; all tiers have to be right, and nothing may be confirmed that was not planted.
func TestRoots(t *testing.T) {
	needLong(t)
	t.Setenv("SPECTRADIFF_CACHE", t.TempDir())
	count, total := map[string]int{}, 0
	for _, p := range fixtures(t) {
		if !wanted(p.name) {
			continue
		}
		r, _ := compareReleases(t, p.repository(t), "--sequences", "300")
		total++
		j := p.judge(r)
		for what, ok := range map[string]bool{"first": j.first, "line": j.line, "tier": j.tier, "sound": j.sound} {
			if ok {
				count[what]++
			}
		}
		if j == (judgement{true, true, true, true}) {
			continue
		}
		t.Logf("%s: %s Planted %s, %s, line %d, %s: %+v", p.name, p.reason, p.root, p.tier, p.line, p.proof, j)
		for _, root := range r.Roots {
			t.Logf("    %d %s %s %s %+v %+v %v",
				root.Rank, root.Function, root.Tier, root.Confidence, root.Position, root.Proof, root.Places)
		}
	}
	t.Logf("of %d: %v", total, count)
	if count["first"]*100 < 95*total || count["line"]*100 < 90*total {
		t.Error("too few roots are first, or at the right lines")
	}
	if count["tier"] < total || count["sound"] < total {
		t.Error("not all tiers are right, or something is confirmed that was not planted")
	}
}

// TestManyRoots proves thirty changed functions, of which each caller calls two, with fewer than 60 trials each.
func TestManyRoots(t *testing.T) {
	needLong(t)
	t.Setenv("SPECTRADIFF_CACHE", t.TempDir())
	const functions, most = 30, 60
	p := planted{versions: &txtar.Archive{}}
	for _, side := range []string{"old", "new"} {
		source := "package many\n"
		for i := range functions {
			terms := strings.Repeat(" + n/7", i) // so that no two are alike
			source += fmt.Sprintf("\nfunc F%d(n int) int { return f%d(n) + f%d(n) }\n", i, i, (i+1)%functions)
			change := map[string]string{"old": "n", "new": "n + 1"}[side]
			source += fmt.Sprintf("\nfunc f%d(n int) int { return %s%s }\n", i, change, terms)
		}
		p.versions.Files = append(p.versions.Files,
			txtar.File{Name: side + "/go.mod", Data: []byte("module example.com/many\n\ngo 1.24\n")},
			txtar.File{Name: side + "/many.go", Data: []byte(source)})
	}
	r, _ := compareReleases(t, p.repository(t), "--sequences", "600")
	var trials []int
	places := 0
	for _, root := range r.Roots {
		places += 1 + len(root.Places)
		if root.Confidence != spectra.Confirmed || root.Proof == nil || root.Proof.Trials >= most {
			t.Errorf("%s: %s, %+v", root.Function, root.Confidence, root.Proof)
			continue
		}
		trials = append(trials, root.Proof.Trials)
	}
	if places != functions {
		t.Errorf("%d functions are roots or places of one, want %d", places, functions)
	}
	t.Logf("trials: %v", trials)
}
