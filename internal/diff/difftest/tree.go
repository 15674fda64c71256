package difftest

import (
	"fmt"
	"strings"

	"github.com/spectradiff/spectradiff/internal/diff"
)

// Tree writes the lines of a deviation tree, marks in brackets.
func Tree(lines []diff.TreeLine) string {
	var out strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&out, "%*s%s", 2*l.Depth, "", l.Text)
		if l.Mark != "" {
			fmt.Fprintf(&out, " [%s]", l.Mark)
		}
		if l.Note != "" {
			fmt.Fprintf(&out, " %s", l.Note)
		}
		if l.Root {
			out.WriteString(" <- root")
		}
		out.WriteString("\n")
	}
	return out.String()
}
