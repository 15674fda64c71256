package command

import (
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// furtherArgs is how many arguments a variant of a line may have beyond those of the line.
const furtherArgs = 2

// Help returns the lines that have commands say how they are used, with some words before.
func Help(words ...string) []Line {
	return []Line{
		{Args: append(slices.Clone(words), "--help")},
		{Args: append([]string{"help"}, words...)},
	}
}

// Tests returns lines of a command as tests. Their arguments may be any of some words.
func (c *Command) Tests(lines []Line, words []string) (list []suite.Test) {
	word := wordType(append(slices.Clone(words), names(c.Samples)...))
	seen := map[string]bool{}
	for _, l := range lines {
		if len(l.Files) == 0 {
			l.Files = c.Samples
		}
		t := suite.Test{Operation: c.Operation, Line: l.Of(c.Name)}
		if seen[t.Line] {
			continue
		}
		seen[t.Line] = true
		for i := range len(l.Args) + furtherArgs {
			h := &suite.Hole{Number: wire.CommandArgument + i, Type: word, Name: "args", Usual: textValue("")}
			if i < len(l.Args) {
				h.Usual = textValue(l.Args[i])
			}
			t.Holes = append(t.Holes, h)
		}
		t.Holes = append(t.Holes, &suite.Hole{
			Number: wire.CommandInput, Type: types.Typ[types.String], Name: "stdin", Usual: textValue(l.Input),
		})
		for i, f := range l.Files {
			t.Always = append(t.Always, number(wire.CommandFile+i), textValue(f.Name))
			t.Holes = append(t.Holes, &suite.Hole{
				Number: wire.CommandContent + i, Type: types.Typ[types.String], Name: "file",
				Usual: textValue(f.Content),
			})
		}
		list = append(list, t)
	}
	return list
}

// Words returns what of a line may fit into others: its first argument, and flags.
func (l Line) Words() (list []string) {
	for i, arg := range l.Args {
		if i == 0 || strings.HasPrefix(arg, "-") {
			list = append(list, arg)
		}
	}
	return list
}

func names(files []File) (list []string) {
	for _, f := range files {
		list = append(list, f.Name)
	}
	return list
}

// wordType returns a type of texts with some constants: what generators choose arguments of.
func wordType(words []string) types.Type {
	pkg := types.NewPackage("command", "command")
	word := types.NewNamed(types.NewTypeName(token.NoPos, pkg, "Word", nil), types.Typ[types.String], nil)
	for i, w := range words {
		pkg.Scope().Insert(types.NewConst(token.NoPos, pkg, fmt.Sprint("w", i), word, constant.MakeString(w)))
	}
	return word
}

func textValue(text string) sequence.Value { return sequence.Value{Kind: sequence.String, Text: text} }

func number(n int) sequence.Value { return sequence.Value{Kind: sequence.Int, Text: strconv.Itoa(n)} }

// Given returns the line that a call of a command's operation gives.
func Given(call sequence.Statement) (l Line) {
	if len(call.Args) != 1 {
		return l
	}
	texts := map[int]string{}
	elems := call.Args[0].Elems
	for n := 0; n+1 < len(elems); n += 2 {
		if i, err := strconv.Atoi(elems[n].Text); err == nil {
			texts[i] = elems[n+1].Text
		}
	}
	for i := range wire.CommandParts {
		if arg, ok := texts[wire.CommandArgument+i]; ok {
			l.Args = append(l.Args, arg)
		}
		if name, ok := texts[wire.CommandFile+i]; ok {
			l.Files = append(l.Files, File{name, texts[wire.CommandContent+i]})
		}
	}
	l.Input = texts[wire.CommandInput]
	return l
}
