package command

import (
	"regexp"
	"slices"
	"strings"
)

// mostWords is how many flags and how many subcommands of a help text are used.
const mostWords = 200

var (
	flagWord    = regexp.MustCompile(`(?:^|[\s,|(\[{/"'` + "`" + `])(--?[A-Za-z0-9][-\w.]*)`)
	commandWord = regexp.MustCompile(`^(?: {1,8}|\t)([a-z][-\w:.]*)(?:,| {2,}|\t|$)`)
)

// Words returns the flags and the subcommands that a help text names, as they are written there, each once and sorted.
func Words(help string) (flags, subcommands []string) {
	for line := range strings.Lines(help) {
		line = strings.TrimRight(line, "\r\n")
		for _, found := range flagWord.FindAllStringSubmatch(line, -1) {
			flags = append(flags, strings.TrimRight(found[1], "."))
		}
		if found := commandWord.FindStringSubmatch(line); found != nil {
			subcommands = append(subcommands, strings.TrimRight(found[1], ":."))
		}
	}
	return once(flags), once(subcommands)
}

func once(list []string) []string {
	slices.Sort(list)
	list = slices.Compact(list)
	return list[:min(len(list), mostWords)]
}
