package variables

import (
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/spectradiff/spectradiff/internal/spectra/static"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// leave adds a call of a function without a body.
func (w *graphWalk) leave(node int, callee *ssa.Function, common *ssa.CallCommon) {
	path := packageOf(callee)
	if path == "reflect" {
		w.reflect(node, callee, common)
		return
	}
	how := readsAll
	if w.Owns(path) {
		w.bodyless(node, callee, path)
	} else if static.IsStandard(path) && !reflective[path] {
		how = readsText
	}
	global := common.Signature().Recv() == nil && !common.IsInvoke()
	keeps := w.keeping(path)
	hand := func(t types.Type, how reader, argument bool) {
		handed := w.handed(t, how)
		w.edge(node, handed)
		if keeps && global {
			w.edge(w.keptBy(path), handed)
		}
		for result := range common.Signature().Results().Variables() {
			if argument && mayCall(result.Type()) {
				w.edge(w.carried(result.Type()), handed)
			}
		}
	}
	if common.IsInvoke() {
		recv := common.Value.Type()
		if r := callee.Signature.Recv(); r != nil {
			recv = r.Type() // the dynamic type is known
		}
		hand(recv, how, false)
	}
	for i, arg := range common.Args {
		how := how
		if t := parameter(common, i); how == readsText && t != nil {
			how = w.readsAs(t, closers[path])
		}
		w.given(arg, func(t types.Type) { hand(t, how, global || i > 0) })
	}
	if keeps && callee.Pkg != nil {
		w.edge(node, w.usesOf(callee.Pkg.Pkg))
		if global {
			w.edge(node, w.globalsOf(callee.Pkg.Pkg))
		}
	}
}

// parameter returns the type of the parameter that takes the i-th argument of a static call, if it is an
// interface with methods.
func parameter(common *ssa.CallCommon, i int) types.Type {
	s := common.Signature()
	if s.Recv() != nil && !common.IsInvoke() {
		i--
	}
	if i < 0 || i >= s.Params().Len() {
		return nil
	}
	t := s.Params().At(i).Type()
	if list, ok := t.Underlying().(*types.Slice); ok && s.Variadic() && i == s.Params().Len()-1 {
		t = list.Elem()
	}
	if face, ok := t.Underlying().(*types.Interface); ok && face.NumMethods() > 0 {
		return t
	}
	return nil
}

// globalsOf returns the node for the values that variables of a package without bodies may hold: values
// of its types.
func (w *graphWalk) globalsOf(pkg *types.Package) int {
	n, fresh := w.add("globals of " + pkg.Path())
	if !fresh {
		return n
	}
	for _, name := range pkg.Scope().Names() {
		if t, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok && !types.IsInterface(t.Type()) {
			w.edge(n, w.handed(t.Type(), readsText))
		}
	}
	return n
}

// reflect adds a call of package reflect, where a few functions call their arguments.
func (w *graphWalk) reflect(node int, callee *ssa.Function, common *ssa.CallCommon) {
	switch callee.Name() {
	case "Call", "CallSlice", "Seq", "Seq2":
		w.edge(node, w.handed(types.Universe.Lookup("any").Type(), readsAll))
	case "MakeFunc":
		for _, arg := range common.Args {
			w.given(arg, func(t types.Type) { w.edge(w.madeNode(), w.handed(t, readsAll)) })
		}
	}
}

// madeNode returns the node for functions made by reflection. They may have any signature.
func (w *graphWalk) madeNode() int {
	n, _ := w.add("made by reflection")
	return n
}

func packageOf(fn *ssa.Function) string {
	switch {
	case fn.Pkg != nil:
		return fn.Pkg.Pkg.Path()
	case fn.Object() != nil && fn.Object().Pkg() != nil:
		return fn.Object().Pkg().Path()
	}
	return ""
}

// mayCall reports whether a call of a value of type t may lead to the arguments that another function got
// when it made the value. An error is excluded, because it shows what it was made of only through the
// methods of errors. A value of type any is excluded, because it was stored as it is.
func mayCall(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return true
	case *types.Interface:
		return u.NumMethods() > 0 && symbol.Key(t) != "error"
	}
	return false
}

// carried returns the node for the arguments that foreign code got when it made values of type t.
func (w *graphWalk) carried(t types.Type) int {
	n, fresh := w.add("carried " + w.nameOf(t))
	if fresh {
		w.carriers = append(w.carriers, carrier{t, n})
	}
	return n
}

// A carrier is an interface or function type whose values foreign code makes.
type carrier struct {
	typ  types.Type
	node int
}

// strange adds a call of a method or function that may be foreign because the value may come from
// elsewhere.
func (w *graphWalk) strange(node int, common *ssa.CallCommon) {
	t := common.Value.Type()
	w.edge(node, w.stranger(t))
	i, _ := t.Underlying().(*types.Interface)
	switch {
	case common.IsInvoke() && i != nil && w.isModules(t) && w.ownOnly(i):
		return
	case !common.IsInvoke():
		w.edge(node, w.madeNode())
		if w.mentionsAny(common.Signature()) {
			return
		}
	}
	for _, arg := range common.Args {
		w.given(arg, func(t types.Type) {
			if _, ok := types.Unalias(t).(*types.TypeParam); !ok { // an instance has the concrete type
				w.edge(node, w.handed(t, readsText))
			}
		})
	}
}

// stranger returns the node for a call of foreign values of type t. It reaches what they hold.
func (w *graphWalk) stranger(t types.Type) int {
	n, fresh := w.add("stranger " + w.nameOf(t))
	if !fresh {
		return n
	}
	i, ok := t.Underlying().(*types.Interface)
	if !ok {
		w.pending = append(w.pending, func() {
			for _, c := range w.carriers {
				if types.Identical(c.typ.Underlying(), t.Underlying()) {
					w.edge(n, c.node)
				}
			}
		})
		return n
	}
	if w.nameOf(t) == "error" {
		w.edge(n, w.handed(t, readsText))
		return n
	}
	for _, made := range w.runtime {
		if !w.isModules(made) && types.Implements(made, i) {
			w.edge(n, w.handed(made, readsText))
		}
	}
	w.pending = append(w.pending, func() {
		sources := w.sources(t)
		for _, c := range w.carriers {
			if sources[w.nameOf(c.typ)] {
				w.edge(n, c.node)
			}
		}
	})
	return n
}

// isModules reports whether a type, or what it points to, is declared in the module.
func (w *graphWalk) isModules(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && w.Owns(named.Obj().Pkg().Path())
}

// ownOnly reports whether no foreign type can implement i, because one of the methods is not exported, or
// has a type of the module in its signature.
func (w *graphWalk) ownOnly(i *types.Interface) bool {
	own, known := w.own[i]
	if !known {
		own = w.findOwnOnly(i)
		w.own[i] = own
	}
	return own
}

func (w *graphWalk) findOwnOnly(i *types.Interface) bool {
	for _, t := range w.runtime {
		if !w.isModules(t) && types.Implements(t, i) {
			return false // an instance of a foreign generic type
		}
	}
	for m := range i.Methods() {
		if m.Pkg() != nil && w.Owns(m.Pkg().Path()) && !m.Exported() {
			return true
		}
		if w.mentionsAny(m.Signature()) {
			return true
		}
	}
	return false
}

// mentionsAny reports whether no foreign function can have the signature, because it mentions a type of
// the module.
func (w *graphWalk) mentionsAny(s *types.Signature) bool {
	for _, tuple := range []*types.Tuple{s.Params(), s.Results()} {
		for v := range tuple.Variables() {
			if w.mentions(v.Type()) {
				return true
			}
		}
	}
	return false
}

// mentions reports whether a type contains a type of the module.
func (w *graphWalk) mentions(t types.Type) bool {
	if w.isModules(t) {
		return true
	}
	switch t := types.Unalias(t).(type) {
	case *types.Map:
		return w.mentions(t.Key()) || w.mentions(t.Elem())
	case interface{ Elem() types.Type }:
		return w.mentions(t.Elem())
	}
	return false
}

// keeping reports whether a package may keep its arguments in variables of its own.
func (w *graphWalk) keeping(path string) bool {
	return w.Owns(path) || !static.IsStandard(path) || keepers[path]
}

// keptBy returns the node for arguments that functions of a package got earlier and may still have.
func (w *graphWalk) keptBy(path string) int {
	n, _ := w.add("kept by " + path)
	return n
}

// usesOf returns the node for the code of a package. It may call what the package, or one that it
// imports, has kept.
func (w *graphWalk) usesOf(pkg *types.Package) int {
	n, fresh := w.add("uses of " + pkg.Path())
	if !fresh {
		return n
	}
	w.edge(n, w.keptBy(pkg.Path()))
	for _, imported := range pkg.Imports() {
		switch {
		case w.Owns(imported.Path()):
			w.edge(n, w.exported(imported))
		case w.keeping(imported.Path()):
			w.edge(n, w.usesOf(imported))
		}
	}
	return n
}

// exported returns the node for what a package offers to its importers.
func (w *graphWalk) exported(pkg *types.Package) int {
	n, fresh := w.add("exported by " + pkg.Path())
	if !fresh {
		return n
	}
	for _, name := range pkg.Scope().Names() {
		switch object := pkg.Scope().Lookup(name).(type) {
		case *types.Var:
			if object.Exported() {
				w.touch(n, symbol.Global(object))
			}
		case *types.Func:
			w.callable(n, object)
		case *types.TypeName:
			if object.Exported() {
				w.edge(n, w.handed(object.Type(), readsAll))
			}
		}
	}
	return n
}
