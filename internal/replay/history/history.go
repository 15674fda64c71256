// Package history tells which commits between two versions may have brought in a finding, before any is built.
//
// In: a repository, a way from old to new, which files count, and for each finding the places of its root and the
// folders of its package. Out: the steps that change nothing that counts, how likely each step is to have brought in
// each finding, and the steps that change its function; and what the message of a commit says of it.
//
// Weights only order questions: what can't be read or parsed counts as changed, and no step has the weight 0. The same
// history has the same answer. Files are read in the object store; nothing is written, built or run.
package history

import (
	"context"

	"github.com/spectradiff/spectradiff/internal/replay/repository"
)

// A Finding is what a deviation comes from.
type Finding struct {
	Places  []Place  // of its root: as new names it, and as old does
	Folders []string // of its package, from the repository's root; "." = the root
}

// A Place is a declaration, or a file as a whole.
type Place struct {
	File     string // slash-separated, from the repository's root
	Function string // as its declaration spells it: F, T.M, (*T).M; "" = the whole file

	First, Last int // the lines in File of new that differ from old; 0: unknown
}

// Known is what a history tells of findings.
type Known struct {
	Same    []bool      // by step: nothing that counts differs from the step before; not of the first step
	Weights [][]float64 // by finding and step: how likely the step brought it in; 0 for the first step alone
	Touch   [][]int     // by finding: the steps that change the function of its root, ascending
}

// The weights of steps. A change comes from where it is seen to be made, so the steps there come before all others
// together, though a way may have a thousand of these.
const (
	changesLines   = 10_000 // those lines of the function that differ between old and new
	changesBody    = 2_000  // the function, in lines that are no more
	changesFile    = 50     // what stands beside the function: types, constants, imports
	changesPackage = 10     // the other files of its package
	changesModule  = 5      // required modules: their code may be called
	changesOther   = 1      // other packages that may be called
	changesTests   = 0.1    // tests alone, which only decide what is played
	changesNothing = 0.001  // nothing that counts
)

// Of goes along a way, from new to old. counts says which files a build or a test of the compared packages may read.
func Of(
	ctx context.Context, repo *repository.Repository, way *repository.Way, counts func(name string) bool,
	findings []Finding,
) (*Known, error) {
	n := len(way.Steps)
	known := &Known{
		Same: make([]bool, n), Weights: make([][]float64, len(findings)), Touch: make([][]int, len(findings)),
	}
	traces := make([]*trace, len(findings))
	for i, f := range findings {
		traces[i] = newTrace(f)
		known.Weights[i] = make([]float64, n)
	}
	texts := &texts{repo: repo}
	defer texts.close()
	for at := n - 1; at > 0; at-- {
		one, other := way.Steps[at-1].Commit, way.Steps[at].Commit
		all, err := repo.ChangedFiles(ctx, one, other)
		if err != nil {
			return nil, err
		}
		changes := map[string]repository.FileChange{}
		for _, c := range all {
			if counts(c.Name) {
				changes[c.Name] = c
			}
		}
		known.Same[at] = len(changes) == 0
		texts.turn(one, other)
		for i, t := range traces {
			weight, touched := t.back(changes, texts)
			known.Weights[i][at] = weight
			if touched {
				known.Touch[i] = append([]int{at}, known.Touch[i]...)
			}
		}
	}
	return known, nil
}
