package summary

import (
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/command"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// reportCommands says which commands were run, and with how many lines.
func reportCommands(r *report.Report, t Tests) {
	r.Warnings = append(r.Warnings, t.Drivers.Warnings...)
	r.Commands = &report.Commands{}
	for i := range t.Drivers.Commands {
		r.Commands.Names = append(r.Commands.Names, t.Drivers.Commands[i].Name)
	}
	for _, of := range t.Runs {
		g := of.Generated
		r.Warnings = append(append(r.Warnings, g.Warnings...), of.Warnings...)
		r.Commands.Lines += g.Tried
		r.Commands.Reaching += len(g.Selected)
		r.Commands.Variants += g.Stats.Sequences
		took(&r.Commands.Seconds, g)
	}
}

// commandLine returns a command line as the report has it.
func commandLine(name string, l command.Line) *report.CommandLine {
	out := &report.CommandLine{Line: l.Of(name), Args: append([]string{}, l.Args...), Input: l.Input}
	for _, f := range l.Files {
		out.Files = append(out.Files, report.CommandFile{Name: f.Name, Content: f.Content})
	}
	return out
}

// statusOf returns the status of a command as a number, from its result.
func statusOf(result string) string {
	if code, failed := strings.CutPrefix(result, wire.StatusText); failed {
		return code
	}
	return "0"
}
