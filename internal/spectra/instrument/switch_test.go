package instrument

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/moduletest"
)

// switched has a function of each shape, and beside it one that it may hand its calls to.
const switched = `package main

import (
	"fmt"
	"runtime"
)

type box[T any] struct{ v T }

func (b *box[T]) get(_ int, _ T) (v T, err error) { return b.v, nil }

func (b *box[T]) get__other(n int, w T) (T, error) { return w, fmt.Errorf("%d", n) }

func (box[T]) none() { fmt.Println("none") }

func (box[T]) none__other() { fmt.Println("none of the other") }

func sum(list ...int) (total int) {
	for _, n := range list {
		total += n
	}
	return
}

func sum__other(list ...int) int { return -len(list) }

func pair[K comparable, V any](k K, v V) map[K]V { return map[K]V{k: v} }

func pair__other[K comparable, V any](k K, v V) map[K]V { return nil }

func plain(n int) int { return n }

func down(n int) int {
	if n == 0 {
		return 0
	}
	return 1 + down(n-1)
}

func down__other(n int) int {
	if n == 0 {
		return 100
	}
	return 2 + down(n-1)
}

func rescue(_ int, err *error) { if true {
	if r := recover(); r != nil {
		*err = fmt.Errorf("rescued %v", r)
	}
} else { if r := recover(); r != nil { func() { *err = fmt.Errorf("other %v", r) }() } } }

func risky() (err error) {
	defer rescue(1, &err)
	panic("risk")
}

func where() string { if true {
	_, _, line, _ := runtime.Caller(1)
	return fmt.Sprint("line ", line)
} else { _, _, line, _ := runtime.Caller(1); return fmt.Sprint("other line ", line) } }

func main() {
	b := &box[string]{"base"}
	fmt.Println(b.get(1, "other"))
	b.none()
	fmt.Println(sum(1, 2, 3), sum(), pair("k", 1), plain(7), down(3))
	fmt.Println(risky(), where())
}
`

// TestSwitches: a function hands its calls over while its unit is switched, whatever its shape, and else it is as it
// was. One in which both versions stand keeps its frame.
func TestSwitches(t *testing.T) {
	dir := t.TempDir()
	moduletest.Write(t, dir, map[string]string{"go.mod": "module m\n\ngo 1.24\n", "main.go": switched})
	switches := map[spectra.Symbol]Switch{
		"m.(*box).get": {Unit: 0, To: "get__other"}, "m.box.none": {Unit: 0, To: "none__other"},
		"m.sum": {Unit: 0, To: "sum__other"}, "m.pair": {Unit: 0, To: "pair__other"},
		"m.down":   {Unit: 1, To: "down__other"}, // which is never switched
		"m.rescue": {Unit: 0, Inside: "m.rescue__other"}, "m.where": {Unit: 0, Inside: "m.where__other"},
	}
	out, err := Instrument(moduletest.Load(t, dir, "./...")[0], Options{
		Dir: dir, Runtime: runtimePath, Switches: switches,
	})
	if err != nil {
		t.Fatal(err)
	}
	points := map[spectra.Symbol]int{}
	for _, p := range out.Points {
		points[p.Symbol]++
	}
	for _, name := range []spectra.Symbol{"m.rescue", "m.rescue__other", "m.rescue.func1", "m.where__other"} {
		if points[name] != 1 {
			t.Errorf("%s has %d points, want 1", name, points[name])
		}
	}
	over := overlay(t, []*Package{out}, true, map[string][]byte{
		filepath.Join(dir, "driver/main.go"): []byte("package main\n\nimport tool \"m\"\n\n" +
			"func main() { tool.Main() }\n"),
		filepath.Join(dir, "export.go"): []byte("package " + mainName + "\n\nfunc Main() { main() }\n"),
	})
	for _, c := range []struct{ switched, want string }{
		{"", "base <nil>\nnone\n6 0 map[k:1] 7 3\nrescued risk line 68\n"},
		{"yes", "other 1\nnone of the other\n-3 0 map[] 7 3\nother risk other line 68\n"},
	} {
		environment := []string{"SWITCHED=" + c.switched}
		if got := moduletest.Run(t, dir, environment, "go", "run", "-overlay", over, "./driver"); got != c.want {
			t.Errorf("switched %q: got\n%s\nwant\n%s", c.switched, got, c.want)
		}
	}
}

// TestOverlay: a source that is not the one on disk is instrumented, and so is one that is on no disk.
func TestOverlay(t *testing.T) {
	dir := t.TempDir()
	moduletest.Write(t, dir, map[string]string{
		"go.mod": "module m\n\ngo 1.24\n", "m.go": "package m\n\nfunc F() {}\n",
	})
	pkg := moduletest.Load(t, dir, "./...")[0]
	name := filepath.Join(dir, "m.go")
	if _, err := Instrument(pkg, Options{
		Dir: dir, Runtime: runtimePath, Overlay: map[string][]byte{name: []byte("package m\n")},
	}); err == nil || !strings.Contains(err.Error(), "it changed after it was loaded") {
		t.Errorf("a source that was not parsed: %v", err)
	}
	out, err := Instrument(pkg, Options{
		Dir: dir, Runtime: runtimePath, Overlay: map[string][]byte{name: []byte("package m\n\nfunc G() {}\n")},
	})
	if err != nil || !strings.Contains(string(out.Files[name]), "func G() {") {
		t.Errorf("%v, %s", err, out.Files[name])
	}
}
