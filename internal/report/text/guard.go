package text

import (
	"bytes"
	"io"
	"slices"
	"strings"
)

// Printable returns a text of one or more lines that does no more than to be read: control characters are
// escaped, but for tabs, and so are commands of build machines: two colons at the beginning of a line, and two
// number signs before a bracket anywhere.
func Printable(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = printableLine(line)
	}
	return strings.Join(lines, "\n")
}

func printableLine(line string) string {
	parts := strings.Split(line, "\t")
	for i, part := range parts {
		parts[i] = clean(part)
	}
	line = commands.Replace(strings.Join(parts, "\t"))
	if rest := strings.TrimLeft(line, " \t"); strings.HasPrefix(rest, "::") {
		return line[:len(line)-len(rest)] + `\` + rest
	}
	return line
}

// commands takes the meaning from what begins a command of GitHub's or Azure's build machines.
var commands = strings.NewReplacer("##[", `#\#[`, "##vso[", `#\#vso[`)

// coloredLine is printableLine for a line with our own colours.
func coloredLine(line string) string {
	ours := []string{bold, faint, red, green, yellow, reset}
	var out strings.Builder
	at, begun := 0, false
	add := func(piece string) {
		if begun {
			out.WriteString(strings.TrimPrefix(printableLine("."+piece), "."))
		} else {
			out.WriteString(printableLine(piece))
		}
		begun = begun || strings.TrimSpace(piece) != ""
	}
	for _, found := range escape.FindAllStringIndex(line, -1) {
		if sequence := line[found[0]:found[1]]; slices.Contains(ours, sequence) {
			add(line[at:found[0]])
			out.WriteString(sequence)
			at = found[1]
		}
	}
	add(line[at:])
	return out.String()
}

// A Guard writes lines so that they do no more than to be read, as Printable says.
type Guard struct {
	to   io.Writer
	held []byte // the beginning of a line
}

// NewGuard returns a guard in front of a writer. Flush it at the end.
func NewGuard(to io.Writer) *Guard { return &Guard{to: to} }

// Write writes all lines that have ended.
func (g *Guard) Write(p []byte) (int, error) {
	g.held = append(g.held, p...)
	end := bytes.LastIndexByte(g.held, '\n') + 1
	if end == 0 {
		return len(p), nil
	}
	_, err := io.WriteString(g.to, Printable(string(g.held[:end])))
	g.held = append(g.held[:0], g.held[end:]...)
	return len(p), err
}

// Flush writes the rest of a line.
func (g *Guard) Flush() error {
	_, err := io.WriteString(g.to, Printable(string(g.held)))
	g.held = nil
	return err
}
