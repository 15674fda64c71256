package contract

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// source has one type for each kind of method. Only New makes v.
const source = `package m
type V struct{ n int }
func New(n int) V { return V{n} }
func (V) Equal(V) bool { return true }
func (V) Cmp(V) int { return 0 }
func (*V) Less(V) bool { return false }
func (V) String() string { return "" }
func (V) MarshalText() ([]byte, error) { return nil, nil }
func (*V) UnmarshalText([]byte) error { return nil }
func (V) Validate() error { return nil }
func (*V) Set(int) {}
type F struct{ x float64 }
func Ratio(n int) F { return F{} }
func (F) Equal(F) bool { return false }
func (F) Less(i, j int) bool { return false }
type Level int
func (Level) String() string { return "" }
`

// operations returns the operations of the source.
func operations(t *testing.T) (list []*api.Operation, named []api.Type) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "m.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := (&types.Config{Importer: importer.Default()}).Check("m", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	add := func(name string, sig *types.Signature) {
		op := &api.Operation{Name: name, Symbol: spectra.Symbol(name), Reaches: true}
		if r := sig.Recv(); r != nil {
			op.Params, op.Receiver = append(op.Params, r.Type()), true
		}
		for v := range sig.Params().Variables() {
			op.Params = append(op.Params, v.Type())
		}
		for v := range sig.Results().Variables() {
			op.Results = append(op.Results, v.Type())
		}
		list = append(list, op)
	}
	for _, name := range p.Scope().Names() {
		switch o := p.Scope().Lookup(name).(type) {
		case *types.Func:
			add("m."+name, o.Signature())
		case *types.TypeName:
			named = append(named, api.Type{Name: "m." + name, Type: o.Type()})
			for m := range o.Type().(*types.Named).Methods() {
				receiver := "m." + name
				if _, ok := m.Signature().Recv().Type().(*types.Pointer); ok {
					receiver = "m.(*" + name + ")"
				}
				add(receiver+"."+m.Name(), m.Signature())
			}
		}
	}
	return list, named
}

// made returns sequences from their texts.
func made(t *testing.T, texts ...string) (list []Made) {
	t.Helper()
	for _, text := range texts {
		panics := strings.HasPrefix(text, "!")
		q, err := sequence.Parse("spectradiff sequence 1\n" + strings.TrimPrefix(text, "!") + "\n")
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, Made{q, panics})
	}
	return list
}

// TestPlan checks which methods are called on which values.
func TestPlan(t *testing.T) {
	all, named := operations(t)
	for _, c := range []struct {
		reason string
		made   []string
		want   string // the last call of each probe
	}{
		{"nothing was made", nil, ""},
		{"values of operations, each alone and with each other", []string{"v0 := m.New(1)", "v0 := m.New(2)"}, `
			m.V.Equal m.V.Cmp m.(*V).Less m.V.String m.V.String
			m.V.MarshalText m.V.Equal m.V.MarshalText m.V.Equal`},
		{"no value where nil was passed, or one was written down as it is", []string{
			"v0 := m.V.String(nil)", "var v0 m.V = {}\nv1 := m.V.String(v0)",
		}, ""},
		{"numbers can be written down", []string{"v0 := m.Level.String(7)"}, "m.Level.String"},
		{"a method may leave what is not valid", []string{"v0 := m.New(1)\nv1 := m.(*V).Set(v0, 2)"}, `
			m.V.Equal m.V.Cmp m.(*V).Less m.V.String m.V.MarshalText m.V.Equal m.V.Validate`},
		{"an index is no value, and what panics is called as it is",
			[]string{"v0 := m.Ratio(1)", "!v0 := m.Ratio(2)"}, "m.F.Equal m.Ratio"},
	} {
		var got []string
		for _, p := range Plan(Input{Operations: all, Types: named, Made: made(t, c.made...)}) {
			got = append(got, p.Sequence.Statements[len(p.Sequence.Statements)-1].Op)
		}
		if want := strings.Fields(c.want); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s:\ngot  %v\nwant %v", c.reason, got, want)
		}
	}
}

// TestReach checks that a type is skipped if no changed function makes it or is called on it.
func TestReach(t *testing.T) {
	all, named := operations(t)
	for _, op := range all {
		op.Reaches = false
	}
	if list := Plan(Input{Operations: all, Types: named, Made: made(t, "v0 := m.New(1)")}); len(list) > 0 {
		t.Errorf("%d probes", len(list))
	}
}

// play returns the outcome of a sequence whose operations return results with these texts.
func play(q sequence.Sequence, result func(st sequence.Statement) string) (steps []Step) {
	for _, st := range q.Statements {
		text := result(st)
		if panicked, ok := strings.CutPrefix(text, "panic "); ok {
			return append(steps, Step{Panic: panicked})
		}
		step := Step{Results: []Result{{Text: text, Digest: [2]uint64{uint64(len(text))}, Nil: text == "nil"}}}
		if strings.HasPrefix(text, "error") {
			step.Results[0].Failed = true
		}
		steps = append(steps, step)
	}
	return steps
}

// TestBroken checks which outcomes break which contracts.
func TestBroken(t *testing.T) {
	all, named := operations(t)
	const fault = `panic runtime.boundsError: runtime.boundsError(error "runtime error: index out of range [5]")`
	for _, c := range []struct {
		reason string
		made   string
		seen   map[string]string // by operation, with the arguments where a single call is meant
		want   string            // contract and operation
	}{
		{"nothing is wrong", "m.New(1)", map[string]string{"m.V.Equal": "true"}, ""},
		{"a value that is not itself", "m.New(1)", map[string]string{"m.V.Equal": "false"}, "reflexive m.V.Equal"},
		{"what came with an error is no value", "m.New(1)",
			map[string]string{"m.New": "error", "m.V.Equal": "false"}, ""},
		{"nor is nil", "m.New(1)", map[string]string{"m.New": "nil", "m.V.Equal": "false"}, ""},
		{"nor is what says that it is no number", "m.New(1)",
			map[string]string{"m.New": "-NaN", "m.V.Equal": "false"}, ""},
		{"floats may be no number in silence", "m.Ratio(1)", map[string]string{"m.F.Equal": "false"}, ""},
		{"an order that is never less may be a distance", "m.New(1)",
			map[string]string{"m.V.Equal": "true", "m.V.Cmp": "3"}, ""},
		{"a value less than itself", "m.New(1)", map[string]string{"m.V.Equal": "true", "m.V.Cmp": "-1"},
			"antisymmetric m.V.Cmp"},
		{"likewise", "m.New(1)", map[string]string{"m.V.Equal": "true", "m.(*V).Less": "true"},
			"antisymmetric m.(*V).Less"},
		{"a text that can't be had", "m.New(1)",
			map[string]string{"m.V.Equal": "true", "m.V.String": "panic string: no"}, "no-panic m.V.String"},
		{"what was written is refused", "m.New(1)",
			map[string]string{"m.V.Equal": "true", "m.(*V).UnmarshalText": "error"}, "round-trip m.(*V).UnmarshalText"},
		{"values that can't be compared at all", "m.New(1)", map[string]string{
			"m.V.Equal": "panic runtime.errorString: runtime error: comparing uncomparable type"}, ""},
		{"an index out of range", "!m.Ratio(1)", map[string]string{"m.Ratio": fault}, "no-runtime-error m.Ratio"},
		{"a panic on purpose", "!m.Ratio(1)", map[string]string{"m.Ratio": "panic string: do not"}, ""},
	} {
		text := strings.Replace(c.made, "m.", "v0 := m.", 1)
		var got []string
		for _, p := range Plan(Input{Operations: all, Types: named, Made: made(t, text)}) {
			seen := func(st sequence.Statement) string { return c.seen[st.Op] }
			for _, check := range p.Checks(play(p.Sequence, seen)) {
				if _, broken := check.Broken(play(check.Sequence, seen)); broken {
					got = append(got, string(check.Contract)+" "+check.Operation.Name)
				}
			}
		}
		if strings.Join(got, ", ") != c.want {
			t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
		}
	}
}
