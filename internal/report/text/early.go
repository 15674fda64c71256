package text

import (
	"fmt"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
)

// maxEarly is how many reasons are told why tests end early, maxNames how many tests are named for one reason.
const (
	maxEarly = 5
	maxNames = 3
)

// early says which tests did not run to their end, or failed, those that do so for the same reason together.
func (p *printer) early() {
	if p.report.Tests == nil || len(p.report.Tests.Early) == 0 {
		return
	}
	names, reasons := map[report.Early][]string{}, []report.Early{}
	for _, e := range p.report.Tests.Early {
		key := report.Early{Why: e.Why, Lost: e.Lost}
		if names[key] == nil {
			reasons = append(reasons, key)
		}
		names[key] = append(names[key], p.short(clean(e.Test)))
	}
	p.heading("tests that fail or end early in the old version, run in the sandbox")
	left := 0
	for i, key := range reasons {
		if i >= maxEarly && !p.detail {
			left += len(names[key])
			continue
		}
		of := names[key]
		text := strings.Join(of[:min(len(of), maxNames)], ", ")
		if n := len(of) - maxNames; n > 0 {
			text += fmt.Sprintf(" and %s more", count(n))
		}
		what := "what ran is compared"
		if key.Lost {
			what = "not compared"
		}
		p.prose("  ", "    ", fmt.Sprintf("%s: %s; %s", text, clean(key.Why), what))
	}
	if left > 0 {
		p.line("  ", p.paint(faint, fmt.Sprintf("… %s more tests; --details has all", count(left))))
	}
}
