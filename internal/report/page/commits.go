package page

// A commit is one with which findings came, or several of which it is one.
type commit struct {
	Who, Subject, Says, Note string
	Findings                 []effect
	More                     int // findings that are left out
}

// An effect is what a commit did to a finding.
type effect struct {
	Rank           int
	Function, Text string
	Linked         bool // there is a card
}

// commits lays out the commits, the most surprising first.
func (v *viewer) commits(p *page) {
	all := v.words.Brought()
	for i := range all[:min(len(all), maxRows)] {
		of := &all[i]
		c := commit{Who: v.prose(of.Who), Subject: v.prose(of.Subject), Says: v.prose(of.Says), Note: of.Note}
		for _, e := range of.Roots[:min(len(of.Roots), maxPlaces)] {
			rank := e.Root.Rank
			c.Findings = append(c.Findings, effect{rank, v.name(e.Root.Function), v.prose(e.Text), v.carded[rank]})
		}
		c.More = len(of.Roots) - len(c.Findings)
		p.Commits = append(p.Commits, c)
	}
	p.MoreCommits = len(all) - len(p.Commits)
	if asked := v.words.Asked(); asked != "" {
		unasked := v.words.Unasked()
		p.Asked = append([]string{asked}, v.lines(unasked[:min(len(unasked), maxRows)])...)
	}
}
