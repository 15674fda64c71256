package main

import (
	"fmt"
	"strings"
)

// manPage returns the help of all commands as a page of the manual.
func manPage() string {
	var out strings.Builder
	fmt.Fprintf(&out, ".TH SPECTRADIFF 1 \"\" \"spectradiff %s\"\n.SH NAME\n", toolVersion())
	out.WriteString("spectradiff \\- compare two versions of a Go module from the inside\n.SH SYNOPSIS\n.nf\n")
	for _, cmd := range commands() {
		out.WriteString(roff(strings.TrimSpace("spectradiff "+cmd.name+" "+cmd.args) + "\n"))
	}
	out.WriteString(".fi\n.SH DESCRIPTION\n.nf\n" + roff(overview()) + ".fi\n")
	for _, cmd := range commands() {
		fmt.Fprintf(&out, ".SH %s\n.nf\n%s.fi\n", strings.ToUpper(cmd.name), roff(cmd.help()))
	}
	out.WriteString(".SH FILES\n.nf\n" + roff(files) + ".fi\n.SH ENVIRONMENT\n.nf\n" + roff(variables) + ".fi\n")
	return out.String()
}

const files = `.spectradiff/config.toml    defaults of flags
.spectradiff/opaque         types that are not compared
`

const variables = `SPECTRADIFF_CACHE   the folder of the cache
NO_COLOR            no colours, whatever it holds
`

// roff returns a text such that a manual shows it as it is.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "")
}
