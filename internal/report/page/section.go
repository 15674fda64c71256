package page

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report/text"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// figures returns what a reader wants to know first beside the verdict.
func (v *viewer) figures() (list []fact) {
	r := v.report
	add := func(name, text string) { list = append(list, fact{name, text}) }
	if ran := r.Generation.ComparableStatementCoverage; ran != nil {
		add("of the changed statements ran that both versions have", text.Percent(*ran))
	} else if ran := r.Generation.ChangedStatementCoverage; ran != nil {
		add("of the changed statements ran", text.Percent(*ran))
	}
	if ran, of := r.FunctionsRun(); of > 0 {
		add("changed functions ran", fmt.Sprintf("%s of %s", count(ran), count(of)))
	}
	if n := r.Replay.Sequences; n > 0 {
		add("sequences played on both", count(n))
		add("function executions compared", count(r.Replay.FunctionExecutions))
	}
	if n := r.Replay.Lost + r.Replay.Unplayed; n > 0 {
		add("sequences not compared", count(n))
	}
	return list
}

// tiers counts the open findings of each tier, the worst first.
func (v *viewer) tiers() (list []tierCount) {
	counts, order := map[spectra.Tier]int{}, []spectra.Tier{}
	for i := range v.open {
		tier := text.Tier(&v.open[i])
		if counts[tier]++; counts[tier] == 1 && len(order) < maxRows {
			order = append(order, tier)
		}
	}
	for _, tier := range order {
		list = append(list, tierCount{v.name(string(tier)), classOf(tier), meanings[tier], counts[tier]})
	}
	return list
}

// unreached returns the changed functions that no sequence ran, each with the reason, and how many are left out.
func (v *viewer) unreached() (list []fact, more int) {
	of := &v.report.Subject
	for _, symbol := range of.Unreached[:min(len(of.Unreached), maxRows)] {
		list = append(list, fact{v.name(symbol), v.short(cmp.Or(of.Why[symbol], of.Refused[symbol]), proseRoom)})
	}
	return list, len(of.Unreached) - len(list)
}

func (v *viewer) modules() table {
	t := table{Head: []string{"folder", "verdict", "what was compared"}, Code: []bool{true, false, false}}
	list := v.report.Modules
	for i := range list[:min(len(list), maxRows)] {
		m := &list[i]
		t.Rows = append(t.Rows, []string{v.name(m.Folder), v.name(string(m.Verdict)), v.prose(text.Module(m))})
	}
	t.More = len(list) - len(t.Rows)
	return t
}

func (v *viewer) contracts() table {
	t := table{Head: []string{"method", "broken by", "how", "detail"}, Code: []bool{true, false, false, false}}
	list := v.report.Contracts
	for _, c := range list[:min(len(list), maxRows)] {
		if len(c.Sides) == 0 {
			continue
		}
		broken, by := text.Contract(c)
		t.Rows = append(t.Rows, []string{
			v.name(c.Function), cut(by, nameRoom), cut(broken, nameRoom), v.short(c.Detail, proseRoom),
		})
	}
	t.More = len(list) - len(t.Rows)
	return t
}

func (v *viewer) structural() table {
	t := table{Head: []string{"function", "change", "detail"}, Code: []bool{true, false, true}}
	list := v.report.Structural
	for _, c := range list[:min(len(list), maxRows)] {
		t.Rows = append(t.Rows, []string{
			v.name(c.Function), v.name(string(c.Change)), v.short(c.Detail, proseRoom),
		})
	}
	t.More = len(list) - len(t.Rows)
	return t
}

func (v *viewer) noise() table {
	t := table{Head: []string{"function", "value", "reason"}, Code: []bool{true, true, false}}
	list := v.report.Noise.Sites
	for _, s := range list[:min(len(list), maxRows)] {
		t.Rows = append(t.Rows, []string{v.name(s.Function), v.name(s.Path), v.short(s.Reason, proseRoom)})
	}
	t.More = len(list) - len(t.Rows)
	return t
}

// masked says how many values are not compared.
func (v *viewer) masked() string {
	of := v.report.Noise
	if of.Masked <= 0 || of.Values <= 0 {
		return ""
	}
	return fmt.Sprintf("%s of %s values are not compared (%s): they differ between runs of one version.",
		count(of.Masked), count(of.Values), text.Percent(float64(of.Masked)/float64(of.Values)))
}

// exposure shows in how many of the sequences each spectrum differs.
func (v *viewer) exposure() table {
	t := table{Head: []string{"", "sequences", "share"}, Code: []bool{false, false, false}}
	of, all := v.report.Exposure, v.report.Replay.Sequences
	if of.Covering == 0 || all == 0 {
		return t
	}
	for _, s := range []struct {
		name string
		n    int
	}{
		{"run changed code", of.Covering},
		{"differ in an output", of.Output},
		{"differ in the set of executions (value hit spectrum)", of.Hit},
		{"differ in how often each execution occurs (value count spectrum)", of.Count},
		{"differ in the tree of executions (value trace spectrum)", of.Trace},
	} {
		t.Rows = append(t.Rows, []string{s.name, count(s.n), text.Percent(float64(s.n) / float64(all))})
	}
	return t
}

func (v *viewer) facts() (list []fact) {
	if v.report.Replay.Sequences == 0 {
		return nil
	}
	for _, row := range v.words.Facts() {
		list = append(list, fact{row[0], v.short(row[1], proseRoom)})
	}
	return list
}

// settings returns the settings of the run that lead to its result.
func (v *viewer) settings() (list []fact) {
	s := &v.report.Settings
	add := func(name, text string) {
		if text != "" {
			list = append(list, fact{name, v.short(text, proseRoom)})
		}
	}
	add("tool", strings.TrimSpace("spectradiff "+v.report.Tool.Version+" "+v.report.Tool.Go))
	add("module", v.report.Subject.Module)
	add("old", strings.TrimSpace(v.report.Old.Revision+" "+v.report.Old.Commit))
	add("new", strings.TrimSpace(v.report.New.Revision+" "+v.report.New.Commit))
	add("seed", strconv.FormatUint(s.Seed, 10))
	if s.Sequences > 0 {
		add("sequences", count(s.Sequences))
	}
	switch {
	case s.BudgetAuto:
		add("budget", fmt.Sprintf("auto, at most %gs", s.BudgetSeconds))
	case s.BudgetSeconds > 0:
		add("budget", fmt.Sprintf("%gs", s.BudgetSeconds))
	}
	add("driven by", strings.Join(s.Drive, ", "))
	add("only the tests", s.Run)
	if s.Explore > 0 {
		add("explored", text.Plural(s.Explore, "call")+" deep")
	}
	add("fails on", string(s.FailOn))
	add("exit status", strconv.Itoa(v.report.Exit))
	if s.All {
		add("packages", "all are driven and recorded")
	}
	if s.Deps {
		add("dependencies", "recorded too")
	}
	add("renames", strings.Join(s.Renames, ", "))
	return list
}

// stages names the stages that ran, in the order in which they began.
func (v *viewer) stages() (list []string) {
	stages := v.report.Stages
	for _, s := range stages[:min(len(stages), maxRows)] {
		list = append(list, v.name(s.Name))
	}
	return list
}

// next returns commands that help now, each with what it is for.
func (v *viewer) next() (list []fact) {
	for _, step := range v.words.Next() {
		list = append(list, fact{cut(step[0], proseRoom), cut(step[1], proseRoom)})
	}
	return list
}
