package inducing

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestCounts: a commit behaves as the one before if it changes no file that what plays sequences is made of.
func TestCounts(t *testing.T) {
	both := ground{
		folders: map[string]bool{".": true, "a": true, "a/b": true, "a/c": true, "c": true, "d": true, "tools": true},
		linked:  map[string]bool{"c/shared.go": true, "c/shared.tmpl": true},
	}
	of := pipeline.Module{Folders: []string{".", "a", "a/b"}, Embeds: []string{"a/b"}, Beside: []string{"d"}}
	root := pipeline.Module{Folders: []string{"."}, Embeds: []string{"."}}
	for _, c := range []struct {
		reason string
		of     pipeline.Module
		name   string
		want   bool
	}{
		{"code of a package", of, "a/x.go", true},
		{"code of the package at the root", of, "x.go", true},
		{"code of another package", of, "c/x.go", false},
		{"code of another package below one", of, "a/c/x.go", false},
		{"code that a package links to", of, "c/shared.go", true},
		{"another file that it links to", of, "c/shared.tmpl", true},
		{"code of a folder that only versions between have", of, "e/x.go", true},
		{"a module in such a folder", of, "e/go.mod", true},
		{"code that tests are given in such a folder", of, "e/testdata/x.go", false},
		{"a header, wherever it lies", of, "c/x.h", true},
		{"a test: those of one version are played on all", of, "a/x_test.go", false},
		{"assembly beside code", of, "a/x_amd64.s", true},
		{"a document", of, "a/README.md", false},
		{"code of a folder that is in the place of a module", of, "d/e/x.go", true},
		{"what that module requires", of, "d/go.mod", true},
		{"a document in it", of, "d/README.md", false},
		{"what tests read", of, "a/testdata/x.go", false},
		{"a file below a package that embeds some", of, "a/b/page/index.html", true},
		{"a test below it is none of these", of, "a/b/x_test.go", false},
		{"required modules", of, "go.mod", true},
		{"those of a module in a package's folder", of, "a/go.sum", true},
		{"those of a module with other packages", of, "tools/go.sum", false},
		{"vendored code", of, "vendor/m/x.go", true},
		{"settings of git", of, ".gitattributes", false},
		{"any code where the folders are not known", pipeline.Module{}, "c/x.go", true},
		{"a document all the same", pipeline.Module{}, "c/x.md", false},
		{"anything below a root that embeds", root, "c/x.md", true},
	} {
		if got := both.counts(c.of)(c.name); got != c.want {
			t.Errorf("%s: %s counts: %t, want %t", c.reason, c.name, got, c.want)
		}
	}
}

// TestInSource: functions are called as their declarations spell them.
func TestInSource(t *testing.T) {
	for symbol, want := range map[spectra.Symbol]string{
		"example.com/m.F": "F", "example.com/m.v2/p.T.M": "T.M", "example.com/m.(*T).M": "(*T).M",
	} {
		if got := inSource(symbol); got != want {
			t.Errorf("%s: %s, want %s", symbol, got, want)
		}
	}
}

// TestReason: a reason is one line, and says what a compiler says.
func TestReason(t *testing.T) {
	at := repository.Commit{Revision: "abc"}
	for _, c := range []struct{ reason, text, want string }{
		{"a line", "read the module: no go.mod", "read the module: no go.mod"},
		{"several", "the first\nthe second", "the first"},
		{"the version is known", "new version (abc): no module", "no module"},
		{
			"of a compiler the first line", "m: go build: exit status 1: # m/p\n./x.go:1:2: undefined: y\nmore",
			"m: ./x.go:1:2: undefined: y",
		},
		{
			"of a compiler alone", "go build: exit status 1: # m/p\n./x.go:1:2: undefined: y",
			"./x.go:1:2: undefined: y",
		},
		{"a compiler that says nothing", "m: # m/p", "m: # m/p"},
	} {
		if got := reason(errors.New(c.text), at); got != c.want {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
}

// TestKeptAnswers: what a commit itself proves is kept; what another run may be told otherwise is asked again.
func TestKeptAnswers(t *testing.T) {
	of := recalled{
		before: map[string]pipeline.Answer{"known": {Value: "0"}}, keys: []string{"a", "known", "b", "c", ""},
		answers: make([]pipeline.Answer, 5), missing: []int{0, 2, 3, 4},
	}
	lasting := of.add([]pipeline.Answer{
		{Value: "1"}, {Untestable: "no space left on device"}, {Untestable: "x.go:1:2: y", Proven: true}, {Value: "2"},
	})
	if want := []string{"a", "c", "known"}; !lasting || !slices.Equal(slices.Sorted(maps.Keys(of.before)), want) {
		t.Errorf("kept: %v, want %v", of.before, want)
	}
	if of.answers[2].Untestable == "" || of.answers[4].Value != "2" {
		t.Errorf("answers: %v", of.answers)
	}
	of.missing = []int{2}
	if of.add([]pipeline.Answer{{Untestable: "the new version did not end within the time limit"}}) {
		t.Error("nothing of it lasts")
	}
}

// TestMergesOf: each merge is looked into once, by all parents but that through which the line goes; what is a range,
// or taken back, is none.
func TestMergesOf(t *testing.T) {
	step := func(hash string, lacking bool, parents ...string) repository.Step {
		s := repository.Step{Lacking: lacking, Parents: parents}
		s.By.Hash = hash
		return s
	}
	of := func(above string, steps ...repository.Step) origin { return origin{above: above, commits: steps} }
	two := step("m", false, "a", "b")
	var got string
	for _, m := range mergesOf([]origin{
		of("a", two), of("a", two), of("a", step("c", false, "a")), of("b", step("l", true, "a", "b")),
		of("a", two, step("r", false, "m", "b")), of("c", step("o", false, "a", "b", "c")),
	}) {
		got += fmt.Sprintf("%s%d ", m.By.Hash, m.own)
	}
	if got != "m1 o3 " {
		t.Errorf("merges: %s, want m by its first parent and o by its third one", got)
	}
}
