package deltas_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/spectra/deltas"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// filesOf returns the files of an archive whose names begin with old or new.
func filesOf(archive string) []deltas.File {
	byName := map[string]*deltas.File{}
	var names []string
	for _, f := range txtar.Parse([]byte(archive)).Files {
		side, name, _ := strings.Cut(f.Name, "/")
		if byName[name] == nil {
			byName[name] = &deltas.File{Name: name}
			names = append(names, name)
		}
		content := &deltas.Content{Text: f.Data, Mode: 0o644}
		if side == "old" {
			byName[name].Old = content
		} else {
			byName[name].New = content
		}
	}
	slices.Sort(names)
	var list []deltas.File
	for _, name := range names {
		list = append(list, *byName[name])
	}
	return list
}

func packageOf(name string) string { return source.PackagePath("m", name) }

const example = `
-- old/m.go --
// Package m.
package m

import (
	"fmt"
	"strings"
)

// F prints.
func F() string { return fmt.Sprint(1) }

const (
	one = iota
	two
)

func Gone() {}

// between

func G() bool { return strings.Contains("a", "b") }
-- new/m.go --
// Package m prints.
package m

import (
	"fmt"
	"strconv"
)

// F formats.
func F() string { return strconv.Itoa(helper()) }

const (
	one = iota + 1
	two
)

func helper() int { return 1 }

// between

func G() bool { fmt.Println(); return false }
-- old/moved.go --
package m

func Moved() int { return 1 }
-- new/elsewhere.go --
package m

func Moved() int { return 1 }

type T struct{}

func (T) String() string { return "" }
-- old/data.txt --
1
-- new/data.txt --
2
-- old/go.mod --
module m
-- new/go.mod --
module m

go 1.26
-- old/sub/s_test.go --
package sub

// Output: 1
func ExampleF() {}
-- new/sub/s_test.go --
package sub

// Output: 2
func ExampleF() {}
-- old/broken.go --
package m
func {
-- new/broken.go --
package m
func (
`

func TestOf(t *testing.T) {
	var got []string
	for _, d := range deltas.Of(filesOf(example), packageOf).List {
		got = append(got, fmt.Sprintf("%s %s %s test=%v harmless=%v %d-%d %d-%d", d.Change, d.Symbol, d.File, d.Test,
			d.Harmless, d.Old.Line, d.Old.EndLine, d.New.Line, d.New.EndLine))
	}
	want := []string{
		"modified m.Moved elsewhere.go test=false harmless=false 3-3 3-3",
		"added m.T elsewhere.go test=false harmless=true 0-0 5-5",
		"added m.T.String elsewhere.go test=false harmless=false 0-0 7-7",
		"modified m.F m.go test=false harmless=false 10-10 10-10",
		"modified m.one m.go test=false harmless=false 12-15 12-15",
		"added m.helper m.go test=false harmless=true 0-0 17-17",
		"modified m.G m.go test=false harmless=false 21-21 21-21",
		"modified m/sub.ExampleF sub/s_test.go test=true harmless=false 4-4 4-4",
		"removed m.Gone m.go test=false harmless=true 17-17 0-0",
		"modified broken.go broken.go test=false harmless=false 1-2 1-2",
		"modified data.txt data.txt test=false harmless=false 1-1 1-1",
		"modified go.mod go.mod test=false harmless=false 1-1 1-3",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// taken returns the files with the deltas of some names, as an archive.
func taken(t *testing.T, d *deltas.Deltas, symbols ...string) string {
	t.Helper()
	var some []int
	for _, want := range symbols {
		i := slices.IndexFunc(d.List, func(one deltas.Delta) bool { return string(one.Symbol) == want })
		if i < 0 {
			t.Fatalf("there is no delta %s", want)
		}
		some = append(some, i)
	}
	var archive txtar.Archive
	for _, f := range d.Take(some) {
		text := []byte("(not there)\n")
		if f.New != nil {
			text = f.New.Text
		}
		archive.Files = append(archive.Files, txtar.File{Name: f.Name, Data: text})
	}
	return string(txtar.Format(&archive))
}

func TestTake(t *testing.T) {
	d := deltas.Of(filesOf(example), packageOf)
	for _, c := range []struct {
		reason  string
		symbols []string
		want    string
	}{
		{"nothing", nil, ""},
		{"a whole file", []string{"data.txt"}, "-- data.txt --\n2\n"},
		{
			"a function, with the import that it needs, and without the one that nothing needs any more",
			[]string{"m.F", "m.helper"}, `-- m.go --
// Package m.
package m


import (
	"strconv"
	"strings"
)

// F formats.
func F() string { return strconv.Itoa(helper()) }

const (
	one = iota
	two
)

func helper() int { return 1 }

func Gone() {}

// between

func G() bool { return strings.Contains("a", "b") }
`,
		},
		{
			"one that is gone", []string{"m.Gone"}, `-- m.go --
// Package m.
package m


import (
	"fmt"
	"strings"
)

// F prints.
func F() string { return fmt.Sprint(1) }

const (
	one = iota
	two
)


// between

func G() bool { return strings.Contains("a", "b") }
`,
		},
		{
			"one that moved to a file that old does not have", []string{"m.Moved"},
			"-- elsewhere.go --\npackage m\n\nfunc Moved() int { return 1 }\n-- moved.go --\n(not there)\n",
		},
		{
			"a part of a file that old does not have", []string{"m.T"},
			"-- elsewhere.go --\npackage m\n\ntype T struct{}\n",
		},
	} {
		if got := taken(t, d, c.symbols...); got != c.want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.reason, got, c.want)
		}
	}
}

// TestImports: of two imports of one name, a file has that of the version whose declarations it holds.
func TestImports(t *testing.T) {
	d := deltas.Of(filesOf(`
-- old/m.go --
package m

import "example.com/yaml.v2"

func F() { yaml.F() }

func G() {}
-- new/m.go --
package m

import (
	named "example.com/go-other/v3"
	"example.com/unknown"
	"example.com/yaml.v3"
)

func F() { yaml.F(); named.F(); known.F() }

func G() { print() }
`), packageOf)
	for _, c := range []struct {
		symbol  string
		imports []string
	}{
		{"m.F", []string{`"example.com/unknown"`, `named "example.com/go-other/v3"`, `"example.com/yaml.v3"`}},
	} {
		text := taken(t, d, c.symbol)
		_, block, _ := strings.Cut(text, "import (\n")
		block, _, _ = strings.Cut(block, ")")
		var got []string
		for line := range strings.Lines(block) {
			got = append(got, strings.TrimSpace(line))
		}
		if !slices.Equal(got, c.imports) {
			t.Errorf("with %s: got imports %q, want %q", c.symbol, got, c.imports)
		}
	}
}

// TestAll: with all deltas taken, files differ from new in nothing that is a delta; with none, no file is another one.
func TestAll(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 1))
	for range 300 {
		files := random(draw)
		d := deltas.Of(files, packageOf)
		if list := d.Take(nil); len(list) > 0 {
			t.Fatalf("with nothing taken: %v", list)
		}
		var all []int
		for i := range d.List {
			all = append(all, i)
		}
		changed := map[string]*deltas.Content{}
		for _, f := range files {
			changed[f.Name] = f.Old
		}
		for _, f := range d.Take(all) {
			changed[f.Name] = f.New
		}
		var left []deltas.File
		for _, f := range files {
			left = append(left, deltas.File{Name: f.Name, Old: changed[f.Name], New: f.New})
		}
		if again := deltas.Of(left, packageOf); len(again.List) > 0 {
			t.Fatalf("with all taken %v is left\n%s", again.List, changed[again.List[0].File].Text)
		}
	}
}

// random returns files of one package with some declarations each, in any order and any file.
func random(draw *rand.Rand) []deltas.File {
	side := func() map[string]*deltas.Content {
		text := map[string]string{}
		for _, name := range draw.Perm(8)[:draw.IntN(9)] {
			file := fmt.Sprintf("f%d.go", draw.IntN(3))
			if text[file] == "" {
				text[file] = "package m\n\nimport \"strings\"\n"
			}
			body := []string{"", "strings.ToUpper(\"\")", "print(1)"}[draw.IntN(3)]
			text[file] += fmt.Sprintf("\n// F%d is one.\nfunc F%d() { %s }\n", name, name, body)
		}
		contents := map[string]*deltas.Content{}
		for name, of := range text {
			contents[name] = &deltas.Content{Text: []byte(of), Mode: fs.FileMode(0o644)}
		}
		return contents
	}
	old, new := side(), side()
	var list []deltas.File
	for i := range 3 {
		name := path.Join(".", fmt.Sprintf("f%d.go", i))
		list = append(list, deltas.File{Name: name, Old: old[name], New: new[name]})
	}
	return list
}
