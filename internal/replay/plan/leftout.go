package plan

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/match"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// MostRounds is how often a stage is tried, each time without the packages that it failed on the time before.
const MostRounds = 6

// findCommon finds what both versions have of the loaded packages, without those for which that is not possible.
func (p *Plan) findCommon() error {
	for round := 1; ; round++ {
		err := p.matchVersions()
		var faults fault.List
		if !errors.As(err, &faults) || round == MostRounds || !p.leave(faults) {
			return err
		}
	}
}

// Without returns the plan without packages that have faults, which count as broken in both versions. It returns the
// error of the faults if none of them is a package of the plan, and another if nothing is left.
func (p *Plan) Without(faults fault.List) (*Plan, error) {
	fewer := *p
	fewer.Warnings = slices.Clone(p.Warnings)
	if !fewer.leave(faults) {
		return nil, faults
	}
	switch again := fewer.findCommon(); {
	case errors.Is(again, ErrOver):
		return nil, fmt.Errorf("every package with something to call had to be left out: %w", faults)
	case again != nil:
		return nil, again
	}
	return &fewer, nil
}

// WithoutUninitialised returns the plan without the packages that link one which neither version can initialise, if an
// error says that there is one (*replay.Uninitialised); else the error.
func (p *Plan) WithoutUninitialised(err error) (*Plan, error) {
	var failed *replay.Uninitialised
	if !errors.As(err, &failed) || !failed.InBoth { // what only one version can't do is a difference
		return nil, err
	}
	var faults fault.List
	for _, s := range spectra.Sides() {
		for _, name := range p.Sides.Of(s).Target.Linking(failed.Package) {
			of := &fault.Fault{Package: name, Step: "initialising", Reason: "its initialisation " + failed.Reason}
			if name != failed.Package {
				of.Reason = fmt.Sprintf("it imports %s, whose initialisation %s", failed.Package, failed.Reason)
			}
			if !slices.ContainsFunc(faults, func(f *fault.Fault) bool { return f.Package == name }) {
				faults = append(faults, of)
			}
		}
	}
	if fewer, nothing := p.Without(faults); nothing == nil {
		return fewer, nil
	}
	return nil, err
}

// leave leaves packages out of both versions, each with a warning. It reports whether any is gone by that.
func (p *Plan) leave(faults fault.List) (gone bool) {
	left, warnings := leaveOut(p.Targets(), p.Common, faults, p.in.Workers.Detailf)
	p.Sides.Old.Target, p.Sides.New.Target = left.Old, left.New
	p.warn(warnings...)
	return len(warnings) > 0
}

// Targets returns both versions.
func (p *Plan) Targets() spectra.Pair[*load.Version] {
	return spectra.MakePair(func(s spectra.Side) *load.Version { return p.Sides.Of(s).Target })
}

// Failed says in which version something failed.
func (p *Plan) Failed(s spectra.Side, err error) error { return p.Given.Failed(s, err) }

// leaveOut returns the versions without the packages that have faults. These packages count as broken in both versions.
// There is one warning for each package that is gone, in the order of the faults. Common may be nil.
func leaveOut(
	versions spectra.Pair[*load.Version], common *match.Match, faults fault.List,
	detailf func(format string, args ...any),
) (left spectra.Pair[*load.Version], warnings []string) {
	left = versions
	for _, f := range faults {
		names, found := pathsOf(versions, common, f.Package), false
		for _, s := range spectra.Sides() {
			of := left.Of(s)
			for _, name := range names {
				if (*of).Package(name) != nil {
					*of, found = (*of).Without(name, f.Text()), true
				}
			}
		}
		if found {
			warnings = append(warnings, FaultWarning(f, "package %s is left out", detailf))
		}
	}
	return left, warnings
}

// FaultWarning says what is done about a fault, and why.
func FaultWarning(f *fault.Fault, what string, detailf func(format string, args ...any)) string {
	if f.Trace != "" {
		detailf("%s\n%s", f.Error(), f.Trace)
	}
	text := fmt.Sprintf(what, f.Package) + ": " + f.Text()
	if f.Side != "" {
		text = fmt.Sprintf("%s version: %s", f.Side, text)
	}
	return text
}

// brokenWarnings says which packages of the versions do not compile, and why: in one line those with the same reason,
// as all that depend on one of them, and once what is so in both versions.
func brokenWarnings(versions spectra.Pair[[]load.Broken]) (warnings []string) {
	type reason struct{ where, why string }
	var reasons []reason
	paths := map[reason][]string{}
	for _, s := range spectra.Sides() {
		for _, b := range *versions.Of(s) {
			of := reason{string(s) + " version: ", b.Error}
			if slices.Contains(*versions.Of(s.Other()), b) {
				if of.where = ""; s == spectra.New {
					continue
				}
			}
			if paths[of] == nil {
				reasons = append(reasons, of)
			}
			paths[of] = append(paths[of], b.Package)
		}
	}
	for _, of := range reasons {
		text := fmt.Sprintf("package %s is left out: %s", paths[of][0], of.why)
		if n := len(paths[of]); n > 1 {
			why := of.why
			if cause, ok := strings.CutPrefix(why, "depends on "); ok {
				why = "they depend on " + cause
			}
			text = fmt.Sprintf("%d packages are left out: %s: %s", n, why, strings.Join(paths[of], ", "))
		}
		warnings = append(warnings, of.where+text)
	}
	return warnings
}

// pathsOf returns the paths that a package may have in either version.
func pathsOf(versions spectra.Pair[*load.Version], common *match.Match, path string) []string {
	old, new := versions.Old.Module, versions.New.Module
	names := []string{path, symbol.Rebase(path, old, new), symbol.Rebase(path, new, old)}
	if common != nil {
		names = append(names, common.Old(path), common.New(path))
	}
	slices.Sort(names)
	return slices.Compact(names)
}
