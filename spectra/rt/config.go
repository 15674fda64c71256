package rt

// This file defines the configuration: what of a state is compared. Both versions get one, so
// that a state holds only what both have.

import "strings"

// config is set by the driver before the first recording.
var config struct {
	renames map[string]string
	skips   map[string]fieldSet
	fields  map[string]map[string]string
	opaque  map[string]bool
	nodes   int // budget of one walk
	perStep int
}

type fieldSet map[string]bool

// compared says whether a field of a struct type is part of states.
func compared(structName, field string) bool {
	if only, ok := shown[structName]; ok {
		return only[field]
	}
	return !config.skips[declared(structName)][field]
}

// declared is the name of a type without its arguments.
func declared(name string) string {
	name, _, _ = strings.Cut(name, "[")
	return name
}

// FieldName is the name that a field has in states.
func FieldName(structName, field string) string {
	if name, ok := config.fields[declared(structName)][field]; ok {
		return name
	}
	return field
}

// A Config says what of a state is compared.
type Config struct {
	Renames map[string]string            // canonical type name → name used in states
	Skips   map[string][]string          // canonical (renamed) struct type → fields left out
	Fields  map[string]map[string]string // canonical (renamed) struct type → field here → its name in states
	Opaque  []string                     // further opaque types
	Vars    []string                     // compared package variables, by name; their index is their slot
	Points  []PointConfig
	Nodes   int // budget of nodes of one walk
	PerStep int // nodes that walks may visit for each step of the program, 0 = all: see allowance.go
}

// A PointConfig says what of one function's states is compared.
type PointConfig struct {
	Package string
	Index   int
	Slots   []SlotConfig // nil = all, in their order
	Vars    []int        // indexes into Config.Vars
}

// Configure replaces the configuration. Types are compiled anew.
func Configure(c Config) {
	config.renames = c.Renames
	config.nodes, config.perStep = c.Nodes, c.PerStep
	if c.Nodes == 0 {
		config.nodes = defaultNodes
	}
	config.fields = c.Fields
	config.skips = map[string]fieldSet{}
	for name, fields := range c.Skips {
		set := fieldSet{}
		for _, f := range fields {
			set[f] = true
		}
		config.skips[name] = set
	}
	config.opaque = map[string]bool{}
	for _, name := range c.Opaque {
		config.opaque[name] = true
	}
	nodes, numbered = map[uintptr]*node{}, nil
	symbols = map[uintptr]symbol{}
	clear(recent[:])
	startObserving()
	interfaceNode = compile(typeOfAny)
	vars := configureVars(c.Vars)
	Compared = vars
	byPath := map[string][]Point{}
	for _, p := range Packages {
		byPath[p.Path] = p.Points
		for i := range p.Points {
			p.Points[i].plan = nil
		}
	}
	for _, pc := range c.Points {
		points := byPath[pc.Package]
		if pc.Index >= len(points) {
			continue
		}
		p := &points[pc.Index]
		p.order = pc.Slots
		p.vars = p.vars[:0]
		for _, i := range pc.Vars {
			if vars[i] != nil {
				p.vars = append(p.vars, vars[i])
			}
		}
	}
}

// Compared are the variables of the configuration; nil where the target has none of that name.
var Compared []*Var

// configureVars finds the registered variables with those names; nil where there is none.
func configureVars(names []string) []*Var {
	index := map[string]*Var{}
	for _, p := range Packages {
		for i := range p.Vars {
			index[p.Vars[i].Name] = &p.Vars[i]
		}
	}
	vars := make([]*Var, len(names))
	for i, name := range names {
		if v := index[name]; v != nil {
			v.index = i
			vars[i] = v
		}
	}
	return vars
}
