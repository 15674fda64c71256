package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
)

// maxContracts is how many contracts are named: of those that one version breaks, and of those that both do.
const maxContracts = 3

// brokenBy has a phrase for each way in which a contract is broken.
var brokenBy = map[string]string{
	"reflexive": "a value does not equal itself", "symmetric": "equal one way and not the other",
	"antisymmetric": "another order the other way", "transitive": "three values in no order",
	"no-panic": "panics", "no-runtime-error": "runtime error", "round-trip": "does not read what was written",
	"stays-valid": "leaves a value that is not valid",
}

// contracts names what one version alone breaks, and in a line what both do. Of the latter, runtime errors are left
// out: often it was the caller's mistake.
func (p *printer) contracts() {
	var one, both []report.Contract
	for _, c := range p.report.Contracts {
		switch {
		case len(c.Sides) == 1:
			one = append(one, c)
		case c.Contract != "no-runtime-error":
			both = append(both, c)
		}
	}
	if len(one)+len(both) == 0 {
		return
	}
	p.heading("contracts that do not hold")
	rows := make([][]string, 0, maxContracts)
	for _, c := range one[:min(len(one), maxContracts)] {
		rows = append(rows, []string{p.short(clean(c.Function)), only(c), how(c)})
	}
	p.table(rows, nil)
	p.more("  ", len(one)-len(rows), "contracts")
	if len(both) > 0 {
		p.prose("  ", "  ", "in both versions: "+p.listed(both))
	}
}

// how says in what way a contract is broken, as far as that is known of it.
func how(c report.Contract) string {
	if text := brokenBy[c.Contract]; text != "" {
		return text
	}
	return clean(c.Contract)
}

// only names the version that breaks a contract, and the root that it shows.
func only(c report.Contract) string {
	text := "only " + clean(string(c.Sides[0]))
	if c.Root > 0 {
		text += fmt.Sprintf(", root %d", c.Root)
	}
	return text
}

// listed names the functions of some contracts, each once.
func (p *printer) listed(list []report.Contract) string {
	var names []string
	for _, c := range list {
		if name := fmt.Sprintf("%s (%s)", p.short(clean(c.Function)), how(c)); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if more := len(names) - maxContracts; more > 0 {
		names = append(names[:maxContracts], fmt.Sprintf("%d more", more))
	}
	return strings.Join(names, ", ")
}
