package root

import (
	"fmt"
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff"
)

// why says what was compared around the place where the deviation begins, and what changed there; "" where no execution
// shows it.
func (f *finding) why(x *index) string {
	seen := f.seen()
	if seen == "" {
		return ""
	}
	switch f.via {
	case direct:
		if f.in.Function.Declared() != f.function {
			return fmt.Sprintf("%s: there it calls %s, which changed", seen, f.function.Short())
		}
		return seen + ": " + f.where(x)
	case declared:
		return fmt.Sprintf("%s: no line of it changed, but %s, which it uses", seen, f.function.Short())
	case nearby:
		return fmt.Sprintf("%s: no line of it changed, but %s, which ran before", seen, f.function.Short())
	case dependency:
		return fmt.Sprintf("%s: no line of it changed, but %s, which it can call", seen, f.module.Path)
	}
	return seen + ": nothing of it changed"
}

// seen says what the two runs of the execution have in common, and what not.
func (f *finding) seen() string {
	if f.in.Parent == nil || f.heuristic == 0 || f.deviation == nil {
		return ""
	}
	equal, differs := len(f.in.Children), "exit differs"
	if f.heuristic == 1 {
		equal = slices.Index(f.in.Children, f.at)
		callee := f.at.Function.Short()
		switch {
		case f.at.Class == diff.NewOnly:
			differs = "then only new calls " + callee
		case f.at.Class == diff.OldOnly:
			differs = "then only old calls " + callee
		default:
			differs = "then " + callee + " is called otherwise"
		}
	}
	if equal > 0 {
		differs = count(equal, "call") + " equal, " + differs
	}
	if f.in.Function.Declared() == f.function {
		return "entry equal, " + differs
	}
	return fmt.Sprintf("%s: entry equal, %s", f.in.Function.Short(), differs)
}

// where says which lines the region has, and how many of them changed.
func (f *finding) where(x *index) string {
	within, ok := f.lines()
	change := x.changed(f.function)
	if !ok || change == nil {
		return "it changed"
	}
	changed := 0
	for _, h := range change.Hunks {
		if overlap(h.New, within) {
			changed += min(h.New.EndLine, within.EndLine) - max(h.New.Line, within.Line) + 1
		}
	}
	lines := count(within.EndLine-within.Line+1, "line")
	if f.heuristic == 1 && f.upToCall() {
		lines = "the " + lines + " before"
	}
	switch {
	case changed == 0 && f.inChange:
		return fmt.Sprintf("the cause lies in %s, some were removed", lines)
	case changed == 0:
		return "the cause lies in another part of it"
	}
	return fmt.Sprintf("the cause lies in %s, %d of them changed", lines, changed)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
