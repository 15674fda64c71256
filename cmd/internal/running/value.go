package running

// This file writes recorded values down as values of the types that they are for.

import (
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/replay/api"
	"github.com/spectradiff/spectradiff/replay/carve"
	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/rt/wire"
	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// Limits of what is written down.
const (
	maxNodes = 1 << 21 // values of one run
	maxLong  = 4 << 10 // bytes of one text
	maxElems = 200     // of a list or map
)

// A converter writes values down.
type converter struct {
	types     map[string]types.Type     // that values in interfaces may have
	declared  map[string][]*types.Named // in place of those that tests declare, by names with a number and without
	suppliers map[string]*api.Operation
	places    []string // texts that name places of this machine
}

func (in *Input) converter() *converter {
	c := &converter{
		types: in.typesByName(), declared: map[string][]*types.Named{}, suppliers: map[string]*api.Operation{},
		places: []string{"/scratch/", in.Target.Dir, in.Env.Temp},
	}
	for _, t := range in.Declared.Named {
		name := t.Obj().Name()
		c.declared[name] = append(c.declared[name], t)
		if plain := strings.TrimRight(name, "0123456789"); plain != name {
			c.declared[plain] = append(c.declared[plain], t)
		}
	}
	for _, op := range in.Operations {
		if op.Supplier {
			c.suppliers[op.Name] = op
		}
	}
	return c
}

// value returns a recorded value as one of a type. What only its package can set can't be written down, nor what holds
// functions, channels or memory of another value, nor texts that are no values elsewhere.
func (c *converter) value(v *spectra.Value, t types.Type) (out sequence.Value, ok bool) {
	if v == nil || v.Rare().Shares != nil {
		return out, false
	}
	if v.Kind == wire.ValueNil {
		return sequence.Value{Kind: sequence.Nil}, true
	}
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return c.basic(v, t)
	case *types.Pointer:
		if v.Kind != wire.ValuePointer {
			return out, false
		}
		elem, ok := c.value(v.Elem(), t.Elem())
		return sequence.Value{Kind: sequence.Address, Elems: []sequence.Value{elem}}, ok && elem.Kind != sequence.Nil
	case *types.Interface:
		return c.held(v, t)
	case *types.Struct:
		return c.structure(v, t)
	case *types.Slice:
		if v.Kind == wire.ValueBytes {
			return c.text(v.Text)
		}
		return c.list(v, t.Elem())
	case *types.Array:
		return c.list(v, t.Elem())
	case *types.Map:
		return c.mapping(v, t)
	}
	return out, false
}

// basic returns a number, text or truth value.
func (c *converter) basic(v *spectra.Value, t *types.Basic) (out sequence.Value, ok bool) {
	info := t.Info()
	switch v.Kind {
	case wire.ValueBool:
		return sequence.Value{Kind: sequence.Bool, Text: strconv.FormatBool(v.Bits != 0)}, info&types.IsBoolean != 0
	case wire.ValueInt:
		ok = info&types.IsInteger != 0 && info&types.IsUnsigned == 0
		return sequence.Value{Kind: sequence.Int, Text: strconv.FormatInt(int64(v.Bits), 10)}, ok
	case wire.ValueUint:
		ok = info&types.IsUnsigned != 0
		return sequence.Value{Kind: sequence.Uint, Text: strconv.FormatUint(v.Bits, 10)}, ok
	case wire.ValueFloat:
		bits := 64
		if t.Kind() == types.Float32 {
			bits = 32
		}
		f := math.Float64frombits(v.Bits)
		return sequence.Value{Kind: sequence.Float, Text: sequence.FloatText(f, bits)}, info&types.IsFloat != 0
	case wire.ValueComplex:
		number := complex(math.Float64frombits(v.Bits), math.Float64frombits(v.Rare().Imag))
		return sequence.Value{Kind: sequence.Complex, Text: sequence.ComplexText(number)}, info&types.IsComplex != 0
	case wire.ValueString:
		if info&types.IsString != 0 {
			return c.text(v.Text)
		}
	}
	return out, false
}

func (c *converter) text(text string) (sequence.Value, bool) {
	foreign := slices.ContainsFunc(c.places, func(place string) bool { return strings.Contains(text, place) })
	return sequence.Value{Kind: sequence.String, Text: text}, !foreign && len(text) <= maxLong
}

// structure returns a struct of which only exported fields are set.
func (c *converter) structure(v *spectra.Value, t *types.Struct) (out sequence.Value, ok bool) {
	if v.Kind != wire.ValueStruct {
		return out, false
	}
	fields := map[string]*types.Var{}
	for f := range t.Fields() {
		fields[f.Name()] = f
	}
	out.Kind = sequence.Struct
	for _, item := range v.Items {
		if zero(item.Value) {
			continue
		}
		f := fields[item.Name]
		if f == nil || !f.Exported() {
			return out, false
		}
		part, ok := c.value(item.Value, f.Type())
		if !ok {
			return out, false
		}
		out.Fields = append(out.Fields, sequence.Field{Name: item.Name, Value: part})
	}
	return out, true
}

// zero reports whether a field has a value that it has anyway.
func zero(v *spectra.Value) bool {
	switch v.Kind {
	case wire.ValueNil:
		return true
	case wire.ValueBool, wire.ValueInt, wire.ValueUint, wire.ValueFloat:
		return v.Bits == 0
	case wire.ValueString:
		return v.Text == ""
	case wire.ValueStruct, wire.ValueArray:
		return !slices.ContainsFunc(v.Items, func(item spectra.Item) bool { return !zero(item.Value) })
	}
	return false
}

func (c *converter) list(v *spectra.Value, elem types.Type) (out sequence.Value, ok bool) {
	if v.Kind != wire.ValueSlice && v.Kind != wire.ValueArray || len(v.Items) > maxElems {
		return out, false
	}
	out.Kind = sequence.List
	for _, item := range v.Items {
		part, ok := c.value(item.Value, elem)
		if !ok {
			return out, false
		}
		out.Elems = append(out.Elems, part)
	}
	return out, true
}

func (c *converter) mapping(v *spectra.Value, t *types.Map) (out sequence.Value, ok bool) {
	if v.Kind != wire.ValueMap || len(v.Items) > maxElems {
		return out, false
	}
	out.Kind = sequence.Map
	for _, item := range v.Items {
		key, ok := c.value(item.Key, t.Key())
		elem, fine := c.value(item.Value, t.Elem())
		if !ok || !fine {
			return out, false
		}
		out.Elems = append(out.Elems, key, elem)
	}
	return out, true
}

// held returns what an interface holds, if it is of a type that sequences can name.
func (c *converter) held(v *spectra.Value, t *types.Interface) (out sequence.Value, ok bool) {
	if v.Kind != wire.ValueInterface {
		return out, false
	}
	for _, of := range c.named(v.Type) {
		if !types.AssignableTo(of, t) {
			continue
		}
		if elem, ok := c.value(v.Elem(), of); ok {
			return sequence.Value{Kind: sequence.Typed, Type: symbol.Type(of), Elems: []sequence.Value{elem}}, true
		}
	}
	return out, false
}

// named returns the types that a name may stand for: one that sequences can name, a list, map or pointer of such, or
// one that tests declare.
func (c *converter) named(name string) []types.Type {
	if t := c.types[name]; t != nil {
		return []types.Type{t}
	}
	var list []types.Type
	if elem, ok := strings.CutPrefix(name, "*"); ok {
		for _, t := range c.named(elem) {
			list = append(list, types.NewPointer(t))
		}
		return list
	}
	if elem, ok := strings.CutPrefix(name, "[]"); ok {
		for _, t := range c.named(elem) {
			list = append(list, types.NewSlice(t))
		}
		return list
	}
	if elem, ok := strings.CutPrefix(name, "map[string]"); ok {
		for _, t := range c.named(elem) {
			list = append(list, types.NewMap(types.Typ[types.String], t))
		}
		return list
	}
	if name == "interface{}" || name == "any" {
		return []types.Type{types.Universe.Lookup("any").Type()}
	}
	own := name[strings.LastIndexByte(name, '.')+1:]
	for _, t := range c.declared[strings.ToUpper(own[:min(1, len(own))])+own[min(1, len(own)):]] {
		list = append(list, t)
	}
	return list
}

// makers are the suppliers of readers over a text, by the types of these.
var makers = map[string]string{
	"strings.Reader": "strings.NewReader", "bytes.Reader": "bytes.NewReader", "bytes.Buffer": "bytes.NewBufferString",
}

// supplied returns the call that makes a reader over a text, nil if an argument is none.
func (c *converter) supplied(tokens string, t types.Type, room *spectra.Budget) *carve.Made {
	slots, err := spectra.DecodeSlots([]byte(tokens), room, func(int) string { return "" })
	if err != nil || len(slots) != 1 {
		return nil
	}
	v := slots[0].Value
	for v != nil && (v.Kind == wire.ValueInterface || v.Kind == wire.ValuePointer) {
		v = v.Elem()
	}
	if v == nil || v.Kind != wire.ValueStruct {
		return nil
	}
	op := c.suppliers[makers[v.Type]]
	if op == nil || !fits(op.Results[0], t) {
		return nil
	}
	for _, item := range v.Items {
		if item.Name == "content" {
			text, ok := c.text(item.Value.Text)
			return onlyIf(ok, &carve.Made{Call: carve.Call{
				Op: op.Name, Args: []*sequence.Value{&text}, From: make([]*carve.Made, 1),
			}})
		}
	}
	return nil
}

func onlyIf(ok bool, m *carve.Made) *carve.Made {
	if ok {
		return m
	}
	return nil
}

// read collects the texts of a call.
func (n *Noted) read(pkg string, c *carve.Call) {
	for i, v := range c.Args {
		if v != nil {
			n.readValue(pkg, v)
		} else if c.From[i] != nil {
			n.read(pkg, &c.From[i].Call)
		}
	}
}

func (n *Noted) readValue(pkg string, v *sequence.Value) {
	known := n.Texts[pkg]
	if v.Kind == sequence.String && v.Text != "" && len(v.Text) <= maxText && len(known) < maxTexts &&
		!slices.Contains(known, v.Text) {
		n.Texts[pkg] = append(known, v.Text)
	}
	for i := range v.Elems {
		n.readValue(pkg, &v.Elems[i])
	}
	for i := range v.Fields {
		n.readValue(pkg, &v.Fields[i].Value)
	}
}
