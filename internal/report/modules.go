package report

import (
	"maps"
	"path"
	"slices"
)

// A Module is what the comparison of several modules of a repository found of one.
type Module struct {
	Folder  string  `json:"folder"` // in the repository, slash-separated; "." = its root
	Verdict Verdict `json:"verdict"`
	Failed  string  `json:"failed,omitempty"` // why it was not compared; then there is nothing else

	Subject    *Subject    `json:"subject,omitempty"`
	Generation *Generation `json:"generation,omitempty"`
	Tests      *Tests      `json:"tests,omitempty"`
	Commands   *Commands   `json:"commands,omitempty"`
	Replay     *Replay     `json:"replay,omitempty"`
	Exposure   *Exposure   `json:"exposure,omitempty"`
	Partial    *Partial    `json:"partial,omitempty"`
}

// A Part is the finished report of a module, or why there is none.
type Part struct {
	Folder string
	Report *Report
	Failed string
}

// Merge makes one report of those of several modules, of which there is at least one. Files are named from the
// repository's root. Counts are added up; shares are only where there is one report. The parts are not used afterwards.
func Merge(parts []Part, warnings []string) (*Report, error) {
	m := merging{several: len(parts) > 1}
	for _, part := range parts {
		if part.Report == nil {
			m.modules = append(m.modules, Module{Folder: part.Folder, Verdict: Incomplete, Failed: part.Failed})
			continue
		}
		m.module(part)
		part.Report.from(part.Folder)
		m.warn(part.Folder, part.Report)
		if m.to == nil {
			m.to, m.roots = part.Report, rootsOf(part.Report, 0)
		} else {
			m.add(part.Report)
		}
	}
	r := m.to
	r.Modules, r.Partial = m.modules, m.partial
	r.Warnings = append(m.warnings, warnings...)
	m.rank()
	r.trimCalls()
	return r, r.Finish(r.Settings.FailOn)
}

// A merging adds reports to the first one.
type merging struct {
	several  bool
	to       *Report // nil before the first one
	modules  []Module
	roots    []rooted
	warnings []string
	partial  *Partial
}

// A rooted is a root with what names it by its rank, and does not any more.
type rooted struct {
	Root

	deviations []Deviation
	contracts  []int    // indexes in the merged report
	unasked    []string // reasons
}

// module keeps what is known of a module.
func (m *merging) module(part Part) {
	r := part.Report
	r.Subject.Folder = "" // part.Folder says it
	subject, generation, replay, exposure := r.Subject, r.Generation, r.Replay, r.Exposure
	m.modules = append(m.modules, Module{
		Folder: part.Folder, Verdict: r.Verdict, Subject: &subject, Generation: &generation, Tests: r.Tests,
		Commands: r.Commands, Replay: &replay, Exposure: &exposure, Partial: r.Partial,
	})
	m.partial = m.partial.And(r.Partial, m.where(part.Folder))
}

// where returns what stands before something that is about one module, "" where there are no others.
func (m *merging) where(folder string) string {
	if !m.several {
		return ""
	}
	return "module " + folder + ": "
}

func (m *merging) warn(folder string, r *Report) {
	for _, w := range r.Warnings {
		m.warnings = append(m.warnings, m.where(folder)+w)
	}
}

// add adds a report to those before it.
func (m *merging) add(r *Report) {
	to := m.to
	m.roots = append(m.roots, rootsOf(r, len(to.Contracts))...)
	to.Contracts = append(to.Contracts, r.Contracts...)
	if to.Settings.Sandbox == "none" {
		to.Settings.Sandbox = r.Settings.Sandbox
	}
	to.Subject.add(r.Subject)
	to.Generation.add(r.Generation)
	to.Replay.add(r.Replay)
	to.Noise.Values, to.Noise.Masked = to.Noise.Values+r.Noise.Values, to.Noise.Masked+r.Noise.Masked
	to.Noise.Sites = append(to.Noise.Sites, r.Noise.Sites...)
	to.Exposure = Exposure{
		to.Exposure.Covering + r.Exposure.Covering, to.Exposure.Output + r.Exposure.Output,
		to.Exposure.Hit + r.Exposure.Hit, to.Exposure.Count + r.Exposure.Count, to.Exposure.Trace + r.Exposure.Trace,
	}
	to.Structural = append(to.Structural, r.Structural...)
	to.Tests, to.Commands = addTests(to.Tests, r.Tests), addCommands(to.Commands, r.Commands)
	to.Commits = addCommits(to.Commits, r.Commits)
	to.Lacks = append(to.Lacks, r.Lacks...)
}

// rootsOf returns the roots of a report with their deviations and contracts. Before these the merged report has some.
func rootsOf(r *Report, before int) []rooted {
	list := make([]rooted, len(r.Roots))
	for i, root := range r.Roots {
		list[i].Root = root
	}
	for _, d := range r.Deviations {
		list[d.Root-1].deviations = append(list[d.Root-1].deviations, d)
	}
	for i, c := range r.Contracts {
		if c.Root > 0 {
			list[c.Root-1].contracts = append(list[c.Root-1].contracts, before+i)
		}
	}
	if r.Commits != nil {
		for _, u := range r.Commits.Unasked {
			list[u.Root-1].unasked = append(list[u.Root-1].unasked, u.Reason)
		}
	}
	return list
}

// rank puts all roots in the order of harm, those of one module as they were.
func (m *merging) rank() {
	slices.SortStableFunc(m.roots, func(x, y rooted) int { return CompareHarm(x.Root, y.Root) })
	m.to.Roots, m.to.Deviations = nil, nil
	var unasked []Unasked
	for _, of := range m.roots {
		root := of.Root
		root.Rank, root.Deviations = len(m.to.Roots)+1, []string{}
		for _, d := range of.deviations {
			d.ID, d.Root = deviationID(len(m.to.Deviations)), root.Rank
			m.to.Deviations = append(m.to.Deviations, d)
			root.Deviations = append(root.Deviations, d.ID)
		}
		for _, i := range of.contracts {
			m.to.Contracts[i].Root = root.Rank
		}
		for _, reason := range of.unasked {
			unasked = append(unasked, Unasked{root.Rank, reason})
		}
		m.to.Roots = append(m.to.Roots, root)
	}
	if m.to.Commits != nil {
		m.to.Commits.Unasked = unasked
	}
}

// from names all files from the folder above a module's.
func (r *Report) from(folder string) {
	for i, root := range r.Roots {
		r.Roots[i] = root.From(folder)
	}
	r.Subject.Missed = slices.Clone(r.Subject.Missed)
	for i := range r.Subject.Missed {
		r.Subject.Missed[i] = *r.Subject.Missed[i].from(folder)
	}
	r.Generation.OneWay = slices.Clone(r.Generation.OneWay)
	for i := range r.Generation.OneWay {
		r.Generation.OneWay[i].Position = *r.Generation.OneWay[i].from(folder)
	}
}

// FromRepository returns the report of a module with its files named from the repository's root, as programs that know
// nothing of modules need them. Those of several modules are named so anyway.
func (r *Report) FromRepository() *Report {
	if r.Subject.Folder == "" {
		return r
	}
	named := *r
	named.Roots, named.Subject.Folder = slices.Clone(r.Roots), ""
	named.from(r.Subject.Folder)
	return &named
}

// From returns the root with its files named from the folder above a module's; "" = they stay.
func (r Root) From(folder string) Root {
	r.Position = r.Position.from(folder)
	r.Places = slices.Clone(r.Places)
	for i := range r.Places {
		r.Places[i].Position = r.Places[i].Position.from(folder)
	}
	if r.Chain != nil {
		chain := *r.Chain
		chain.Links = slices.Clone(chain.Links)
		for i := range chain.Links {
			chain.Links[i].Position = chain.Links[i].Position.from(folder)
		}
		r.Chain = &chain
	}
	return r
}

func (p *Position) from(folder string) *Position {
	if p == nil || p.File == "" {
		return p
	}
	at := *p
	at.File = path.Join(folder, at.File)
	return &at
}

func (s *Subject) add(t Subject) {
	s.Packages, s.Beyond = s.Packages+t.Packages, s.Beyond+t.Beyond
	s.Functions, s.Operations = s.Functions+t.Functions, s.Operations+t.Operations
	s.ChangedFunctions = append(s.ChangedFunctions, t.ChangedFunctions...)
	s.Unreached, s.OnlyAdds = append(s.Unreached, t.Unreached...), s.OnlyAdds && t.OnlyAdds
	s.Refused, s.Why = addTexts(s.Refused, t.Refused), addTexts(s.Why, t.Why)
	s.Missed, s.Unapplied = append(s.Missed, t.Missed...), append(s.Unapplied, t.Unapplied...)
	s.Unmentioned = append(s.Unmentioned, t.Unmentioned...)
	if s.Unchanged != t.Unchanged {
		s.Unchanged = ""
	}
	switch {
	case s.Loaded == nil:
		s.Loaded = t.Loaded
	case t.Loaded != nil:
		s.Loaded = &Loaded{Old: s.Loaded.Old.plus(t.Loaded.Old), New: s.Loaded.New.plus(t.Loaded.New)}
	}
}

func (p Packages) plus(q Packages) Packages {
	return Packages{p.Source + q.Source, p.Exported + q.Exported, p.Instrumented + q.Instrumented}
}

func addTexts(texts, more map[string]string) map[string]string {
	if len(texts) == 0 {
		return more
	}
	all := maps.Clone(texts)
	maps.Copy(all, more)
	return all
}

func (g *Generation) add(h Generation) {
	g.Sequences, g.Kept, g.Redundant = g.Sequences+h.Sequences, g.Kept+h.Kept, g.Redundant+h.Redundant
	g.Surplus, g.Unplayed, g.Illegal = g.Surplus+h.Surplus, g.Unplayed+h.Unplayed, g.Illegal+h.Illegal
	g.Steps, g.OperationsReached = g.Steps+h.Steps, g.OperationsReached+h.OperationsReached
	g.StatementCoverage, g.ChangedStatementCoverage, g.ComparableStatementCoverage = nil, nil, nil
	g.ConcernedStatementCoverage = nil
	g.Seconds += h.Seconds
	g.Explored, g.OneWay = append(g.Explored, h.Explored...), append(g.OneWay, h.OneWay...)
}

func (r *Replay) add(s Replay) {
	r.Sequences, r.FunctionExecutions = r.Sequences+s.Sequences, r.FunctionExecutions+s.FunctionExecutions
	r.Crashes, r.Timeouts, r.Recorded = r.Crashes+s.Crashes, r.Timeouts+s.Timeouts, nil
	r.EqualByReach += s.EqualByReach
	if r.Unpruned == "" {
		r.Unpruned = s.Unpruned
	}
	r.OutcomesOnly, r.OutcomesDifferent = r.OutcomesOnly+s.OutcomesOnly, r.OutcomesDifferent+s.OutcomesDifferent
	r.Lost, r.Unplayed, r.Unjudged = r.Lost+s.Lost, r.Unplayed+s.Unplayed, r.Unjudged+s.Unjudged
	r.Incomplete, r.EndedAlike = r.Incomplete+s.Incomplete, r.EndedAlike+s.EndedAlike
	r.Truncated += s.Truncated
	r.LostAt = append(r.LostAt, s.LostAt...)
	r.Seconds += s.Seconds
}

func addTests(t, u *Tests) *Tests {
	if t == nil || u == nil {
		return either(t, u)
	}
	return &Tests{
		New: t.New + u.New, Found: t.Found + u.Found, NotRun: t.NotRun + u.NotRun, Reaching: t.Reaching + u.Reaching,
		Variants: t.Variants + u.Variants, Handed: t.Handed + u.Handed, LeftOut: slices.Concat(t.LeftOut, u.LeftOut),
		Early: slices.Concat(t.Early, u.Early), Unjudged: slices.Concat(t.Unjudged, u.Unjudged),
		Seconds: t.Seconds + u.Seconds,
	}
}

func addCommands(c, d *Commands) *Commands {
	if c == nil || d == nil {
		return either(c, d)
	}
	return &Commands{
		Names: slices.Concat(c.Names, d.Names), Lines: c.Lines + d.Lines, Reaching: c.Reaching + d.Reaching,
		Variants: c.Variants + d.Variants, Seconds: c.Seconds + d.Seconds,
	}
}

func either[T any](x, y *T) *T {
	if x == nil {
		return y
	}
	return x
}

// of returns the report of a module, as far as its verdict depends on it.
func (m *Module) of() *Report {
	r := &Report{Partial: m.Partial}
	if m.Subject != nil {
		r.Subject = *m.Subject
	}
	if m.Generation != nil {
		r.Generation = *m.Generation
	}
	if m.Replay != nil {
		r.Replay = *m.Replay
	}
	return r
}
