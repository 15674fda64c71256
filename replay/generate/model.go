package generate

import (
	"go/constant"
	"go/types"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/replay/api"
	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// This file defines what the generator knows of types: each is examined once, and whether one can
// be assigned to another is asked once for each pair.

type model struct {
	byName     map[string]*typeInfo
	byType     map[types.Type]*typeInfo // a shortcut to byName
	all        []*typeInfo              // by id
	operations []*operation
	nameable   map[string]types.Type // types the driver knows by name
	named      []*typeInfo           // … in the order of the input
	structs    []*typeInfo           // … with exported fields, for slots of type any
	samples    []*typeInfo           // structs of the driver
	pooled     []*typeInfo           // types of which the pool has values, in the order of their coming
	plain      map[string]*typeInfo  // types that slots of type any are filled with
	aimless    bool                  // no operation is known to reach changed code
	unset      map[string][]string   // as in Input
}

// A typeInfo is a type and what can be said of it.
type typeInfo struct {
	id       int
	name     string // canonical
	typ      types.Type
	under    types.Type
	basic    *types.Basic // underlying, or nil
	elem     *typeInfo    // of pointers, slices, arrays, maps, channels
	key      *typeInfo    // of maps
	pointer  *typeInfo    // to this; valid once asked
	fields   []field      // exported ones of structs
	function *operation   // of function types
	let      *operation   // a variable of the type; valid once asked
	scalar   bool         // basic kinds, strings, bytes: made rather than found
	empty    bool         // interface without methods
	fails    bool         // error
	nameable bool         // the driver can make one from the name
	nillable bool

	constants []sequence.Value // declared constants of the type
	accepts   []uint8          // by id of the other type: 0 unknown, 1 assignable to this, 2 not
	makers    []*operation     // operations that return one; valid once asked
	asked     bool
	fillers   []*typeInfo // nameable types that implement this interface; valid once filled
	filled    bool

	pool    []entry     // values of exactly this type
	sources []*typeInfo // pooled types assignable to this
	scanned int         // of model.pooled
}

type field struct {
	name string
	t    *typeInfo
}

// An entry is a value of a component that can be used.
type entry struct {
	component *component
	value     available
}

// An operation is one of the target's, or stands for what another kind of statement does.
type operation struct {
	of       *api.Operation // nil for function values, variables, fields
	pkg      string
	params   []*typeInfo
	results  []*typeInfo
	receiver bool
	variable bool // a Let

	calls, legal, fresh, killed, unmade, ran int
	values                                   int        // kept only for a new value or state
	words                                    [][]string // by parameter: strings that brought something new
}

func newModel(in Input) *model {
	m := &model{byName: map[string]*typeInfo{}, byType: map[types.Type]*typeInfo{}, nameable: map[string]types.Type{}, unset: in.Unset}
	samples := sampleTypes()
	for _, t := range samples {
		m.nameable[symbol.Type(t)] = t
	}
	for _, t := range in.Types {
		m.nameable[t.Name] = t.Type
	}
	for _, t := range samples {
		m.samples = append(m.samples, m.info(t))
	}
	for _, t := range in.Types {
		info := m.info(t.Type)
		m.named = append(m.named, info)
		if len(info.fields) > 0 {
			m.structs = append(m.structs, info)
		}
	}
	for _, op := range in.Operations {
		o := &operation{of: op, pkg: op.Package, receiver: op.Receiver, params: m.infos(op.Params), results: m.infos(op.Results)}
		o.words = make([][]string, len(o.params))
		m.operations = append(m.operations, o)
	}
	m.plain = m.plainTypes()
	m.aimless = !slices.ContainsFunc(in.Operations, func(op *api.Operation) bool { return op.Reaches })
	return m
}

func (m *model) infos(list []types.Type) []*typeInfo {
	infos := make([]*typeInfo, len(list))
	for i, t := range list {
		infos[i] = m.info(t)
	}
	return infos
}

// info returns the one typeInfo of a type.
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
		info.basic, info.scalar = under, true
		info.nillable = under.Kind() == types.UnsafePointer
		info.constants = declared(info)
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
			info.fields = append(info.fields, field{f.Name(), m.info(f.Type())})
		}
	case *types.Signature:
		info.nillable = true
		info.function = &operation{results: m.tuple(under.Results())}
		info.function.params = append([]*typeInfo{info}, m.tuple(under.Params())...)
		info.function.words = make([][]string, len(info.function.params))
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

func isByte(t *typeInfo) bool { return t.basic != nil && t.basic.Kind() == types.Uint8 }

// known reports whether the driver can find a type by its name.
func (m *model) known(name string) bool {
	for {
		if m.nameable[name] != nil || name == "any" || name == "error" {
			return true
		}
		before := name
		if rest, ok := strings.CutPrefix(name, "*"); ok {
			name = rest
		} else if rest, ok := strings.CutPrefix(name, "map["); ok {
			key, elem, found := strings.Cut(rest, "]")
			if !found || !m.known(key) {
				return false
			}
			name = elem
		} else if _, rest, found := strings.Cut(name, "]"); found && name[0] == '[' {
			name = rest
		}
		if name == before {
			obj, ok := types.Universe.Lookup(name).(*types.TypeName)
			return ok && obj != nil
		}
	}
}

// lookup returns the type with a canonical name, nil if nothing is known of it.
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

func (m *model) pointerTo(t *typeInfo) *typeInfo {
	if t.pointer == nil {
		t.pointer = m.info(types.NewPointer(t.typ))
	}
	return t.pointer
}

// assignable reports whether a value of one type fits a slot of another.
func (m *model) assignable(from, to *typeInfo) bool {
	if from == to {
		return true
	}
	if from.id >= len(to.accepts) {
		to.accepts = append(to.accepts, make([]uint8, len(m.all)-len(to.accepts))...)
	}
	if to.accepts[from.id] == 0 {
		to.accepts[from.id] = 2
		if types.AssignableTo(from.typ, to.typ) {
			to.accepts[from.id] = 1
		}
	}
	return to.accepts[from.id] == 1
}

// sourcesOf returns the pooled types whose values fit.
func (m *model) sourcesOf(t *typeInfo) []*typeInfo {
	for ; t.scanned < len(m.pooled); t.scanned++ {
		if from := m.pooled[t.scanned]; m.assignable(from, t) && (!t.empty || !from.fails) {
			t.sources = append(t.sources, from)
		}
	}
	return t.sources
}

// makersOf returns operations that return a value that fits, those first that need none themselves.
func (m *model) makersOf(t *typeInfo) []*operation {
	if t.asked || t.scalar || t.empty {
		return t.makers
	}
	t.asked = true
	var others []*operation
	for _, op := range m.operations {
		if !slices.ContainsFunc(op.results, func(r *typeInfo) bool { return m.assignable(r, t) }) {
			continue
		}
		if slices.ContainsFunc(op.params, func(p *typeInfo) bool { return !p.empty && (p == t || m.assignable(t, p)) }) {
			others = append(others, op)
		} else {
			t.makers = append(t.makers, op)
		}
	}
	if len(t.makers) == 0 {
		t.makers = others
	}
	return t.makers
}

// fillersOf returns the types that can be written down for a slot of interface type.
func (m *model) fillersOf(t *typeInfo) []*typeInfo {
	if t.filled {
		return t.fillers
	}
	t.filled = true
	for _, named := range m.named {
		if types.IsInterface(named.typ) {
			continue
		}
		if m.assignable(named, t) {
			t.fillers = append(t.fillers, named)
		} else if pointer := m.pointerTo(named); m.assignable(pointer, t) {
			t.fillers = append(t.fillers, pointer)
		}
	}
	return t.fillers
}

// declared returns the constants that a type's own package declares of it.
func declared(info *typeInfo) []sequence.Value {
	named, ok := info.typ.(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return nil
	}
	var values []sequence.Value
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && types.Identical(c.Type(), named) {
			if v, ok := constantValue(c.Val(), info.basic); ok {
				values = append(values, v)
			}
		}
	}
	return values
}

// constantValue returns a constant as a value of a basic type, if it fits.
func constantValue(c constant.Value, basic *types.Basic) (sequence.Value, bool) {
	info := basic.Info()
	switch {
	case info&types.IsString != 0 && c.Kind() == constant.String:
		return sequence.Value{Kind: sequence.String, Text: constant.StringVal(c)}, true
	case info&types.IsBoolean != 0 && c.Kind() == constant.Bool:
		return sequence.Value{Kind: sequence.Bool, Text: c.ExactString()}, true
	case info&types.IsUnsigned != 0:
		if n, ok := constant.Uint64Val(constant.ToInt(c)); ok && n <= maxUint(basic.Kind()) {
			return uintValue(n), true
		}
	case info&types.IsInteger != 0:
		if n, ok := constant.Int64Val(constant.ToInt(c)); ok && fitsInt(n, basic.Kind()) {
			return intValue(n), true
		}
	case info&types.IsFloat != 0:
		if f := constant.ToFloat(c); f.Kind() == constant.Float {
			x, _ := constant.Float64Val(f)
			return floatValue(x, basic.Kind()), true
		}
	}
	return sequence.Value{}, false
}
