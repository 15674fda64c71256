package page

import (
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/text"
)

// accepted is the section of the findings that somebody accepted.
type accepted struct {
	group

	Count int
	Stale table // acceptances of what did not show again
}

// An acceptance says why a finding was accepted, by whom and when.
type acceptance struct{ Reason, By string }

func (v *viewer) acceptance(a report.Acceptance) *acceptance {
	return &acceptance{v.short(a.Reason, proseRoom), v.name(text.By(a))}
}

// cards lays out the findings, the open ones before those that were accepted.
func (v *viewer) cards(p *page) (err error) {
	room := maxDetails
	if p.Groups, err = v.groups(&room); err != nil {
		return err
	}
	of := &accepted{Count: len(v.report.Roots) - len(v.open), Stale: v.stale()}
	for i := range v.report.Roots {
		root := &v.report.Roots[i]
		if root.Accepted == nil {
			continue
		}
		if err := v.card(&of.group, root, false, &room); err != nil {
			return err
		}
	}
	if of.Count > 0 || len(of.Stale.Rows) > 0 {
		p.Accepted = of
	}
	return nil
}

func (v *viewer) stale() table {
	t := table{Head: []string{"function", "fingerprint", "reason", "by"}, Code: []bool{true, true, false, false}}
	list := v.report.AcceptedStale
	for _, s := range list[:min(len(list), maxRows)] {
		of := v.acceptance(s.Acceptance)
		t.Rows = append(t.Rows, []string{v.name(s.Function), v.name(s.Fingerprint), of.Reason, of.By})
	}
	t.More = len(list) - len(t.Rows)
	return t
}
