// Package plan finds what there is to compare in two versions, before anything is instrumented.
//
// In: both versions, with what changed between their sources. Out: a Plan: the packages with their types, what both
// versions have in common and under which names, what sequences can call, and the changed functions. A package that
// can't be worked on is left out of both versions, with a warning.
//
// The go command is asked, for lists of packages and for export data. Nothing is built, and no code of a version runs.
package plan

import (
	"context"
	"errors"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/versions"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/match"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
)

// An Input says which versions are planned for, and by what means they are loaded.
type Input struct {
	Given   *versions.Versions
	Workers *replay.Workers
	Go      *gocommand.Runner
	Store   *cache.Cache
	All     bool // record every selected package, also where no change can reach
	Deps    bool // record dependencies that differ, too
	Exports func(ctx context.Context, dir string, env []string, folders gocommand.Folders) load.Exports
	Renames []string // "old=new": what has another name in new, whatever it looks like

	// Between says that new lies between old and the version that Renames and sequences are made for: a rename that
	// names nothing is left out, and sequences may set any package variable.
	Between bool
}

// ErrOver says that there is nothing left to do.
var ErrOver = errors.New("nothing left to compare")

// A Plan is what is known before anything is instrumented.
type Plan struct {
	in      Input
	Given   *versions.Versions
	Sides   spectra.Pair[Side]
	Changes *source.Changes
	// Recorded lists the packages whose functions are recorded, by their paths in old, or in new where
	// only new has them. Driven are those of them that both versions have.
	Recorded, Driven []string
	// OldOnly and NewOnly are the recorded packages where one version has none of them, as it has them.
	OldOnly, NewOnly []string
	// Distant packages are too far from the change to be recorded, though it can reach them or be seen in them.
	Distant         []string
	Common          *match.Match            // nil where the flow ended before
	Callable        *api.Surface            // what sequences can call and name, likewise
	reaching        map[spectra.Symbol]bool // functions that can reach changed code, by their names in old; likewise
	setters         map[spectra.Symbol]bool // as Sets says
	mentionedFields map[string]bool         // as Mentions says, by package and name
	mentioned       mentioned
	inside          map[spectra.Symbol]bool // functions that only their package can call, as Calling says; nil: any
	// beyond reports whether a function or variable of a dependency is one that no code of the module can reach; nil
	// where no dependency is recorded. Unused are such functions that changed, with their places.
	Beyond func(spectra.Symbol) bool
	Unused map[spectra.Symbol]source.Change
	// Unapplied are the commands of both versions whose //go:debug lines differ, by their paths in old, sorted. Such
	// lines are those of a whole program, and one program drives all packages.
	Unapplied []string
	Warnings  []string
	Unfetched bool // packages are left out because something could not be fetched, which another machine may have
}

// A Side is what the plan knows of one version; nothing where the flow ended before.
type Side struct {
	// included are the dependencies that are recorded too, with the folders of their sources.
	included map[string]string
	Target   *load.Version
	Program  *static.Program // of target's packages
}

// Make loads both versions, and finds what there is to compare. With ErrOver it returns what is known so far.
func Make(ctx context.Context, in Input) (*Plan, error) {
	p := &Plan{in: in, Given: in.Given, Changes: in.Given.Changes, Warnings: slices.Clone(in.Given.Warnings)}
	err := p.findSurface(ctx)
	if len(p.Changes.Functions()) == 0 {
		p.warn(p.Given.Elsewhere()...)
	}
	return p, err
}

// Between reports whether sequences were made for another version than new: Input.Between.
func (p *Plan) Between() bool { return p.in.Between }

// AddsPackages reports whether the change concerns nothing but packages that only new has: nothing of old uses them.
func (p *Plan) AddsPackages() bool { return len(p.NewOnly) > 0 && len(p.Distant) == 0 }

func (p *Plan) warn(texts ...string) { p.Warnings = append(p.Warnings, texts...) }

// Nothing is the plan for versions that no run could tell apart.
func Nothing(given *versions.Versions) *Plan {
	return &Plan{Given: given, Changes: given.Changes, Warnings: given.Warnings}
}
