// Package coverage measures the coverage of all code and of changed code, and the branch distances to branch sides that
// no sequence has taken.
//
// Input: the instrumented packages of both versions, their changed lines and blocks, the blocks that sequences ran, and
// the operands that they compared. Output: what ran as an Extent, which can be written down and united with others: it
// counts covered statements and lists changed lines that never ran, and branches that went one way only; changed
// functions without probes, and branch distances for the generator.
//
// A branch that both versions have counts once. The package is pure, but Branches remember the blocks that ran.
package coverage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// A Share counts statements.
type Share struct{ Statements, Covered int }

// inBoth returns the watched blocks without those in functions that only one version has: nothing runs these in
// both.
func inBoth(
	changes []source.Change, packages spectra.Pair[instrument.Packages], watched spectra.Pair[map[uint32]bool],
) spectra.Pair[map[uint32]bool] {
	return spectra.MakePair(func(s spectra.Side) map[uint32]bool {
		var alone []spectra.Lines
		for _, f := range changes {
			switch {
			case s == spectra.Old && f.New.File == "":
				alone = append(alone, f.Old)
			case s == spectra.New && f.Old.File == "":
				alone = append(alone, f.New)
			}
		}
		left := map[uint32]bool{}
		packages.Of(s).Blocks(func(id uint32, _ string, _ int, b spectra.Block) {
			if (*watched.Of(s))[id] && !slices.ContainsFunc(alone, b.Within) {
				left[id] = true
			}
		})
		return left
	})
}

// Executed reports whether any block of a changed function ran, in the version that has it. A function without
// statements counts as executed; of one without probes nobody knows, so it does not.
func Executed(f source.Change, packages spectra.Pair[instrument.Packages], hits spectra.Pair[map[uint32]bool]) bool {
	s, at := spectra.New, f.New
	if at.Line == 0 {
		s, at = spectra.Old, f.Old
	}
	found, hit := false, false
	of := *packages.Of(s)
	of.Blocks(func(id uint32, _ string, _ int, b spectra.Block) {
		if b.Within(at) && b.Statements > 0 {
			found = true
			hit = hit || (*hits.Of(s))[id]
		}
	})
	recorded := slices.ContainsFunc(of, func(pkg *instrument.Package) bool { return pkg.Path == f.Package })
	return hit || !found && recorded && of.WithoutProbes(f.Symbol) == ""
}

// unrecordedShown is the number of functions that a warning names.
const unrecordedShown = 5

// Unrecorded returns a warning that names the given functions without probes.
func Unrecorded(packages spectra.Pair[instrument.Packages], functions []spectra.Symbol) []string {
	var names []string
	for _, f := range functions {
		if packages.Old.WithoutProbes(f)+packages.New.WithoutProbes(f) != "" {
			names = append(names, f.Short())
		}
	}
	if len(names) == 0 {
		return nil
	}
	shown := strings.Join(names[:min(len(names), unrecordedShown)], ", ")
	if rest := len(names) - unrecordedShown; rest > 0 {
		shown += fmt.Sprintf(" and %d more", rest)
	}
	const text = "of changed functions that can't be recorded (-v says why) only what their callers get is compared: "
	return []string{text + shown}
}
