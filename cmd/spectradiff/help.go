package main

import (
	"flag"
	"fmt"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report/json"
)

// epilogue is what concerns several commands.
const epilogue = `A root has a tier, its degree of harm. The tiers, the worst first:

  crash      a panic, exit, hang or deadlock where there was none, or the reverse
  error      an error where there was none, or the reverse
  value      a result, an argument, an output or a file
  latent     a value that outlives the driven call, and that no output shows
  internal   every driven call begins and ends alike; inside, values differ
  text       only the wording of an error, of a panic or of a log line
  calls      no value of any matched execution differs, other functions are called
  potential  seen only by calling an unexported function directly

The tier nondeterminism says that new varies from run to run where old does not;
it ranks with value where an output shows it, else with latent.

exit status:
  0  nothing deviates that --fail-on names and that nobody accepted; also if little
     of the change ran, unless --fail-on is not-reached
  1  something does
  2  trouble, with an error; or a report that is not complete, because the run was
     interrupted, or shards are missing, or, unless something deviates, because too
     much of it was lost
--fail-on takes a tier (that and worse ones); any: all but calls and potential;
visible: those of any that a caller of the module sees; not-reached: any, and that
less than half of the change ran; none. demo ends with 0 when it has shown what it
should.
`

// examples are what one begins with.
const examples = `examples:
  spectradiff compare main...HEAD          a branch, from where it left main
  spectradiff compare HEAD                 what is not committed yet
  spectradiff compare v1.2.0 v1.3.0        two releases
  spectradiff compare --run ^TestX$ main   why a test fails now
`

func help(std streams, args []string) (int, error) {
	text := overview()
	switch {
	case len(args) > 0 && args[0] == "opaque":
		var err error
		if text, err = opaqueHelp(args[1:]); err != nil {
			return 0, err
		}
	case len(args) == 1 && args[0] == "man":
		text = manPage()
	case len(args) == 1 && args[0] == "formats":
		text = formatsHelp()
	case len(args) == 1 && args[0] == "schema":
		text = string(json.Schema())
	case len(args) > 0:
		cmd, found := find(args[0])
		switch {
		case len(args) > 1:
			return 0, &usageError{err: fmt.Errorf("help takes one word; %q is too much", args[1])}
		case !found:
			return 0, &usageError{err: fmt.Errorf("unknown command %q", args[0])}
		}
		text = cmd.help()
	}
	_, err := fmt.Fprint(std.out, text)
	return exitOK, written(err)
}

func find(name string) (command, bool) {
	for _, cmd := range commands() {
		if cmd.name == name {
			return cmd, true
		}
	}
	return command{}, false
}

// overview returns the help of the program.
func overview() string {
	var out strings.Builder
	out.WriteString("spectradiff compares two versions of a Go module from the inside: it runs both with\n" +
		"the same generated calls, tests of the old version and commands, records the values\n" +
		"at every function entry and exit, and names the functions in which they begin to\n" +
		"deviate, and the change that is the cause.\n\n" + examples + "\ncommands:\n")
	for _, cmd := range commands() {
		fmt.Fprintf(&out, "  %-30s  %s\n", strings.TrimSpace(cmd.name+" "+cmd.args), cmd.short)
	}
	fmt.Fprintf(&out, "  %-30s  %s\n", "help [COMMAND]", "print this, or a command's flags")
	fmt.Fprintf(&out, "  %-30s  %s\n", "help opaque [DIR]", "print which types are not compared, and why")
	fmt.Fprintf(&out, "  %-30s  %s\n", "help formats", "print what --format and --out can write")
	fmt.Fprintf(&out, "  %-30s  %s\n", "help schema", "print the JSON Schema of --format json")
	fmt.Fprintf(&out, "  %-30s  %s\n", "help man", "print all as a page for man -l -")
	out.WriteString("\n" + epilogue)
	return out.String()
}

// help returns the help of one command and its flags.
func (cmd command) help() string {
	var flags strings.Builder
	cmd.flags(new(settings)).VisitAll(func(f *flag.Flag) { flags.WriteString(flagHelp(f)) })
	var out strings.Builder
	out.WriteString("usage: spectradiff " + cmd.name)
	if flags.Len() > 0 {
		out.WriteString(" [flags]")
	}
	fmt.Fprintf(&out, "%s\n\n%s\n", strings.TrimRight(" "+cmd.args, " "), cmd.short)
	if cmd.long != "" {
		fmt.Fprintf(&out, "\n%s\n", cmd.long)
	}
	if flags.Len() > 0 {
		out.WriteString("\nflags:\n" + flags.String())
	}
	return out.String()
}

// flagHelp returns the line of a flag: its name, value and meaning.
func flagHelp(f *flag.Flag) string {
	value, meaning := flag.UnquoteUsage(f)
	head := flagName(f.Name)
	if !isBool(f) {
		head += " " + value
		meaning = strings.TrimSuffix(meaning, ": "+value)
		if f.DefValue != "" && f.DefValue != "0" {
			meaning += " (default " + f.DefValue + ")"
		}
	}
	return fmt.Sprintf("  %-19s %s\n", head, meaning)
}

func isBool(f *flag.Flag) bool {
	boolean, ok := f.Value.(interface{ IsBoolFlag() bool })
	return ok && boolean.IsBoolFlag()
}
