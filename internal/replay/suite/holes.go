package suite

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// mostHoles is how many literals, unset fields, computed texts and numbers, and choices each the operation of one test
// has at most, those in the test itself first.
const mostHoles = 200

// A hole is a literal of a test that may have another value, or a choice to do something else than its source does.
type hole struct {
	number int // in the tests of the package
	lit    ast.Node
	typ    types.Type
	name   string // of the field or parameter that it is given to; "" = none
	value  sequence.Value
	choice *choice // nil: a literal
	unset  bool    // a field that a literal leaves out; the node is the place for it
	within *hole   // it is a part of what that one adds
	asks   string  // ".Text": what of the runtime returns a computed text or number; "": it is none
	row    *row    // of the table that it is in; nil: it is in none

	once  sync.Once // thousands of tests may come to it
	shown *Hole
}

// A row is one of the elements of a slice, an array or a map that a literal lists, such as one case of a test.
type row struct {
	texts  []string // in it, as names of subtests are written
	at, of int      // its place in the table, and how many rows that has
}

// says reports whether a subtest may be called after the row.
func (r *row) says(name string) bool { return slices.Contains(r.texts, name) }

// A declaration is what test files declare at package level: a function, or a variable with a value.
type declaration struct {
	holes    []*hole
	mentions []types.Object // others that it mentions, in the order of the source
}

// A digger finds holes.
type digger struct {
	info    *types.Info
	own     *types.Package // the package of the files; nil: external tests, whose types are not named
	generic bool           // as the function of that name says of the tested package
	known   Known
	all     []*hole        // in the order of their numbers
	left    map[*hole]bool // those that are left out
	near    map[*hole]bool // those in files of tests beside the change
	named   map[int]string // what meanings returns; nil: that is not known
	of      map[types.Object]*declaration
	inFile  map[*ast.File][]*hole
	guards  map[*ast.File][]guard
	sets    map[string]bool // names of what the files assign to

	holders map[*types.Scope][]*types.Pointer // as walker.declared returns them
	makers  map[*types.Named][]*types.Func    // as makersOf returns them
}

// Holes are the holes of the tests of a package.
type Holes struct{ inside, external *digger }

// Known is what is known of the tested code.
type Known struct {
	Common   func(*types.Named, types.Object) bool // whether new, too, has a field or method of a type; of nil: this
	Sets     func(*types.Func) bool                // whether a function sets what the change mentions
	Mentions func(*types.Var) bool                 // whether the change mentions a field
	Own      func(path string) bool                // whether a package is of the compared module
	Errors   []*types.Var                          // package variables of old that the change mentions
	Globals  []Variable                            // others of them, of the module and with plain values
	Near     map[string]bool                       // names of files of tests beside changed ones, as x_test.go to x.go

	// All says that variants were made for other changes than the one at hand: whatever may be mentioned is a hole.
	All bool
}

// Dig finds the literals of test files that may have other values, and what else they may do, by what type-checking
// says of them. The package is the tested one.
func Dig(files *Files, info *types.Info, tested *types.Package, known Known) *Holes {
	one := func(list []file, own *types.Package) *digger {
		d := &digger{
			info: info, own: own, generic: generic(tested), known: known,
			of: map[types.Object]*declaration{}, inFile: map[*ast.File][]*hole{}, guards: map[*ast.File][]guard{},
			holders: map[*types.Scope][]*types.Pointer{}, left: map[*hole]bool{}, near: map[*hole]bool{},
			makers: map[*types.Named][]*types.Func{},
		}
		d.dig(list)
		d.thin()
		return d
	}
	return &Holes{one(files.inside, tested), one(files.external, nil)}
}

// dig finds the holes of test files that are of one package.
func (d *digger) dig(files []file) {
	d.sets = map[string]bool{}
	for _, f := range files {
		d.guards[f.syntax] = guards(f.syntax, d.info)
		d.assigned(f.syntax)
	}
	for _, f := range files {
		if !d.generic && f.constrained() {
			continue
		}
		for _, decl := range f.syntax.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if o := d.info.Defs[decl.Name]; o != nil && decl.Body != nil {
					d.declare(f, o, decl.Body, nil)
					d.belongs(o)
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					v, ok := spec.(*ast.ValueSpec)
					if ok && decl.Tok == token.VAR && len(v.Names) == 1 && len(v.Values) == 1 {
						d.declare(f, d.info.Defs[v.Names[0]], v.Values[0], v)
					}
				}
			}
		}
	}
}

// mostChoices is about how many choices the tests of a package have near the change, and elsewhere: each is code to
// compile.
const mostChoices = 3000

// thin leaves out choices where there are too many, evenly. Those of the files of tests beside the change have room of
// their own.
func (d *digger) thin() {
	if d.known.All { // only what is asked for is written
		return
	}
	choices := map[bool]int{} // near the change, and others
	for _, h := range d.all {
		if thinned(h) {
			choices[d.near[h]]++
		}
	}
	d.leave(func(h *hole) bool {
		every := choices[d.near[h]]/mostChoices + 1
		return h.within == nil && thinned(h) && h.number%every != 0
	})
}

// thinned reports whether a hole is one of which there may be too many. Every test has those of package variables.
func thinned(h *hole) bool { return h.choice != nil && h.choice.kind != presets }

// holder returns the hole that this one is a part of, itself if it is of none.
func (h *hole) holder() *hole { return cmp.Or(h.within, h) }

// leave leaves out holes, each with those that it is within or that are within it.
func (d *digger) leave(out func(*hole) bool) {
	gone := map[*hole]bool{}
	for _, h := range d.all {
		if out(h) {
			gone[h.holder()] = true
		}
	}
	for _, h := range d.all {
		if gone[h.holder()] {
			d.left[h] = true
		}
	}
	left := func(list []*hole) []*hole {
		return slices.DeleteFunc(list, func(h *hole) bool { return d.left[h] })
	}
	for _, of := range d.of {
		of.holes = left(of.holes)
	}
	for file, list := range d.inFile {
		d.inFile[file] = left(list)
	}
}

// Leave leaves out holes in lines such as "x_test.go:12", or in files, because they do not compile there.
func (h *Holes) Leave(f *Files, refused map[string]bool) {
	if len(refused) == 0 {
		return
	}
	at := func(n ast.Node) bool {
		name := filepath.Base(f.fset.PositionFor(n.Pos(), false).Filename)
		return refused[name] || slices.ContainsFunc(linesOf(f.fset, n), func(line string) bool { return refused[line] })
	}
	for _, d := range []*digger{h.inside, h.external} {
		d.leave(func(h *hole) bool { return at(h.lit) })
		for of, list := range d.guards {
			d.guards[of] = slices.DeleteFunc(list, func(g guard) bool { return at(g.of) })
		}
	}
}

// belongs notes a method as a part of its type: suites call the methods of a type that a test mentions.
func (d *digger) belongs(o types.Object) {
	f, ok := o.(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return
	}
	t := f.Signature().Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return
	}
	of := d.of[named.Obj()]
	if of == nil {
		of = &declaration{}
		d.of[named.Obj()] = of
	}
	of.mentions = append(of.mentions, o)
}

// declare finds the holes and the mentions in a function's body, or in the value of a variable.
func (d *digger) declare(f file, o types.Object, body ast.Node, variable *ast.ValueSpec) {
	if o == nil {
		return
	}
	of := &declaration{}
	if variable == nil || isComposite(variable.Values[0]) {
		w := &walker{digger: d, file: f.syntax, scope: o.Pkg().Scope()}
		if f, ok := o.(*types.Func); ok {
			w.results = f.Signature().Results()
			w.presets(f, body)
		}
		w.walk(body, "")
		of.holes = w.found
		if d.known.Near[f.name] {
			for _, h := range w.found {
				d.near[h] = true
			}
		}
		d.inFile[f.syntax] = append(d.inFile[f.syntax], w.found...)
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && d.info.Uses[id] != nil {
			of.mentions = append(of.mentions, d.info.Uses[id])
		}
		return true
	})
	d.of[o] = of
}

// isComposite reports whether a value can be computed again without an effect: a composite literal.
func isComposite(e ast.Expr) bool {
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = u.X
	}
	_, ok := e.(*ast.CompositeLit)
	return ok
}

// mostReached is about how many holes are looked for in what a test mentions.
const mostReached = 10_000

// holesOf returns the holes of a test: in its body, and in what that mentions of test files, directly or not.
func (d *digger) holesOf(test types.Object) (list []*hole) {
	seen := map[types.Object]bool{test: true}
	for queue := []types.Object{test}; len(queue) > 0 && len(list) < mostReached; queue = queue[1:] {
		of := d.of[queue[0]]
		if of == nil {
			continue
		}
		list = append(list, of.holes...)
		for _, o := range of.mentions {
			if !seen[o] {
				seen[o] = true
				queue = append(queue, o)
			}
		}
	}
	return list
}

// few returns the first literals, the first unset fields, the first computed texts and numbers, and the first choices.
// Of tables that have too many literals it takes as many rows as there is room for, evenly, the last among them: new
// ones stand at the end.
func few(list []*hole) []*hole {
	var literals, unset, choices, computed int
	every, preset := rowsTaken(list), map[string]bool{}
	return slices.DeleteFunc(slices.Clone(list), func(h *hole) bool {
		if h.choice != nil && h.choice.kind == presets { // each method of a suite has one
			again := preset[h.name]
			preset[h.name] = true
			return again
		}
		if h.row != nil && (h.row.of-1-h.row.at)%every != 0 {
			return true
		}
		count := &literals
		switch {
		case h.choice != nil:
			count = &choices
		case h.unset:
			count = &unset
		case h.asks != "":
			count = &computed
		}
		*count++
		return *count > mostHoles
	})
}

// rowsTaken returns of how many rows of a table one is taken, such that the literals in rows have room.
func rowsTaken(list []*hole) int {
	inRows, others := literals(list)
	room := max(mostHoles-others, mostHoles/2)
	return max(1, (inRows+room-1)/room)
}

// literals counts the literals among some holes, those in rows of tables and the others.
func literals(list []*hole) (inRows, others int) {
	for _, h := range list {
		switch {
		case h.choice != nil || h.unset || h.asks != "":
		case h.row != nil:
			inRows++
		default:
			others++
		}
	}
	return inRows, others
}

// inPart returns those of a list of holes that may matter to one of the subtests that a test runs: all that are in no
// row of a table, and those of the row that says the name of the subtest. Where none says it, the rows of the longest
// table have the order of the subtests, if there are enough of them. Else all rows may matter, and the result is nil.
func inPart(list []*hole, name string, at, of int) []*hole {
	said, longest := false, 0
	for _, h := range list {
		if h.row != nil {
			said, longest = said || h.row.says(name), max(longest, h.row.of)
		}
	}
	own := func(r *row) bool { return r.says(name) }
	switch {
	case said:
	case at < longest && of < 2*longest:
		own = func(r *row) bool { return r.of == longest && r.at == at }
	default:
		return nil
	}
	return slices.DeleteFunc(slices.Clone(list), func(h *hole) bool { return h.row != nil && !own(h.row) })
}

// methodOf returns the method of a name that a test may run as a subtest, nil if there is none.
func (d *digger) methodOf(test types.Object, name string) types.Object {
	if d.of[test] == nil || !strings.HasPrefix(name, "Test") {
		return nil
	}
	for _, o := range d.of[test].mentions {
		if _, ok := o.(*types.TypeName); !ok || d.of[o] == nil {
			continue
		}
		for _, m := range d.of[o].mentions {
			if m.Name() == name {
				return m
			}
		}
	}
	return nil
}
