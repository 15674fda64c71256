package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Validate returns the first inconsistency: schema, ranks, ids, references, acceptances, commits, order, verdict.
// Unknown kinds and changes are valid, because later versions may add some under the same schema.
func (r *Report) Validate() error {
	if r.Schema != Schema {
		return fmt.Errorf("validate report: schema is %q, want %q", r.Schema, Schema)
	}
	for _, check := range []func() error{
		r.checkRoots, r.checkDeviations, r.checkContracts, r.checkAccepted, r.checkCommits, r.checkOrder,
		r.checkVerdict, r.checkLacks,
	} {
		if err := check(); err != nil {
			return fmt.Errorf("validate report: %w", err)
		}
	}
	return nil
}

func (r *Report) checkRoots() error {
	for i, root := range r.Roots {
		switch {
		case root.Rank != i+1:
			return fmt.Errorf("root %d has rank %d", i+1, root.Rank)
		case root.Function == "":
			return fmt.Errorf("root %d has no function", root.Rank)
		case root.Fingerprint == "":
			return fmt.Errorf("root %d has no fingerprint", root.Rank)
		case root.Confidence == spectra.Confirmed && root.Proof == nil:
			return fmt.Errorf("root %d is confirmed without a proof", root.Rank)
		}
		for _, id := range root.Deviations {
			deviation := r.Deviation(id)
			if deviation == nil {
				return fmt.Errorf("root %d names deviation %q, which does not exist", root.Rank, id)
			}
			if deviation.Root != root.Rank {
				return fmt.Errorf("root %d names deviation %s, which has root %d", root.Rank, id, deviation.Root)
			}
			if deviation.Reach == spectra.Visible && root.Reach != spectra.Visible {
				return fmt.Errorf("root %d is %s, but its deviation %s is visible", root.Rank, root.Reach, id)
			}
		}
	}
	return nil
}

func (r *Report) checkDeviations() error {
	named := make(map[string]bool, len(r.Deviations))
	for _, root := range r.Roots {
		for _, id := range root.Deviations {
			named[id] = true // and has that root, by checkRoots
		}
	}
	for i, deviation := range r.Deviations {
		switch {
		case deviation.ID != deviationID(i):
			return fmt.Errorf("deviation %d has id %q", i+1, deviation.ID)
		case deviation.Root < 1 || deviation.Root > len(r.Roots):
			return fmt.Errorf("deviation %s names root %d, which does not exist", deviation.ID, deviation.Root)
		case !named[deviation.ID]:
			return fmt.Errorf("deviation %s has root %d, which does not name it", deviation.ID, deviation.Root)
		}
	}
	return nil
}

func (r *Report) checkContracts() error {
	for _, c := range r.Contracts {
		switch {
		case c.Root < 0 || c.Root > len(r.Roots):
			return fmt.Errorf("contract %s of %s names root %d, which does not exist", c.Contract, c.Function, c.Root)
		case len(c.Sides) == 0:
			return fmt.Errorf("contract %s of %s is broken by no version", c.Contract, c.Function)
		}
	}
	return nil
}

func (r *Report) checkOrder() error {
	tierless := slices.ContainsFunc(r.Roots, func(root Root) bool { return root.Tier == "" }) // of an earlier version
	switch {
	case !tierless && !slices.IsSortedFunc(r.Roots, CompareHarm):
		return fmt.Errorf("roots are not in the order of harm")
	case !slices.IsSortedFunc(r.Structural, compareStructural):
		return fmt.Errorf("structural changes are not in order")
	case !slices.IsSortedFunc(r.Noise.Sites, compareSites):
		return fmt.Errorf("noise sites are not in order")
	case !slices.IsSorted(r.Subject.ChangedFunctions):
		return fmt.Errorf("changed functions are not in order")
	}
	return nil
}

func (r *Report) checkVerdict() error {
	if verdict, exit := r.decision(); r.Verdict != verdict || r.Exit != exit {
		return fmt.Errorf("verdict is %q with exit %d, want %q with %d", r.Verdict, r.Exit, verdict, exit)
	}
	return nil
}

// Deviation returns the deviation with an id, or nil if there is none.
func (r *Report) Deviation(id string) *Deviation {
	n, err := strconv.Atoi(strings.TrimPrefix(id, "d"))
	if err != nil || n < 1 || n > len(r.Deviations) || r.Deviations[n-1].ID != id {
		return nil
	}
	return &r.Deviations[n-1]
}

// deviationID returns the id of the n-th deviation, counted from 0.
func deviationID(n int) string { return "d" + strconv.Itoa(n+1) }
