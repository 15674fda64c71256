package drivers

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/impact"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Touched is what the change may touch.
type Touched struct {
	impact.Reach
	Known   bool            // false: it may be anything, or it was not looked for
	Unknown string          // why it can't be told; "" = it can
	Tests   map[string]bool // names of the tests whose own code it may touch, which has no blocks
}

// Brings reports whether a sequence makes a value that reaches something of a changed type, or runs the code of a test
// that the change may touch: values come from there, too, and nothing says what else it does.
func (t *Touched) Brings(q sequence.Sequence) bool {
	return t.Reach.Brings(q) ||
		slices.ContainsFunc(q.Statements, func(st sequence.Statement) bool { return t.Tests[st.Op] })
}

// touchedTests notes the tests whose own code mentions what the change may touch, of those of a package in files.
func (b *TestBuild) touchedTests(path string, files *suite.Files, tests []suite.Test) {
	home := b.ways[path].home()
	mentioning := files.Mentioning(b.named(home, path), func(path, name string) bool {
		if home == spectra.New {
			old := b.Plan.OldName(spectra.Symbol(path + "." + name))
			path, name = old.Package(), old.Short()
		}
		return b.Touched.Mentioned(path, name)
	})
	for _, t := range tests {
		if mentioning[t.Expr] {
			b.touched[t.Name] = true
		}
	}
}

// findReach finds the blocks of old whose execution may differ, also because of variables that do, and because of what
// ran before any call.
func (d *Drivers) findReach(differing []string, ran spectra.Pair[map[uint32]bool]) (t Touched) {
	recorded := d.Versions.Old.Packages
	c := impact.Change{
		Versions: d.Plan.Targets(),
		Program:  d.Plan.Sides.Old.Program, Source: d.Plan.Changes, Match: d.Plan.Common, Recorded: recorded,
		Watched: impact.Watched(d.Plan.Changes, spectra.Old, recorded), Outside: d.Plan.Outside(),
		Differing: differing,
		Starts: spectra.MakePair(func(s spectra.Side) impact.Start {
			return impact.Start{
				Program: d.Plan.Sides.Of(s).Program, Recorded: d.Versions.Of(s).Packages, Ran: *ran.Of(s),
			}
		}),
	}
	t.Reach, t.Unknown = c.Find()
	t.Known = t.Unknown == ""
	t.Unmentioned = slices.DeleteFunc(t.Unmentioned, func(name spectra.Symbol) bool {
		return d.Plan.Borrowed(name.Package())
	})
	return t
}

// Unpruned returns why all sequences were recorded, "" if they were not, or were meant to be.
func (d *Drivers) Unpruned(failed bool) string {
	if failed {
		return "a sequence that runs nothing that the change may touch deviates"
	}
	return d.Touched.Unknown
}
