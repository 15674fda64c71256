package summary

import (
	"fmt"
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff"
)

// Why says what was compared around the place where the deviation begins, and what changed there; "" where no execution
// shows it, or where a trial named the cause.
func Why(f *diff.Finding) string {
	switch {
	case f.Example.Case == nil || f.Cause.ByTrial:
		return ""
	case f.Proof != nil && f.Proof.Alone != nil:
		return fmt.Sprintf("of its %d changed places this one alone is the cause", f.Proof.Alone.Of)
	}
	e := f.Example.Evidence
	seen := compared(e)
	if seen == "" {
		return ""
	}
	switch e.Route {
	case diff.RouteDirect:
		if e.In.Function.Declared() != e.Symbol {
			return fmt.Sprintf("%s: there it calls %s, which changed", seen, e.Symbol.Short())
		}
		return seen + ": " + where(e)
	case diff.RouteDeclared:
		return fmt.Sprintf("%s: no line of it changed, but %s, which it uses", seen, e.Symbol.Short())
	case diff.RouteNearby:
		return fmt.Sprintf("%s: no line of it changed, but %s, which ran before", seen, e.Symbol.Short())
	case diff.RouteDependency:
		return fmt.Sprintf("%s: no line of it changed, but %s, which it can call", seen, e.Upgrade.Path)
	}
	return seen + ", although nothing of it changed"
}

// compared says how the two runs of the execution are alike and how they differ.
func compared(e *diff.Evidence) string {
	if e.In.Parent == nil || e.Heuristic == 0 || e.Deviation == nil {
		return ""
	}
	equal, differs := len(e.In.Children), "then it ends differently"
	if e.Heuristic == 1 {
		equal = slices.Index(e.In.Children, e.At)
		callee := e.At.Function.Short()
		switch {
		case e.At.Class == diff.NewOnly:
			differs = "then only the new version calls " + callee
		case e.At.Class == diff.OldOnly:
			differs = "then only the old version calls " + callee
		default:
			differs = "then it calls " + callee + " with other values"
		}
	}
	begins := "it begins alike"
	if e.In.Function.Declared() != e.Symbol {
		begins = e.In.Function.Short() + " begins alike"
	}
	if equal > 0 {
		begins += " and makes " + count(equal, "equal call")
	}
	return begins + ", " + differs
}

// where says which lines the region has, and how many of them changed.
func where(e *diff.Evidence) string {
	if e.Changed < 0 {
		return "it changed"
	}
	lines := count(e.Lines.EndLine-e.Lines.Line+1, "line")
	if e.UpToCall {
		lines = "the " + lines + " before"
	}
	switch {
	case e.Changed == 0 && e.InChange:
		return fmt.Sprintf("the cause lies in %s, from which some were removed", lines)
	case e.Changed == 0 && e.UpToCall:
		return fmt.Sprintf("it changed, but not in %s", lines)
	case e.Changed == 0:
		return "the change lies in another part of it"
	}
	return fmt.Sprintf("the cause lies in %s, %d of them changed", lines, e.Changed)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
