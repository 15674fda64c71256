package emit

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report/gotest"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// different returns what has one value in all runs of old and another in those of new, the plainest first. A test wants
// the value of old.
func (a *attempt) different(seen spectra.Pair[[]run]) []gotest.Check {
	var list []gotest.Check
	old := stable(seen.Old)
	for _, c := range seen.Old[0].shown.Checks {
		key := keyOf(c)
		want, ok := old[key]
		if !ok || want != c.Want {
			continue
		}
		if a.differs(seen.New, key, want) {
			list = append(list, c)
		}
	}
	last := len(a.root.sequence.Statements) - 1
	slices.SortStableFunc(list, func(x, y gotest.Check) int { return cmp.Compare(cost(x, last), cost(y, last)) })
	return list
}

// differs reports whether a value differs in new: always the same, unless new is known to vary.
func (a *attempt) differs(runs []run, key, want string) bool {
	if !a.root.varies {
		got, ok := stable(runs)[key]
		return ok && got != want
	}
	for _, r := range runs {
		for _, c := range r.shown.Checks {
			if keyOf(c) == key && c.Want != want {
				return true
			}
		}
	}
	return false
}

// stable returns the values that are the same in all runs.
func stable(runs []run) map[string]string {
	same := map[string]string{}
	for i, r := range runs {
		values := map[string]string{}
		for _, c := range r.shown.Checks {
			values[keyOf(c)] = c.Want
		}
		if i == 0 {
			same = values
			continue
		}
		for key, value := range same {
			if other, ok := values[key]; !ok || other != value {
				delete(same, key)
			}
		}
	}
	return same
}

// keyOf names the value that a check looks at.
func keyOf(c gotest.Check) string {
	path, err := json.Marshal(c.Path)
	if err != nil { // can't be: it is made of texts
		return ""
	}
	return c.Of + string(path) + string(c.Kind)
}

// Costs of features that make a check less plain.
const (
	costInside    = 100 // the test must be in the package
	costStatement = 8   // for each statement that comes behind the one that made the value
	costStep      = 2
	costLong      = 10 // a text of many characters
	longText      = 120
)

// cost says how hard a check is to read.
func cost(c gotest.Check, last int) int {
	total := map[gotest.Kind]int{
		gotest.KindError: -1, gotest.KindNil: 1, gotest.KindBytes: 1, gotest.KindLength: 2, gotest.KindText: 3,
		gotest.KindType: 8,
	}[c.Kind]
	if c.Inside() != "" {
		total += costInside
	}
	for _, s := range c.Path {
		switch {
		case s.Method != "":
			total++
		case s.Type != "" || s.Pointee:
			total += 2 * costStep
		default:
			total += costStep
		}
	}
	if len(c.Want) > longText {
		total += costLong
	}
	statement := c.Of[:max(0, strings.IndexAny(c.Of, ". "))]
	if at, err := strconv.Atoi(statement); err == nil {
		total += costStatement * (last - at)
	}
	return total
}
