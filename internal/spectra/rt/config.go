package rt

import (
	"github.com/spectradiff/spectradiff/internal/spectra/rt/names"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/state"
)

// A Config says which parts of states are compared. Both versions get one, so that a state holds only what both have.
type Config struct {
	names.Config
	Vars     []string // compared package variables, by name; their index is their slot
	Points   []PointConfig
	Literals []string // linked names of function literals, ascending
	Shown    []string // the names under which programs see them
	Nodes    int      // budget of nodes of one walk
	Valued   bool     // of the points only those that say so keep values
	PerStep  int      // nodes that walks may visit for each step of the program, 0 = any: see allowance.go
}

// A PointConfig says which parts of one function's states are compared.
type PointConfig struct {
	Package string
	Index   int
	Slots   []state.Choice // nil = all, in their order
	Vars    []int          // indexes into Config.Vars
	Valued  bool           // where Config.Valued is set: the values of its states are kept
	Near    bool           // its states are walked as long as there are nodes: see allowance.go
}

// perStep is Config.PerStep, someValued Config.Valued.
var (
	perStep    int
	someValued bool
)

// Configure replaces the configuration. The driver does so before the first recording.
func Configure(c Config) {
	perStep, someValued = c.PerStep, c.Valued
	names.Configure(c.Config)
	if len(c.Literals) == len(c.Shown) {
		show(c.Literals, c.Shown)
	}
	state.Configure(state.Config{Nodes: c.Nodes, Host: startObserving()})
	Compared = configureVars(c.Vars)
	configurePoints(c.Points, c.Valued)
}

// configurePoints has the registered points record what the configuration says of them.
func configurePoints(list []PointConfig, valued bool) {
	byPath := map[string][]Point{}
	for _, p := range Packages {
		byPath[p.Path] = p.Points
		for i := range p.Points {
			p.Points[i].plan, p.Points[i].bare, p.Points[i].near = nil, valued, false
		}
	}
	for _, pc := range list {
		points := byPath[pc.Package]
		if pc.Index >= len(points) {
			continue
		}
		p := &points[pc.Index]
		p.order, p.bare, p.near = pc.Slots, valued && !pc.Valued, pc.Near
		p.vars = p.vars[:0]
		for _, i := range pc.Vars {
			if v := Compared[i]; v != nil {
				p.vars = append(p.vars, v)
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
