package generate

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

const (
	settingShare = 0.06 // share of candidates that begin with a setting, if there are settings
	settingTries = 4    // values tried for an environment variable when code first asks for it
	settingNames = 64   // maximum number of remembered environment variables
)

// settings are the operations that set variables.
type settings struct {
	variables   []*Operation
	environment *Operation // sets an environment variable; nil: there is none
	names       []string   // environment variables that code asked for
}

func (s *settings) start(list []*Operation) {
	for _, op := range list {
		if op.Of.Name == api.SetsEnvironment {
			s.environment = op
		} else {
			s.variables = append(s.variables, op)
		}
	}
}

// preset returns a candidate that begins with a setting. It returns nil if there are no settings, and by chance to
// leave the turn to others.
func (g *generator) preset() *candidate {
	variables := len(g.settings.variables)
	if variables+len(g.settings.names) == 0 || !g.random.Chance(settingShare) {
		return nil
	}
	d := &draft{}
	if i := g.random.IntN(variables + len(g.settings.names)); i >= variables {
		g.setEnvironment(d, g.settings.names[i-variables])
	} else if !g.call(d, g.settings.variables[i], 1) {
		return nil
	}
	if base := g.favourite(); base != nil {
		d.resume(base, 0, 0)
		return d.candidate(0)
	}
	if op := g.operation(); op == nil || !g.call(d, op, 0) {
		return nil
	}
	g.finish(d)
	return d.candidate(0)
}

func (g *generator) setEnvironment(d *draft, name string) {
	op := g.settings.environment
	args := []sequence.Value{{Kind: sequence.String, Text: name}, g.other(op.Params[1], op, 1)}
	d.append(sequence.Statement{Kind: sequence.Call, Op: op.Of.Name, Args: args}, op)
}

// heard makes candidates that repeat a component's calls with an environment variable that they asked for.
func (g *generator) heard(c *component, name string) {
	known := slices.Contains(g.settings.names, name)
	set := slices.ContainsFunc(c.statements, func(st sequence.Statement) bool {
		return st.Op == api.SetsEnvironment && st.Args[0].Text == name
	})
	if g.settings.environment == nil || set || !api.Settable(name) ||
		!known && len(g.settings.names) == settingNames || known && !g.random.Chance(settingShare) {
		return
	}
	tries := 1
	if !known {
		g.settings.names, tries = append(g.settings.names, name), settingTries
	}
	for range tries {
		d := &draft{}
		g.setEnvironment(d, name)
		d.resume(c, 0, 0)
		g.compared.add(d.candidate(0))
	}
}
