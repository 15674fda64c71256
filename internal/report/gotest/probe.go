package gotest

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// What a probe calls, in the file that Shower returns.
const (
	showFunction    = "zspectraShow"
	doneFunction    = "zspectraDone"
	captureFunction = "zspectraCapture"
	printedFunction = "zspectraPrinted"
)

// printedOf is the name that checks have for the output of the calls.
const printedOf = "stdout"

// shownPrefix begins the lines of a probe.
const shownPrefix = "\x00spectradiff "

//go:embed probe.txt
var showerSource string

// Shower returns the source of the file that probes of a package need beside them.
func (w *Writer) Shower() []byte {
	return []byte(strings.NewReplacer(
		"package probe", "package "+w.Clause(), `"own"`, fmt.Sprintf("%q", w.Package.Path()),
	).Replace(showerSource))
}

// A Shown is the output of a probe.
type Shown struct {
	Checks []Check
	End    string // "done", or "panic" and its quoted text; "" = it did not come to its end
}

// ReadShown reads the output of a probe, with whatever else the program printed in between.
func ReadShown(output string) Shown {
	var s Shown
	for line := range strings.Lines(output) {
		_, text, found := strings.Cut(strings.TrimRight(line, "\n"), shownPrefix)
		if !found {
			continue
		}
		var c Check
		switch {
		case text == "done" || strings.HasPrefix(text, "panic "):
			s.End = text
		case json.Unmarshal([]byte(text), &c) == nil && c.Of != "" && c.Kind != "":
			if want, err := strconv.Unquote(c.Want); err == nil {
				c.Want = want
				s.Checks = append(s.Checks, c)
			}
		}
	}
	return s
}

// Panic returns the text of the panic by which the calls ended.
func (s *Shown) Panic() (text string, panicked bool) {
	quotedText, panicked := strings.CutPrefix(s.End, "panic ")
	text, _ = strconv.Unquote(quotedText)
	return text, panicked
}

// Done reports whether all calls returned.
func (s *Shown) Done() bool { return s.End == "done" }
