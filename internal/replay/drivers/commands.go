package drivers

import (
	"context"
	"errors"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/command"
	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// mostCommands is the number of commands that are run, the nearest to the change first, unless all packages are
// recorded.
const mostCommands = 4

// ErrNoCommands says that no command is near the change.
var ErrNoCommands = errors.New("there are no commands")

// WithCommands returns the drivers with the commands of the module as operations, instead of what callers can call.
func (d *Drivers) WithCommands(ctx context.Context) (*Drivers, error) {
	paths, broken := d.nearCommands(), map[string]bool{}
	if len(paths) == 0 {
		return nil, ErrNoCommands
	}
	d.Tools.Workers.Stage("build")
	d.Tools.Workers.Report("building commands", 0, 0)
	for {
		own := *d
		own.Warnings, own.Inside = nil, spectra.Pair[[]*api.Operation]{}
		if err := own.writeCommands(paths); err != nil {
			return nil, err
		}
		var err error
		var faults fault.List
		if own.Compiled, err = own.buildDrivers(ctx, ""); err == nil {
			own.Players = own.playersOf(own.Compared)
			return &own, nil
		}
		if !errors.As(err, &faults) {
			return nil, err
		}
		before := len(broken)
		for _, f := range faults {
			broken[string(d.Plan.OldName(spectra.Symbol(f.Package)))] = true
		}
		paths = slices.DeleteFunc(paths, func(path string) bool { return broken[path] })
		if len(broken) == before || len(paths) == 0 {
			return nil, err
		}
	}
}

// writeCommands writes the operations of commands for both versions, and collects how old's are used.
func (d *Drivers) writeCommands(paths []string) error {
	d.Suites, d.Commands = spectra.Pair[[]*suite.Suite]{}, nil
	folders := map[string]string{}
	for _, path := range paths {
		for _, s := range spectra.Sides() {
			p := d.Plan.Sides.Of(s).Target.Package(d.named(s, path))
			written, err := command.Write(p, suite.Config{
				Name: path, Clause: d.clause(s, p), Runtime: spectra.RuntimePath,
			})
			if err != nil {
				return err
			}
			*d.Suites.Of(s) = append(*d.Suites.Of(s), written)
		}
		folders[command.Name(path)] = d.Plan.Sides.Old.Target.Package(path).Dir
	}
	lines, samples := command.Lines(d.Plan.Sides.Old.Target.Dir, folders)
	for _, s := range d.Suites.Old {
		op := s.Tests[0].Operation
		name := command.Name(s.Package)
		of := command.Command{Operation: op, Name: name, Lines: lines[name], Samples: samples}
		d.Commands = append(d.Commands, of)
	}
	return nil
}

// nearCommands returns the main packages that both versions have and that reach the change, the nearest first, of those
// with one name one.
func (d *Drivers) nearCommands() (paths []string) {
	old, changed := d.Plan.Sides.Old.Target, d.Plan.ChangedPackages()
	away := load.Distances(old, d.Plan.Sides.New.Target, changed)
	for _, path := range d.Plan.Driven {
		p, other := old.Package(path), d.Plan.Sides.New.Target.Package(d.named(spectra.New, path))
		_, reaches := away[path]
		if p != nil && other != nil && p.Name == "main" && other.Name == "main" && (reaches || len(changed) == 0) &&
			d.clause(spectra.Old, p) != "main" && d.clause(spectra.New, other) != "main" {
			paths = append(paths, path)
		}
	}
	slices.SortStableFunc(paths, nearer(away, d.Plan.Reaching(), nil))
	names := map[string]bool{}
	paths = slices.DeleteFunc(paths, func(path string) bool {
		before := names[command.Name(path)]
		names[command.Name(path)] = true
		return before
	})
	if d.Plan.Whole() {
		return paths
	}
	return paths[:min(len(paths), mostCommands)]
}
