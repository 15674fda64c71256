package running

import (
	"go/types"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/replay/api"
	"github.com/spectradiff/spectradiff/replay/load"
	"github.com/spectradiff/spectradiff/replay/testtypes"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// notesOf writes notes as the runtime does.
type notesOf struct{ wire.Writer }

func (n *notesOf) call(function uint64, arguments ...string) {
	n.Byte(wire.NoteCall)
	n.Uint(function)
	n.Count(len(arguments))
	for _, a := range arguments {
		n.Uint(0)
		n.Uint(0)
		n.Text(a)
	}
}

func (n *notesOf) on(function, call, place uint64, receiver string, arguments ...string) {
	n.Byte(wire.NoteCall)
	n.Uint(function)
	n.Count(1 + len(arguments))
	n.Uint(call)
	n.Uint(place)
	n.Text(receiver)
	for _, a := range arguments {
		n.Uint(0)
		n.Uint(0)
		n.Text(a)
	}
}

func (n *notesOf) results(call uint64, results ...string) {
	n.Byte(wire.NoteResults)
	n.Uint(call)
	n.Texts(results)
}

func text(s string) string {
	return string(wire.AppendString([]byte{0, wire.ValueString}, s))
}

// box is a pointer to a struct with a field that is not exported.
func box(content string) string {
	b := []byte{0, wire.ValuePointer, 1, wire.ValueStruct}
	b = append(wire.AppendString(b, "m.Box"), 1)
	b = append(wire.AppendString(b, "content"), wire.ValueString)
	return string(wire.AppendString(b, content))
}

func input() (*Input, order) {
	pkg := types.NewPackage("m", "m")
	named := types.NewNamed(types.NewTypeName(0, pkg, "Box", nil), types.NewStruct([]*types.Var{
		types.NewField(0, pkg, "content", types.Typ[types.String], false),
	}, nil), nil)
	pointer, str := types.NewPointer(named), types.Typ[types.String]
	return &Input{
		Env: &env.Environment{Temp: "/tmp/run"}, Target: &load.Version{Dir: "/home/tree"}, Declared: &testtypes.Set{},
		Operations: []*api.Operation{
			{Name: "m.New", Symbol: "m.New", Results: []types.Type{pointer}},
			{Name: "m.(*Box).Put", Symbol: "m.(*Box).Put", Receiver: true, Params: []types.Type{pointer, str}},
			{Name: "m.(*Box).Get", Symbol: "m.(*Box).Get", Receiver: true, Params: []types.Type{pointer, str}},
		},
	}, order{{path: "m", points: []uint64{0, 1, 2}, symbols: []spectra.Symbol{"m.New", "m.(*Box).Put", "m.(*Box).Get"}}}
}

func shown(in *Input, o order, notes []byte) (list []string) {
	for _, c := range in.calls(o, notes) {
		short := c.Op + "("
		for i, v := range c.Args {
			switch {
			case v != nil:
				short += " " + v.Text
			case c.From[i] != nil:
				short += " <" + c.From[i].Call.Op + ">"
			default:
				short += " ?"
			}
		}
		list = append(list, short+")")
	}
	return list
}

// TestCalls: an argument that can't be written down is what the call left that made it or changed it last, or else what
// returned an equal value first; what is no value elsewhere is left open.
func TestCalls(t *testing.T) {
	in, o := input()
	var n notesOf
	n.call(1)
	n.results(1, box("new"))
	n.on(2, 1, 0, box("new"), text("a"))
	n.on(3, 2, wire.OriginArgument, box("a"), text("key"))
	n.on(3, 0, 0, box("new"), text("equal"))
	n.on(3, 0, 0, box("unknown"), text("/home/tree/file"))
	n.on(3, 0, 0, box("unknown"), text("told"))
	want := []string{
		"m.(*Box).Put( <m.New> a)", "m.(*Box).Get( <m.(*Box).Put> key)", "m.(*Box).Get( <m.New> equal)",
		"m.(*Box).Get( ? told)",
	}
	if got := shown(in, o, n.Writer); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestForged: notes are data from the target; whatever they are, those before the first wrong one count.
func TestForged(t *testing.T) {
	in, o := input()
	var n notesOf
	n.on(3, 0, 0, box("new"), text("first"))
	for _, c := range []struct{ reason, forged string }{
		{"a kind that there is not", "?\x01\x00"},
		{"a function that there is not", "c\x09\x00"},
		{"an origin that comes later", "c\x03\x02\x05\x00\x00\x00\x00\x00"},
		{"results of a call that comes later", "r\x07\x00"},
		{"an end too early", "c\x03\x02\x00"},
		{"no end", "c\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"},
	} {
		got := shown(in, o, append(slices.Clone(n.Writer), c.forged...))
		if want := []string{"m.(*Box).Get( ? first)"}; !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", c.reason, got, want)
		}
	}
}

// TestBoth: what only one of the two runs shows depends on its seed or its clock.
func TestBoth(t *testing.T) {
	in, o := input()
	var first, second notesOf
	for i, n := range []*notesOf{&first, &second} {
		n.on(3, 0, 0, box("new"), text("same"))
		n.on(3, 0, 0, box("new"), text(strings.Repeat("x", i+1)))
	}
	got := in.both(o, unpacked(packed([2][][]byte{{first.Writer}, {second.Writer}})))
	if len(got) != 1 || got[0].Args[1].Text != "same" {
		t.Errorf("got %v, want the call that both show", got)
	}
}

// TestChosen: of many calls of one operation some stay, from first to last, each once, the short ones first.
func TestChosen(t *testing.T) {
	in, o := input()
	var n notesOf
	for i := range 10 * maxCalls {
		n.on(3, 0, 0, box("new"), text(strings.Repeat("x", 10*maxCalls-i)))
		n.on(3, 0, 0, box("new"), text("again"))
	}
	noted := in.chosen(in.calls(o, n.Writer))
	if len(noted.Calls) != maxCalls || len(noted.Texts["m"]) != maxCalls {
		t.Fatalf("%d calls, %d texts, want %d of both", len(noted.Calls), len(noted.Texts["m"]), maxCalls)
	}
	lengths := make([]int, 0, maxCalls)
	for _, c := range noted.Calls {
		lengths = append(lengths, len(c.Args[1].Text))
	}
	if !slices.IsSorted(lengths) || lengths[maxCalls-1] != 10*maxCalls {
		t.Errorf("lengths %d, want short ones first, and the first of all among them", lengths)
	}
}

// TestBegun: the tests that had their turn are known from what their program prints.
func TestBegun(t *testing.T) {
	const output = "=== RUN   TestA\n    a_test.go:1: === RUN   TestX\n=== RUN   TestA/sub\n=== RUN   ExampleB\n"
	if got, want := begun(output), []string{"TestA", "ExampleB"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
