package search

import (
	"context"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/command"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// mostExplained is how many subcommands of a command are asked for their help.
const mostExplained = 24

// commandBatch is how many variants of command lines are played before the next are made of what they did: each has a
// process of its own, so few are played in a second.
const commandBatch = 24

// Commands runs the commands of the module on drivers that have them, which it also returns: with the command lines
// that the module's documents, scripts and tests give them, with those that their help suggests, and with variants of
// both.
func (in Input) Commands(ctx context.Context) (*drivers.Drivers, []*Generated, error) {
	with, err := in.built(ctx, in.Drivers.WithCommands)
	if err != nil {
		return nil, nil, err
	}
	with.Tools.Workers.Stage("commands")
	with.Tools.Workers.Limit(in.Settings.Tests)
	own := Input{Drivers: with, Settings: in.Settings, pool: in.shared()}
	var tests []suite.Test
	for i := range with.Commands {
		lines, words, err := own.explained(ctx, &with.Commands[i])
		if err != nil {
			return nil, nil, err
		}
		tests = append(tests, with.Commands[i].Tests(lines, words)...)
	}
	tests = Own(in.Settings.Shard, tests)
	var lines []string
	for _, t := range tests {
		with.Tools.Workers.Detailf("command line: %s", t.Line)
		lines = append(lines, t.Line)
	}
	list, err := own.runAll(ctx, tests, nil)
	for _, g := range list {
		g.Lines = lines
	}
	return with, list, err
}

// commands reports whether commands are run.
func (in Input) commands() bool { return len(in.Drivers.Commands) > 0 }

// explained returns the lines of a command, with those that its help suggests, and the words for their arguments.
func (in Input) explained(ctx context.Context, c *command.Command) (lines []command.Line, words []string, err error) {
	r := &testRun{Input: in, players: in.Drivers.Players, mayPoll: true}
	ask := func(lines []command.Line) (help []string, err error) {
		tests := c.Tests(lines, nil)
		return NewTryout(r.tryoutOfTests()).Printed(ctx, spectra.Old, calls(tests, (*suite.Test).Call))
	}
	lines = append([]command.Line{{}}, c.Lines...)
	for _, l := range c.Lines {
		words = append(words, l.Words()...)
	}
	printed, err := ask(command.Help())
	if err != nil {
		return nil, nil, err
	}
	var further []string
	for _, text := range printed {
		flags, subcommands := command.Words(text)
		words, further = append(append(words, flags...), subcommands...), append(further, subcommands...)
	}
	slices.Sort(further)
	further = slices.Compact(further)
	var asked []command.Line
	for _, sub := range further[:min(len(further), mostExplained)] {
		lines = append(lines, command.Line{Args: []string{sub}})
		asked = append(asked, command.Help(sub)[0])
	}
	if printed, err = ask(asked); err != nil {
		return nil, nil, err
	}
	for _, text := range printed {
		flags, _ := command.Words(text)
		words = append(words, flags...)
	}
	slices.Sort(words)
	return append(lines, command.Help()...), slices.Compact(words), nil
}
