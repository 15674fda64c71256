package static

import (
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// UnreadFields returns by struct type the fields that the type's own Equal can't read, sorted. They may be left out
// when values of the type are compared by their Equal. An Equal is a method Equal or Equals that takes a value of the
// receiver's type and returns a bool.
//
// Only unexported fields of the receiver's own struct are ever returned, because anyone can read the others. A field
// counts as read if code that Equal may call names it in any way. All fields count as read if a value of the type is
// handed to code without source, becomes an interface, or is compared as a whole. Types with type parameters have no
// such fields, and neither have programs that can't be analysed.
func UnreadFields(p *Program) map[string][]string {
	all := map[string][]string{}
	code, err := p.Code()
	if err != nil {
		return all
	}
	for _, pkg := range code.Packages {
		for _, name := range pkg.Types.Scope().Names() {
			object, ok := pkg.Types.Scope().Lookup(name).(*types.TypeName)
			if !ok || object.IsAlias() {
				continue
			}
			if named, ok := object.Type().(*types.Named); ok && named.TypeParams().Len() == 0 {
				if fields := unread(code.SSA, named); len(fields) > 0 {
					all[symbol.Type(named)] = fields
				}
			}
		}
	}
	return all
}

// unread returns the fields of a type that its Equal cannot read.
func unread(program *ssa.Program, named *types.Named) []string {
	structure, ok := named.Underlying().(*types.Struct)
	start := own(program, named)
	if !ok || start == nil {
		return nil
	}
	r := &reader{
		program: program, named: named, read: map[int]bool{}, visited: map[*ssa.Function]bool{},
		looked: map[types.Type]bool{},
	}
	r.visit(start)
	if r.all {
		return nil
	}
	var fields []string
	for i := range structure.NumFields() {
		if f := structure.Field(i); !f.Exported() && !f.Embedded() && f.Name() != "_" && !r.read[i] {
			fields = append(fields, f.Name())
		}
	}
	slices.Sort(fields)
	return fields
}

// own returns the code of a type's Equal, nil if it has none.
func own(program *ssa.Program, named *types.Named) *ssa.Function {
	for method := range named.Methods() {
		signature := method.Signature()
		if name := method.Name(); name != "Equal" && name != "Equals" || signature.Params().Len() != 1 ||
			signature.Results().Len() != 1 ||
			!types.Identical(signature.Results().At(0).Type(), types.Typ[types.Bool]) ||
			!types.Identical(signature.Params().At(0).Type(), signature.Recv().Type()) {
			continue
		}
		if fn := program.FuncValue(method); fn != nil && len(fn.Blocks) > 0 {
			return fn
		}
	}
	return nil
}

// A reader looks for what code reads of a type.
type reader struct {
	program *ssa.Program
	named   *types.Named
	read    map[int]bool
	all     bool // nobody knows what is read
	visited map[*ssa.Function]bool
	looked  map[types.Type]bool // that hold no value of the type
}

func (r *reader) visit(fn *ssa.Function) {
	if r.all || r.visited[fn] {
		return
	}
	r.visited[fn] = true
	for _, inner := range fn.AnonFuncs {
		r.visit(inner)
	}
	for _, block := range fn.Blocks {
		for _, instruction := range block.Instrs {
			r.instruction(instruction)
		}
	}
}

func (r *reader) instruction(instruction ssa.Instruction) {
	switch i := instruction.(type) {
	case *ssa.FieldAddr:
		r.field(i.X.Type(), i.Field)
	case *ssa.Field:
		r.field(i.X.Type(), i.Field)
	case *ssa.BinOp:
		structs := i.Op == token.EQL || i.Op == token.NEQ
		r.all = r.all || structs && types.Identical(i.X.Type(), r.named)
	case *ssa.MakeInterface:
		r.all = r.all || r.holds(i.X.Type())
	case *ssa.Convert, *ssa.ChangeType, *ssa.MultiConvert, *ssa.SliceToArrayPointer:
		r.all = r.all || r.holds((*instruction.Operands(nil)[0]).Type())
	case ssa.CallInstruction:
		r.call(i.Common())
	}
	for _, operand := range instruction.Operands(nil) {
		if fn, ok := (*operand).(*ssa.Function); ok {
			r.function(fn, nil)
		}
	}
}

// field notes that a field is read, of the type or of an unnamed one of its shape.
func (r *reader) field(t types.Type, index int) {
	if pointer, ok := t.Underlying().(*types.Pointer); ok {
		t = pointer.Elem()
	}
	if types.Identical(t, r.named) {
		r.read[index] = true
	}
}

func (r *reader) call(c *ssa.CallCommon) {
	if fn := c.StaticCallee(); fn != nil {
		r.function(fn, c.Args)
		return
	}
	if _, builtin := c.Value.(*ssa.Builtin); !builtin {
		r.unknown(c.Args)
	}
}

func (r *reader) function(fn *ssa.Function, args []ssa.Value) {
	if len(fn.Blocks) > 0 {
		r.visit(fn)
	} else {
		r.unknown(args)
	}
}

// unknown has code whose source is not there, or not known, read all that it is handed.
func (r *reader) unknown(args []ssa.Value) {
	for _, arg := range args {
		r.all = r.all || r.holds(arg.Type())
	}
}

// holds reports whether a value of the type is reached from one of type t without an interface. Once it is, nobody asks
// again: what was looked at before led nowhere.
func (r *reader) holds(t types.Type) bool {
	if types.Identical(t, r.named) {
		return true
	}
	if r.looked[t] {
		return false
	}
	r.looked[t] = true
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return r.holds(u.Elem())
	case *types.Slice:
		return r.holds(u.Elem())
	case *types.Array:
		return r.holds(u.Elem())
	case *types.Chan:
		return r.holds(u.Elem())
	case *types.Map:
		return r.holds(u.Key()) || r.holds(u.Elem())
	case *types.Struct:
		for field := range u.Fields() {
			if r.holds(field.Type()) {
				return true
			}
		}
	}
	return false
}
