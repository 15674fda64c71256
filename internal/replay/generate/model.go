package generate

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/generate/value"
	"github.com/spectradiff/spectradiff/internal/replay/testtypes"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A Model describes the types and operations of a target and their relations: which values fit a type, which operations
// make a type, and which types implement an interface.
//
// Each type is examined once, when it is first met. Each relation is computed once, when it is first asked for. Types
// with the same canonical name are one. The same questions in the same order lead to the same descriptions, including
// their numbers. A Model records nothing of a run.
type Model struct {
	Operations []*Operation     // of the target, in their given order
	Structs    []*Type          // nameable types with exported fields, for slots of type any
	Samples    []*Type          // structs of the driver
	Declared   []*Type          // structs that tests declare
	Plain      map[string]*Type // types of values for slots of type any

	byName       map[string]*Type
	byType       map[types.Type]*Type  // a shortcut to byName
	nameable     map[string]types.Type // types the driver knows by name
	named        []*Type               // the same types in the order of the input
	implementing []*Type               // types of the driver for interfaces that nothing else implements
	unset        map[string][]string   // struct type → fields that no sequence may set

	further map[string][]constant.Value // type → constants of it that only new declares
}

// A Type describes a type. A model has one for each type.
type Type struct {
	ID       int    // in the order in which types are met
	Name     string // canonical
	Go       types.Type
	Under    types.Type
	Elem     *Type      // of pointers, slices, arrays, maps, channels
	Key      *Type      // of maps
	Fields   []Field    // exported ones of structs
	Function *Operation // of function types
	Scalar   bool       // basic kinds, strings, bytes: preferably literals, not results of operations
	Plain    value.Type // of a scalar: its description for making literals
	Empty    bool       // an interface without methods
	Fails    bool       // it is error
	Nameable bool       // the driver can make values by its name
	Nillable bool

	relations
}

// A Field is an exported field of a struct.
type Field struct {
	Name string
	Type *Type
	Keys []string // its possible names in maps
}

// An Operation is an operation of the target, or stands for a statement of another kind.
type Operation struct {
	Of       *api.Operation // nil for function values, variables, fields
	Params   []*Type
	Results  []*Type
	Receiver bool
	Variable bool // a Let
}

// Named returns the name of a parameter, "" for an unnamed one. The operation may be nil.
func (op *Operation) Named(param int) string {
	if op == nil || op.Of == nil || param >= len(op.Of.Names) {
		return ""
	}
	return op.Of.Names[param]
}

// Reaches reports whether an operation can reach changed code.
func (op *Operation) Reaches() bool { return op.Of != nil && op.Of.Reaches }

// Sets reports whether an operation is a setting. It may be nil.
func (op *Operation) Sets() bool { return op != nil && op.Of != nil && op.Of.Setting }

// newModel returns the model of operations and the types that a sequence may name. Samples are structs for slots of
// type any, besides those of the driver. Unset has the fields to leave out, by struct name. The changed ones of the
// constants are values of their types.
func newModel(
	operations []*api.Operation, named []api.Type, samples []*types.Named, unset map[string][]string,
	constants []Constant,
) *Model {
	m := &Model{
		byName: map[string]*Type{}, byType: map[types.Type]*Type{}, nameable: map[string]types.Type{},
		unset: unset, Plain: map[string]*Type{}, further: map[string][]constant.Value{},
	}
	for _, c := range constants {
		if _, ok := types.Unalias(c.Type).(*types.Named); ok && c.Changed {
			name := symbol.Type(c.Type)
			m.further[name] = append(m.further[name], c.Value)
		}
	}
	for _, t := range slices.Concat(api.Samples(), samples) {
		m.nameable[symbol.Type(t)] = t
	}
	for _, t := range named {
		m.nameable[t.Name] = t.Type
	}
	for _, t := range api.Samples() {
		m.Samples = append(m.Samples, m.info(t))
	}
	for _, t := range samples {
		if t.NumMethods() > 0 {
			m.implementing = append(m.implementing, m.info(t))
		} else if info := m.info(t); info.IsStruct() && len(info.Fields) > 0 {
			m.Declared = append(m.Declared, info)
		}
	}
	for _, t := range named {
		info := m.info(t.Type)
		m.named = append(m.named, info)
		if len(info.Fields) > 0 {
			m.Structs = append(m.Structs, info)
		}
	}
	m.Operations = m.OperationsOf(operations)
	for _, t := range m.infos(value.AnyTypes()) {
		m.Plain[t.Name] = t
	}
	return m
}

// OperationsOf describes operations. Operations that newModel did not get are no makers.
func (m *Model) OperationsOf(list []*api.Operation) (operations []*Operation) {
	for _, op := range list {
		operations = append(operations, &Operation{
			Of: op, Receiver: op.Receiver, Params: m.infos(op.Params), Results: m.infos(op.Results),
		})
	}
	return operations
}

func (m *Model) infos(list []types.Type) []*Type {
	infos := make([]*Type, len(list))
	for i, t := range list {
		infos[i] = m.info(t)
	}
	return infos
}

// info returns the description of a type.
func (m *Model) info(t types.Type) *Type {
	if info := m.byType[t]; info != nil {
		return info
	}
	name := symbol.Type(t)
	info := m.byName[name]
	if info == nil {
		info = &Type{ID: len(m.byName), Name: name, Go: types.Unalias(t), Under: t.Underlying()}
		m.byName[name] = info
		m.byType[t] = info
		m.examine(info)
	}
	m.byType[t] = info
	return info
}

func (m *Model) examine(info *Type) {
	info.Nameable = m.known(info.Name)
	switch under := info.Under.(type) {
	case *types.Basic:
		info.Plain, info.Scalar = value.TypeOf(info.Go, info.Name), true
		for _, c := range m.further[info.Name] {
			info.Plain = info.Plain.With(c)
		}
		info.Nillable = under.Kind() == types.UnsafePointer
	case *types.Pointer:
		info.Elem, info.Nillable = m.info(under.Elem()), true
	case *types.Slice:
		info.Elem, info.Nillable = m.info(under.Elem()), true
		info.Scalar = info.Elem.isByte()
	case *types.Array:
		info.Elem = m.info(under.Elem())
	case *types.Map:
		info.Key, info.Elem, info.Nillable = m.info(under.Key()), m.info(under.Elem()), true
	case *types.Chan:
		info.Elem, info.Nillable = m.info(under.Elem()), true
	case *types.Struct:
		name, _, _ := strings.Cut(info.Name, "[")
		for _, f := range api.Fields(info.Go) {
			if slices.Contains(m.unset[name], f.Name()) {
				continue
			}
			info.Fields = append(info.Fields, Field{f.Name(), m.info(f.Type()), testtypes.Keys(under, f)})
		}
	case *types.Signature:
		info.Nillable = true
		info.Function = &Operation{Results: m.tuple(under.Results())}
		info.Function.Params = append([]*Type{info}, m.tuple(under.Params())...)
	case *types.Interface:
		info.Nillable, info.Empty, info.Fails = true, under.Empty(), info.Name == "error"
	}
}

func (m *Model) tuple(tuple *types.Tuple) []*Type {
	var infos []*Type
	for v := range tuple.Variables() {
		infos = append(infos, m.info(v.Type()))
	}
	return infos
}

// known reports whether the driver can find a type by its name.
func (m *Model) known(name string) bool {
	return symbol.Composed(name, func(part string) bool { return m.nameable[part] != nil })
}

// Lookup returns the type with a canonical name, nil if it is unknown.
func (m *Model) Lookup(name string) *Type {
	if info := m.byName[name]; info != nil {
		return info
	}
	if t := m.nameable[name]; t != nil {
		return m.info(t)
	}
	if rest, ok := strings.CutPrefix(name, "*"); ok {
		if elem := m.Lookup(rest); elem != nil {
			return m.PointerTo(elem)
		}
	}
	return nil
}
