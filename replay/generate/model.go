package generate

import (
	"go/types"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/replay/api"
	"github.com/spectradiff/spectradiff/replay/carve"
	"github.com/spectradiff/spectradiff/replay/generate/odds"
	"github.com/spectradiff/spectradiff/replay/generate/value"
	"github.com/spectradiff/spectradiff/replay/testtypes"
	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// This file describes types and operations for the generator. Each type is examined once.

type model struct {
	byName     map[string]*typeInfo
	byType     map[types.Type]*typeInfo // a shortcut to byName
	all        []*typeInfo              // by id
	operations []*operation
	nameable   map[string]types.Type // types the driver knows by name
	named      []*typeInfo           // those in the order of the input
	structs    []*typeInfo           // those with exported fields, for slots of type any
	samples    []*typeInfo           // structs of the driver
	declared   []*typeInfo           // structs that tests declare
	pooled     []*typeInfo           // types of which the pool has values, in the order in which they came
	plain      map[string]*typeInfo  // types that slots of type any are filled with
	aimless    bool                  // it is not known which operations reach changed code
	unset      map[string][]string   // as in Input
}

// A typeInfo is a type with its properties.
type typeInfo struct {
	id       int
	name     string // canonical
	typ      types.Type
	under    types.Type
	elem     *typeInfo  // of pointers, slices, arrays, maps, channels
	key      *typeInfo  // of maps
	fields   []field    // exported ones of structs
	function *operation // of function types
	scalar   bool       // basic kinds, strings, bytes: written as literals rather than taken from operations
	plain    value.Type // of a scalar, what its literals depend on
	empty    bool       // an interface without methods
	fails    bool       // it is error
	nameable bool       // the driver can make one from the name
	nillable bool

	relations
	pool pool
}

type field struct {
	name string
	t    *typeInfo
	keys []string // what it may be called in maps
}

// An operation is one of the target's, or stands for a statement of another kind.
type operation struct {
	of       *api.Operation  // nil for function values, variables, fields
	literals value.Operation // for literals among its arguments
	params   []*typeInfo
	results  []*typeInfo
	receiver bool
	variable bool // a Let

	odds.Record
	ran    int
	values int           // kept only for a new value or state
	seeds  []*carve.Call // calls of it that somebody wrote down
}

func newModel(in Input) *model {
	m := &model{
		byName: map[string]*typeInfo{}, byType: map[types.Type]*typeInfo{}, nameable: map[string]types.Type{},
		unset: in.Unset, plain: map[string]*typeInfo{},
	}
	samples := api.Samples()
	for _, t := range slices.Concat(samples, in.Samples) {
		m.nameable[symbol.Type(t)] = t
	}
	for _, t := range in.Types {
		m.nameable[t.Name] = t.Type
	}
	for _, t := range samples {
		m.samples = append(m.samples, m.info(t))
	}
	for _, t := range in.Samples {
		if info := m.info(t); isStruct(info) && len(info.fields) > 0 {
			m.declared = append(m.declared, info)
		}
	}
	for _, t := range in.Types {
		info := m.info(t.Type)
		m.named = append(m.named, info)
		if len(info.fields) > 0 {
			m.structs = append(m.structs, info)
		}
	}
	m.operations = m.operationsOf(in.Operations)
	for _, t := range m.infos(value.AnyTypes()) {
		m.plain[t.name] = t
	}
	m.aimless = !slices.ContainsFunc(in.Operations, func(op *api.Operation) bool { return op.Reaches })
	return m
}

func (m *model) operationsOf(list []*api.Operation) (operations []*operation) {
	for _, op := range list {
		operations = append(operations, &operation{
			of: op, literals: value.NewOperation(op.Package, len(op.Params)),
			receiver: op.Receiver, params: m.infos(op.Params), results: m.infos(op.Results),
			Record: odds.Record{Supplier: op.Supplier, Reaches: op.Reaches},
		})
	}
	return operations
}

func (m *model) infos(list []types.Type) []*typeInfo {
	infos := make([]*typeInfo, len(list))
	for i, t := range list {
		infos[i] = m.info(t)
	}
	return infos
}

// info returns the typeInfo of a type, which exists once.
func (m *model) info(t types.Type) *typeInfo {
	if info := m.byType[t]; info != nil {
		return info
	}
	name := symbol.Type(t)
	info := m.byName[name]
	if info == nil {
		info = &typeInfo{id: len(m.all), name: name, typ: types.Unalias(t), under: t.Underlying()}
		m.byName[name] = info
		m.byType[t] = info
		m.all = append(m.all, info)
		m.examine(info)
	}
	m.byType[t] = info
	return info
}

func (m *model) examine(info *typeInfo) {
	info.nameable = m.known(info.name)
	switch under := info.under.(type) {
	case *types.Basic:
		info.plain, info.scalar = value.TypeOf(info.typ, info.name), true
		info.nillable = under.Kind() == types.UnsafePointer
	case *types.Pointer:
		info.elem, info.nillable = m.info(under.Elem()), true
	case *types.Slice:
		info.elem, info.nillable = m.info(under.Elem()), true
		info.scalar = isByte(info.elem)
	case *types.Array:
		info.elem = m.info(under.Elem())
	case *types.Map:
		info.key, info.elem, info.nillable = m.info(under.Key()), m.info(under.Elem()), true
	case *types.Chan:
		info.elem, info.nillable = m.info(under.Elem()), true
	case *types.Struct:
		name, _, _ := strings.Cut(info.name, "[")
		for _, f := range api.Fields(info.typ) {
			if slices.Contains(m.unset[name], f.Name()) {
				continue
			}
			info.fields = append(info.fields, field{f.Name(), m.info(f.Type()), testtypes.Keys(under, f)})
		}
	case *types.Signature:
		info.nillable = true
		info.function = &operation{results: m.tuple(under.Results())}
		info.function.params = append([]*typeInfo{info}, m.tuple(under.Params())...)
		info.function.literals = value.NewOperation("", len(info.function.params))
	case *types.Interface:
		info.nillable, info.empty, info.fails = true, under.Empty(), info.name == "error"
	}
}

func (m *model) tuple(tuple *types.Tuple) []*typeInfo {
	var infos []*typeInfo
	for v := range tuple.Variables() {
		infos = append(infos, m.info(v.Type()))
	}
	return infos
}

func isByte(t *typeInfo) bool { return t.plain.Basic != nil && t.plain.Basic.Kind() == types.Uint8 }

// known reports whether the driver can find a type by its name.
func (m *model) known(name string) bool {
	return symbol.Composed(name, func(part string) bool { return m.nameable[part] != nil })
}

// lookup returns the type with a canonical name, or nil if nothing is known of it.
func (m *model) lookup(name string) *typeInfo {
	if info := m.byName[name]; info != nil {
		return info
	}
	if t := m.nameable[name]; t != nil {
		return m.info(t)
	}
	if rest, ok := strings.CutPrefix(name, "*"); ok {
		if elem := m.lookup(rest); elem != nil {
			return m.pointerTo(elem)
		}
	}
	return nil
}
