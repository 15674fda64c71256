package suite

import (
	"reflect"
	"testing"
)

type kind string

func TestFill(t *testing.T) {
	var h Holes
	value := func() (string, kind, int8) {
		return String(&h, 0, "a"), kind(String(&h, 1, "b")), Int8(&h, 2, 3)
	}
	table := "a"
	h.Again(0, 0, func() { table = String(&h, 0, "a") })
	other := "c"
	h.Again(1, 2, func() { other = "computed" })
	usual := func(when string) {
		t.Helper()
		if x, y, z := value(); x != "a" || y != "b" || z != 3 || table != "a" {
			t.Errorf("%s: %q, %q, %d, table %q", when, x, y, z, table)
		}
	}
	usual("before")
	restore := h.Fill(map[int]interface{}{0: "x", 2: 300})
	if x, y, z := value(); x != "x" || y != "b" || z != 44 || table != "x" {
		t.Errorf("filled: %q, %q, %d, table %q", x, y, z, table)
	}
	restore()
	usual("restored")
	h.Fill(nil)()
	usual("filled with nothing")
	if other != "computed" {
		t.Error("a variable with one of the holes was not computed again")
	}
	h.Fill(map[int]interface{}{0: "y"})()
	usual("filled again")
}

func TestCorpus(t *testing.T) {
	const head = corpusHead + "\n"
	for text, want := range map[string][]any{
		head + "string(\"a\\n\")\n":           {"a\n"},
		head + "[]byte(\"\\xff\")\nint(-3)":   {[]byte{0xff}, -3},
		head + "byte('a')\nrune('\\n')":       {byte('a'), '\n'},
		head + "uint64(18446744073709551615)": {uint64(1<<64 - 1)},
		head + "float64(1.5)\nbool(true)":     {1.5, true},
		head + "complex64(1)":                 nil,
		head + "int(x)":                       nil,
		head + "int 3":                        nil,
		"string(\"a\")":                       nil,
	} {
		if got := corpusValues(text); !reflect.DeepEqual(got, want) {
			t.Errorf("%q: values are %#v, want %#v", text, got, want)
		}
	}
}

func TestRun(t *testing.T) {
	p := &Package{Path: "m", Folder: t.TempDir()}
	t.Chdir(".")
	ran := ""
	if !p.Example("ExampleX", func() { ran = "x" }, "", false) || ran != "x" {
		t.Error("an example that prints nothing does not pass")
	}
	lines := func() { print("") }
	if p.Example("ExampleY", lines, "missing", false) {
		t.Error("an example passes without its output")
	}
	if sorted("b\na") != sorted("a\nb") {
		t.Error("the order of lines counts")
	}
}

// TestRelisted: the slice itself stays as it is, also where it has room.
func TestRelisted(t *testing.T) {
	type names []string
	of := make(names, 2, 3)
	of[0], of[1] = "a", "b"
	if got := Reversed(of); !reflect.DeepEqual(got, names{"b", "a"}) {
		t.Errorf("reversed: %q", got)
	}
	if got := Repeating(of); !reflect.DeepEqual(got, names{"a", "b", "b"}) || of[:3][2] != "" {
		t.Errorf("repeating: %q, the slice has %q", got, of[:3])
	}
	if got := Repeating(names(nil)); got != nil {
		t.Errorf("repeating nothing: %q", got)
	}
	if got := Headed(of); !reflect.DeepEqual(got, names{"", "a", "b"}) || len(of) != 2 {
		t.Errorf("headed: %q", got)
	}
	for text, want := range map[string]map[string]any{
		"": {"a": 1}, "b": {"a": 1, "b": true}, "b: 2": {"a": 1, "b": 2}, "a: x": {"a": "x"},
		"b: false": {"a": 1, "b": false},
	} {
		of, holes := map[string]any{"a": 1}, &Holes{other: map[int]interface{}{1: text}}
		if got := Entry(holes, 1, of); !reflect.DeepEqual(got, want) || len(of) != 1 {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	lists := Entry(&Holes{other: map[int]interface{}{1: "b: x"}}, 1, map[string][]string(nil))
	if !reflect.DeepEqual(lists, map[string][]string{"b": {"x"}}) {
		t.Errorf("a map of lists: %v", lists)
	}
	type number *int
	if got := Headed([]number{nil}); len(got) != 2 || got[0] == nil || *got[0] != 0 || got[1] != nil {
		t.Errorf("headed: %v", got)
	}
	if got := Empty(of); got != nil {
		t.Errorf("empty: %q", got)
	}
	var holes Holes
	if got := More(&holes, 1, of); !reflect.DeepEqual(got, of) {
		t.Errorf("usually %q", got)
	}
	defer holes.Fill(map[int]any{1: "c"})()
	if got := More(&holes, 1, of); !reflect.DeepEqual(got, names{"a", "b", "c"}) || of[:3][2] != "" {
		t.Errorf("one more: %q, the slice has %q", got, of[:3])
	}
}
