package report

import (
	"fmt"
	"slices"
)

// Unite makes one report of those of several shards of a run on one module, of which there is at least one, in the
// order of the shards. Missing are the numbers of shards of which there is none. Counts of what was played add up, what
// all shards tell alike is there once, and what one of them saw run ran. Shares, missed lines, branches and how many
// operations were called do not follow from reports: they are absent, and the caller sets them. The report is not
// finished. Those of the shards are not used afterwards.
func Unite(shards []*Report, missing []int) *Report {
	r := *shards[0]
	m := merging{to: &r, roots: rootsOf(shards[0], 0)}
	for _, s := range shards[1:] {
		m.add(s)
		r.Warnings = append(r.Warnings, s.Warnings...)
	}
	r.Settings.Shard = 0
	r.Subject = uniteSubjects(shards)
	r.Generation.OneWay, r.Generation.OperationsReached, r.Replay.Recorded = nil, 0, nil
	r.Generation.StatementCoverage, r.Generation.ChangedStatementCoverage = nil, nil
	r.Generation.ComparableStatementCoverage, r.Generation.ConcernedStatementCoverage = nil, nil
	if t := r.Tests; t != nil {
		t.LeftOut = firstOfEach(t.LeftOut)
	}
	if c := r.Commands; c != nil {
		c.Names = firstOfEach(c.Names)
	}
	r.Partial = unitePartial(shards, missing)
	m.roots = uniteRoots(m.roots, r.Settings.Drive)
	m.rank()
	r.Contracts = uniteContracts(r.Contracts)
	r.trimCalls()
	return &r
}

// uniteSubjects says what was compared: the same in all shards, unless one ended early.
func uniteSubjects(shards []*Report) Subject {
	of := slices.MaxFunc(shards, func(x, y *Report) int { return x.Subject.Functions - y.Subject.Functions }).Subject
	of.Unreached, of.Why, of.Missed = slices.Clone(of.Unreached), nil, nil
	for _, s := range shards {
		of.Refused = addTexts(of.Refused, s.Subject.Refused)
		of.Unreached = slices.DeleteFunc(of.Unreached, func(f string) bool {
			return !slices.Contains(s.Subject.Unreached, f)
		})
	}
	for _, f := range of.Unreached {
		if why := uniteWhy(shards, f); why != "" {
			of.Why = addTexts(of.Why, map[string]string{f: why})
		}
	}
	return of
}

// uniteWhy says why no shard ran a function. Where shards tell it otherwise, each is said.
func uniteWhy(shards []*Report, function string) (all string) {
	var said []string
	for _, s := range shards {
		if why := s.Subject.Why[function]; why != "" && !slices.Contains(said, why) {
			said = append(said, why)
			if all != "" {
				all += "; "
			}
			all += s.Settings.shard() + ": " + why
		}
	}
	if len(said) == 1 {
		return said[0]
	}
	return all
}

// shard names the shard of a run.
func (s *Settings) shard() string { return shardName(s.Shard, s.Shards) }

func shardName(number, of int) string { return fmt.Sprintf("shard %d/%d", number, of) }

// unitePartial says which shards ended early or are missing; nil: none.
func unitePartial(shards []*Report, missing []int) *Partial {
	var all *Partial
	for _, s := range shards {
		all = all.And(s.Partial, s.Settings.shard()+": ")
	}
	for _, number := range missing {
		name := shardName(number, shards[0].Settings.Shards)
		all = all.And(&Partial{Reason: Missing, Stage: StageMerge, Undone: []string{name}}, "")
	}
	return all
}

// uniteContracts returns each contract of a method once. If each version breaks it in some shard, no root shows it.
func uniteContracts(list []Contract) (all []Contract) {
	for _, c := range list {
		i := slices.IndexFunc(all, func(of Contract) bool {
			return of.Contract == c.Contract && of.Function == c.Function
		})
		if i < 0 {
			all = append(all, c)
			continue
		}
		of := &all[i]
		of.Sides = firstOfEach(slices.Concat(of.Sides, c.Sides))
		if of.Root == 0 {
			of.Root = c.Root
		}
		if len(of.Sides) > 1 {
			of.Root = 0
		}
	}
	return all
}
