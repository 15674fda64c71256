package generate

import (
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/generate/value"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// flaggedShare is the share of variants that have one more flag, if there are some.
const flaggedShare = 0.1

// lines are names of what holds the words of a command line, in small letters.
var lines = []string{"args", "argv", "arguments", "cmd", "command", "cli", "flags"}

// flagged gives a command line among some arguments one more flag, by chance: users reach what the change mentions by
// its name, which stands in no test. It reports whether it did.
func (g *generator) flagged(args []sequence.Value, op *Operation) bool {
	if len(g.in.Flags) == 0 || !g.random.Chance(flaggedShare) {
		return false
	}
	var places []int
	for i, v := range args {
		if v.Kind == sequence.String && (i < len(op.Of.Words) && op.Of.Words[i] || isLine(v.Text, op.Named(i))) {
			places = append(places, i)
		}
	}
	if len(places) == 0 {
		return false
	}
	at, flag := value.Pick(g.random, places), value.Pick(g.random, g.in.Flags)
	text := flag.Name
	if v := value.Pick(g.random, flag.Values); v != "" {
		text += "=" + v
	}
	if usual := args[at].Text; usual != "" {
		text = usual + " " + text
	}
	args[at].Text = text
	return true
}

// isLine reports whether a text holds words of a command line, by what it is given to or by flags in it.
func isLine(text, name string) bool {
	name = strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
	return slices.Contains(lines, name) || strings.Contains(text, " --")
}
