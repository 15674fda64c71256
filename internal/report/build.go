package report

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Add appends the next root in the order of rank, together with its deviations. It sets rank, ids,
// references and fingerprints; the caller sets everything else. The root's reach is visible if the caller
// sets it so, or if one of its deviations is visible.
func (r *Report) Add(root Root, deviations ...Deviation) {
	root.Rank = len(r.Roots) + 1
	root.Fingerprint = rootFingerprint(root)
	root.Deviations = []string{}
	if root.Reach == "" {
		root.Reach = spectra.Masked
	}
	for _, deviation := range deviations {
		deviation.Root = root.Rank
		root.Deviations = append(root.Deviations, r.append(deviation, root.Fingerprint))
		if deviation.Reach == spectra.Visible {
			root.Reach = spectra.Visible
		}
	}
	r.Roots = append(r.Roots, root)
}

func (r *Report) append(deviation Deviation, root string) (id string) {
	deviation.ID = deviationID(len(r.Deviations))
	deviation.Fingerprint = deviationFingerprint(deviation, root)
	if deviation.Reach == "" {
		deviation.Reach = spectra.Masked
	}
	r.Deviations = append(r.Deviations, deviation)
	return deviation.ID
}

// Finish sorts the lists that have no rank, names the roots of each commit, and decides the verdict and the exit
// status. The report is complete and valid afterwards. It may be finished again when more is known.
func (r *Report) Finish(failOn FailOn) error {
	r.Schema = Schema
	r.Roots = notNil(r.Roots)
	r.Deviations = notNil(r.Deviations)
	r.Settings.Drive = notNil(r.Settings.Drive)
	r.Subject.ChangedFunctions = sortedSet(r.Subject.ChangedFunctions, strings.Compare)
	if r.Replay.Sequences == 0 && !r.Subject.OnlyAdds {
		r.Subject.Unreached = r.Subject.ChangedFunctions
	}
	if r.Subject.Unreached != nil {
		r.Subject.Unreached = sortedSet(r.Subject.Unreached, strings.Compare)
	}
	if r.Replay.LostAt != nil {
		r.Replay.LostAt = sortedSet(r.Replay.LostAt, strings.Compare)
	}
	r.Warnings = firstOfEach(r.Warnings)
	if r.Lacks != nil {
		r.Lacks = sortedSet(r.Lacks, cmp.Compare)
	}
	r.Noise.Sites = sortedSet(r.Noise.Sites, compareSites)
	r.Structural = sortedSet(r.Structural, compareStructural)
	r.linkCommits()
	if err := r.Decide(failOn); err != nil {
		return err
	}
	return r.Validate()
}

func compareSites(left, right NoiseSite) int {
	return cmp.Or(
		cmp.Compare(left.Function, right.Function),
		cmp.Compare(left.Path, right.Path),
		cmp.Compare(left.Reason, right.Reason),
	)
}

func compareStructural(left, right Structural) int {
	return cmp.Or(
		cmp.Compare(left.Function, right.Function),
		cmp.Compare(left.Change, right.Change),
		cmp.Compare(left.Detail, right.Detail),
	)
}

// sortedSet returns the values sorted and without repetitions. It is never nil.
func sortedSet[T comparable](values []T, compare func(T, T) int) []T {
	sorted := slices.Clone(values)
	slices.SortFunc(sorted, compare)
	return notNil(slices.Compact(sorted))
}

// firstOfEach removes repetitions and keeps the order, because warnings are in the order of the stages.
func firstOfEach[T comparable](values []T) []T {
	kept, seen := []T{}, map[T]bool{}
	for _, value := range values {
		if !seen[value] {
			kept = append(kept, value)
		}
		seen[value] = true
	}
	return kept
}

// notNil makes a nil list print as [] and not as null.
func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Share returns part/whole with four decimals, or nil if the whole is 0.
func Share(part, whole int) *float64 {
	if whole <= 0 {
		return nil
	}
	share := math.Round(float64(part)/float64(whole)*1e4) / 1e4
	return &share
}

// Seconds returns a duration with one decimal.
func Seconds(d time.Duration) float64 {
	return math.Round(d.Seconds()*10) / 10
}
