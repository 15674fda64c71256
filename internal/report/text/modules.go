package text

import (
	"fmt"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
)

// modules says how each of several modules ended.
func (p *printer) modules() {
	if len(p.report.Modules) == 0 {
		return
	}
	p.heading("modules that the change touches")
	p.table(p.moduleRows(), nil)
}

// moduleRows are the modules: folder, verdict, what was compared.
func (p *printer) moduleRows() [][]string {
	var rows [][]string
	for i := range p.report.Modules {
		m := &p.report.Modules[i]
		rows = append(rows, []string{clean(m.Folder), clean(string(m.Verdict)), ofModule(m)})
	}
	return rows
}

// ofModule says what of a module was compared.
func ofModule(m *report.Module) string {
	if m.Failed != "" || m.Subject == nil || m.Replay == nil || m.Generation == nil {
		return clean(m.Failed)
	}
	text := fmt.Sprintf("%s changed", plural(len(m.Subject.ChangedFunctions), "function"))
	if m.Replay.Sequences == 0 {
		return text + ", nothing was run"
	}
	text += ", " + plural(m.Replay.Sequences, "sequence")
	if covered := m.Generation.ChangedStatementCoverage; covered != nil {
		text += ", " + percent(*covered) + " of the changed statements ran"
	}
	return text
}

// modulesIn names the modules that ended with a verdict.
func (p *printer) modulesIn(verdict report.Verdict) string {
	var names []string
	for _, m := range p.report.Modules {
		if m.Verdict == verdict {
			names = append(names, clean(m.Folder))
		}
	}
	return strings.Join(names, ", ")
}
