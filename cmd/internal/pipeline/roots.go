package pipeline

// This file finds the roots of the confirmed deviations and puts them into the report.

func (r *run) roots() error {
	for _, v := range r.verdicts {
		if !v.confirmed() {
			r.detail("refuted: %d %s", v.suspect.index, v.suspect.signature)
			continue
		}
		r.detail("sequence %d:\n%s", v.suspect.index, r.kept[v.suspect.index].sequence)
		for _, d := range v.comparison.Deviations {
			r.detail("  %s %s %s: %s -> %s", d.Kind, d.Function, d.Path, d.Old, d.New)
		}
		for _, d := range v.comparison.Outputs {
			r.detail("  output %s: %s -> %s", d.Path, d.Old, d.New)
		}
	}
	return nil
}
