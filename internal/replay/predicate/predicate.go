// Package predicate runs a command of the user on the files of a version, and tells whether it passes.
//
// In: the text of a command for sh, the tree of a version, and files that it has otherwise. Out: whether the command
// passes or fails, how it ended, and the first lines that it printed; or why that can't be told.
//
// # What it sees
//
// The command runs in a copy of the tree that it may change, at the folder where the user is. It is confined as go
// commands are (gocommand): it has no network, sees no file of the user but compilers and caches, and changes nothing
// but the copy, a build cache of its own, and its temporary files ($TMPDIR). Each run begins with a new copy, at the
// same path, so that what was built is found again. Of the environment it has what the go command needs to build, and
// nothing that may hold credentials; the command may set more. Modules that are missing are fetched before it runs once
// more.
//
// # What its end means
//
// As for git bisect run, exit status 0 passes, 125 can't tell, and others up to 127 fail. Where git gives up, at
// statuses from 128 and signals, the command fails too, because a crash is what somebody may look for; but SIGKILL,
// which is how the kernel ends what takes too much memory, and the end of the time limit can't tell.
//
// The package decides nothing about commits. It never writes to the tree.
package predicate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
)

// A Command is a command of the user. It runs once at a time.
type Command struct {
	Text  string            // as sh -c takes it
	Sub   string            // the folder of a tree in which it runs, slash-separated; "." = its root
	Go    *gocommand.Runner // confines it
	Temp  string            // an empty folder for copies and caches
	Limit time.Duration     // of one run, and of asking afterwards whether the version compiles
}

// A File is a file that a version has otherwise.
type File struct {
	Name string // slash-separated, from the root of the tree
	Text []byte // its content, the target of a link; nil: it is not there
	Mode fs.FileMode
}

// A Result is how a command ended.
type Result struct {
	Passes     bool
	End        string // such as "exit status 1", "SIGSEGV"; "" where it passes
	Untestable string // why it can't be told; the other fields then count for nothing
	Transient  bool   // another run may tell otherwise

	// Broken is the first error of the compiler, where the command fails and code of the module that it runs in does
	// not compile, tests included; "" also where compiling takes too long.
	Broken string
	Output []string // the first lines with text, printable
}

// Limits of Output.
const (
	maxLines = 20
	maxLine  = 400 // bytes
)

// Run runs the command on a tree in which some files are others. An error says that it could not be run.
func (c *Command) Run(ctx context.Context, tree *repository.Tree, files ...File) (Result, error) {
	r, lacking, err := c.once(ctx, tree, files)
	if err != nil || !lacking {
		return r, err
	}
	fetched := ""
	if c.Go.MayFetch() {
		if fetched, err = c.fetch(ctx, tree, files); err != nil {
			return Result{}, err
		}
		if r, lacking, err = c.once(ctx, tree, files); err != nil || !lacking {
			return r, err
		}
	}
	reason := "a module is missing that can't be fetched"
	if line := lackingLine(r.Output); cmp.Or(fetched, line) != "" {
		reason += ": " + cmp.Or(fetched, line)
	}
	return Result{Untestable: reason, Transient: true}, nil
}

// once runs the command in a new copy. It reports whether it failed for want of a module that nobody has fetched.
func (c *Command) once(ctx context.Context, tree *repository.Tree, files []File) (r Result, lacking bool, err error) {
	folder, err := c.copy(ctx, tree, files)
	if err != nil {
		return r, false, err
	}
	if folder == "" {
		return Result{Untestable: "it has no folder " + c.Sub}, false, nil
	}
	limited, cancel := context.WithTimeout(ctx, c.Limit)
	defer cancel()
	out, err := c.sh(limited, folder, c.Text)
	if ctx.Err() != nil {
		return r, false, ctx.Err()
	}
	if limited.Err() != nil {
		err = errSlow
	}
	if r, err = c.ended(err); err != nil {
		return r, false, err
	}
	r.Output = firstLines(out)
	if r.Passes || r.Untestable != "" {
		return r, false, nil
	}
	if lackingLine(strings.Split(out, "\n")) != "" {
		return r, true, nil
	}
	r.Broken, err = c.broken(ctx, folder)
	r.Transient = r.Broken != "" && !placed.MatchString(r.Broken)
	return r, false, cmp.Or(ctx.Err(), err)
}

// errSlow says that a command did not end in time.
var errSlow = errors.New("it did not end in time")

// The statuses of sh with a meaning of their own.
const (
	untestable = 125
	signals    = 128 // and above: the command was ended by the signal of the rest
)

// names are those of the signals by which programs end that crash or are ended, by their numbers.
var names = map[int]string{
	4: "SIGILL", 6: "SIGABRT", 8: "SIGFPE", 9: "SIGKILL", 11: "SIGSEGV", 13: "SIGPIPE", 15: "SIGTERM",
}

// ended returns what the end of a run means.
func (c *Command) ended(err error) (Result, error) {
	var exit *gocommand.ExitError
	switch {
	case err == nil:
		return Result{Passes: true}, nil
	case errors.Is(err, errSlow):
		return Result{Untestable: fmt.Sprintf("the command did not end within %v; "+
			"put timeout 60 in front of it if that is what fails", c.Limit), Transient: true}, nil
	case !errors.As(err, &exit):
		return Result{}, fmt.Errorf("run the command of --exec: %w", err)
	case exit.Code == untestable:
		return Result{Untestable: "the command says so: exit status 125"}, nil
	}
	end := cmp.Or(exit.Signal, names[exit.Code-signals], fmt.Sprintf("exit status %d", exit.Code))
	if end == "SIGKILL" {
		const reason = "the command was killed (SIGKILL), perhaps because memory ran out"
		return Result{Untestable: reason, Transient: true}, nil
	}
	return Result{End: end}, nil
}

// sh runs a text in a folder of the copy, and returns all that it prints.
func (c *Command) sh(ctx context.Context, folder, text string) (string, error) {
	private := filepath.Join(c.Temp, "private")
	command := gocommand.Command{
		Path: "/bin/sh", Dir: folder, Env: append(c.Go.Environment(os.Environ()), "PWD="+folder),
		Folders: gocommand.Folders{Write: []string{c.root()}}, Private: private,
	}
	out, errs, err := c.Go.Run(ctx, command, "-c", `exec /bin/sh -c "$1" 2>&1`, "sh", text)
	// The names of folders differ from run to run.
	nameless := strings.NewReplacer(c.root()+"/", "", c.root(), ".", private, "$TMPDIR")
	return nameless.Replace(out + errs), err
}

// broken returns the first error of the compiler in the module of a folder; "" = all compiles, there is no module, or
// it is not known in time: how the command ended counts all the same.
func (c *Command) broken(ctx context.Context, folder string) (string, error) {
	limited, cancel := context.WithTimeout(ctx, c.Limit)
	defer cancel()
	out, err := c.sh(limited, folder, "go list -export -test ./... >/dev/null")
	var exit *gocommand.ExitError
	switch {
	case err == nil || limited.Err() != nil && ctx.Err() == nil:
		return "", nil
	case ctx.Err() != nil || !errors.As(err, &exit):
		return "", fmt.Errorf("ask whether the version compiles: %w", err)
	}
	return cmp.Or(compilerError(firstLines(out)), err.Error()), nil
}

// placed matches what a compiler says of a line of code. Of anything else, such as a full disk or a compiler that was
// killed, another run may say nothing.
var placed = regexp.MustCompile(`^[^\s:]+:\d+(:\d+)?: `)

// compilerError returns the first line that says something of a line of code, or else the first one that names no
// package; "" = none.
func compilerError(lines []string) string {
	lines = slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return strings.HasPrefix(line, "# ") })
	if at := slices.IndexFunc(lines, placed.MatchString); at >= 0 {
		return lines[at]
	}
	return strings.Join(lines[:min(len(lines), 1)], "")
}

// fetch fetches the modules that a version requires. It compiles nothing, as it must with a network. It returns why
// that failed.
func (c *Command) fetch(ctx context.Context, tree *repository.Tree, files []File) (failed string, err error) {
	folder, err := c.copy(ctx, tree, files)
	if err != nil || folder == "" {
		return "", err
	}
	command := gocommand.Command{
		Dir: folder, Env: append(c.Go.Environment(os.Environ()), "PWD="+folder), Network: true,
		Folders: gocommand.Folders{Write: []string{c.root()}},
	}
	_, errs, err := c.Go.Run(ctx, command, "mod", "download")
	var exit *gocommand.ExitError
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.As(err, &exit):
		return strings.Join(firstLines(errs), "; "), nil
	}
	return "", err
}

// lackingLine returns the line in which the go command says that something is missing that the network has; "" = none.
// It begins to download what it knows from elsewhere, and then can't write it.
func lackingLine(lines []string) string {
	for _, line := range lines {
		if strings.Contains(line, "GOPROXY=off") || strings.HasPrefix(line, "go: downloading ") {
			return printable(line)
		}
	}
	return ""
}
