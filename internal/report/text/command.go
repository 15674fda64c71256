package text

import (
	"fmt"
	"strconv"

	"github.com/spectradiff/spectradiff/internal/report"
)

// commandLine prints the command line that shows the root, and the files that it finds.
func (p *printer) commandLine(of *report.CommandLine) {
	p.line(rootIndent, p.paint(faint, "shown by a command"))
	p.code(rootIndent+"  ", rootIndent+"    ", clean(of.Line))
	for _, f := range of.Files {
		text := fmt.Sprintf("%s: %s", f.Name, strconv.Quote(f.Content))
		p.code(rootIndent+"    ", rootIndent+"      ", p.short(clean(text)))
	}
}
