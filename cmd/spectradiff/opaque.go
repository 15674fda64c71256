package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/report/text"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// opaqueHelp returns a text about the opaque types: the built-in ones, and those of the project in a
// folder.
func opaqueHelp(args []string) (string, error) {
	dir := "."
	switch len(args) {
	case 0:
	case 1:
		dir = args[0]
	default:
		return "", &usageError{err: errors.New("help opaque takes one folder")}
	}
	entries, err := drivers.OpaqueEntries(dir)
	if err != nil {
		return "", err
	}
	opaque, partial := spectra.OpaqueTypes(), spectra.PartialTypes()
	var own []spectra.TypeRule
	for _, e := range entries {
		own = append(own, spectra.TypeRule{Type: e.Type, What: cmp.Or(e.What, "no reason given")})
	}
	width := 0
	for _, rule := range slices.Concat(opaque, partial, own) {
		width = max(width, len(shownType(rule.Type)))
	}
	var out strings.Builder
	table := func(rules []spectra.TypeRule) {
		for _, rule := range rules {
			fmt.Fprintf(&out, "  %-*s  %s\n", width, shownType(rule.Type), rule.What)
		}
	}
	out.WriteString("Values of unsafe.Pointer and uintptr, which are addresses, and of these types are\n" +
		"not compared:\n\n")
	table(opaque)
	out.WriteString("\nOf these, a part is compared, or what they mean:\n\n")
	table(partial)
	if len(own) > 0 {
		at, _, _ := strings.Cut(entries[0].At, ":")
		fmt.Fprintf(&out, "\nThis project does not compare these, by %s:\n\n", at)
		table(own)
		return text.Printable(out.String()), nil
	}
	fmt.Fprintf(&out, "\nA project adds its own in %s at the root of its repository: a type a line,\n"+
		"as in example.com/m/cache.Entry, or a package with a dot at the end, as in\n"+
		"example.com/m/cache., then # and the reason.\n", drivers.OpaqueFile)
	return out.String(), nil
}

// shownType returns a type's name, or a description if the name stands for all types of a package.
func shownType(name string) string {
	if path, ok := strings.CutSuffix(name, "."); ok {
		return path + ", all other types"
	}
	return name
}
