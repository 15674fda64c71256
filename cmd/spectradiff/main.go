package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spectradiff/spectradiff/internal/replay/buildcache"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
	"github.com/spectradiff/spectradiff/internal/report/text"
)

func main() {
	// This process was started to confine a target, to list its packages, or to keep what is built.
	if sandbox.Child() || load.Child() || buildcache.Child() {
		return
	}
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Exit statuses, as of diff. The status 1, deviations, is decided by the report.
const (
	exitOK      = 0
	exitTrouble = 2
)

// streams are the streams of a command. Only what was asked for, such as the report, is written to out.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// A command is one word after the program's name.
type command struct {
	name  string
	args  string // what follows the flags
	short string
	long  string
	flags func(*settings) *flagSet

	configured bool // the repository's file may set flags
	revisions  bool // its arguments are such

	run func(streams, *settings, []string) (int, error)
}

// commands lists the commands, in the order of the help.
func commands() []command {
	return []command{
		compareCommand(), bisectCommand(), seriesCommand(), mergeCommand(), showCommand(), acceptCommand(),
		explainCommand(), workerCommand(), serveCommand(), cacheCommand(), demoCommand(), completionCommand(),
		versionCommand(),
	}
}

// run is the program without its process: it returns the exit status. A panic of its own is an error that says so.
func run(args []string, in io.Reader, out, errs io.Writer) (exit int) {
	surviveClosedPipes()
	defer func() {
		if v := recover(); v != nil {
			const report = "spectradiff: internal error: %s; please report it with what follows\n%s"
			fmt.Fprintf(errs, report, text.Printable(fmt.Sprint(v)), debug.Stack())
			exit = exitTrouble
		}
	}()
	exit, err := dispatch(streams{in, out, errs}, args)
	if err == nil {
		return exit
	}
	fmt.Fprintf(errs, "spectradiff: %s\n", text.Printable(err.Error()))
	var usage *usageError
	if errors.As(err, &usage) {
		fmt.Fprintf(errs, "run '%s' for what is possible\n", usage.hint())
	}
	return exitTrouble
}

// A usageError is an error in the command line.
type usageError struct {
	command string // "": the program itself
	err     error
}

func (e *usageError) Error() string {
	if e.command == "" {
		return e.err.Error()
	}
	return e.command + ": " + e.err.Error()
}

func (e *usageError) Unwrap() error { return e.err }

func (e *usageError) hint() string {
	if e.command == "" {
		return "spectradiff help"
	}
	return "spectradiff help " + e.command
}

func dispatch(std streams, args []string) (int, error) {
	if len(args) == 0 {
		return 0, &usageError{err: errors.New("no command")}
	}
	name, rest := args[0], args[1:]
	switch name {
	case "help", "-h", "-help", "--help":
		return help(std, rest)
	case "-version", "--version":
		name = "version"
	}
	for _, cmd := range commands() {
		if cmd.name == name {
			return cmd.start(std, rest)
		}
	}
	return 0, &usageError{err: fmt.Errorf("unknown command %q", name)}
}

// start parses the flags and runs the command.
func (cmd command) start(std streams, args []string) (int, error) {
	set := new(settings)
	flags := cmd.flags(set)
	positional, err := flags.parse(args)
	if errors.Is(err, errHelp) {
		return help(std, []string{cmd.name})
	}
	if err == nil {
		err = errors.Join(flags.checkExec(), flags.imply())
	}
	if err == nil && cmd.configured {
		err = flags.configure(set.dir)
	}
	if err == nil {
		err = set.check()
	}
	if err != nil {
		return 0, &usageError{cmd.name, err}
	}
	if set.trace == "" {
		return cmd.run(std, set, positional)
	}
	end, err := traceTo(set.trace)
	if err != nil {
		return 0, err
	}
	exit, err := cmd.run(std, set, positional)
	return exit, errors.Join(err, end())
}
