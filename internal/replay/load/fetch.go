package load

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
)

// listFetching lists packages. If modules or a toolchain are missing, it fetches them and lists again. Fetching is the
// only step with a network, and it compiles nothing.
func (v *Version) listFetching(ctx context.Context, mode string, patterns []string) (*listing, error) {
	l, err := v.list(ctx, mode, patterns)
	if !lacking(l, err) || !v.runner.MayFetch() {
		return l, err
	}
	// This resolves imports like every listing, so modules with incomplete requirements work too.
	args := append([]string{"list", "-deps", "-buildvcs=false", "-f", "{{.ImportPath}}", "--"}, patterns...)
	failed := v.fetch(ctx, args...)
	l, err = v.list(ctx, mode, patterns)
	if failed != nil && err != nil && missingModule(err.Error()) {
		return nil, failed // why it is missing, where the go command without a network only says that it has none
	}
	if failed != nil {
		v.Warnings, v.unfetched = append(v.Warnings, failed.Error()), failed
		v.Unfetched = v.Unfetched || saysUnfetched(failed.Error())
	}
	return l, err
}

// lacking reports whether a listing shows that a module is missing.
func lacking(l *listing, err error) bool {
	if err != nil {
		return missingModule(err.Error())
	}
	for _, p := range l.Packages {
		for _, e := range p.Errors {
			if missingModule(e.Msg) {
				return true
			}
		}
	}
	return false
}

// fetch runs a go command with the network. Its error names what could not be fetched.
func (v *Version) fetch(ctx context.Context, args ...string) error {
	if !v.runner.MayFetch() {
		return errors.New("fetching is switched off")
	}
	command := gocommand.Command{Dir: v.Dir, Env: v.Env, Folders: v.Folders, Network: true}
	_, stderr, err := v.runner.Run(ctx, command, args...)
	if err == nil {
		return nil
	}
	reason := ""
	for line := range strings.Lines(stderr) {
		line = strings.TrimSpace(line)
		if missingModule(line) {
			reason = line
			break
		}
		if reason == "" && !progress(line) {
			reason = line
		}
	}
	return fmt.Errorf("fetch modules of %s: %w: %s", v.Module, err, v.relative(reason))
}

// progress reports whether the go command says in a line what it does, and not what failed.
func progress(line string) bool {
	return slices.ContainsFunc([]string{"downloading", "finding", "found", "trying"}, func(word string) bool {
		return strings.HasPrefix(line, "go: "+word+" ")
	})
}

// An UnfetchedError is an error of a version of which something could not be fetched, which another machine may have.
type UnfetchedError struct{ Err error }

// Error says what is wrong.
func (e *UnfetchedError) Error() string { return e.Err.Error() }

// Unwrap returns the error of which it is known that something could not be fetched.
func (e *UnfetchedError) Unwrap() error { return e.Err }

// becauseOf returns an error as an UnfetchedError if one of the go command, from which it comes, says that.
func becauseOf(said, err error) error {
	if said != nil && saysUnfetched(said.Error()) {
		return &UnfetchedError{err}
	}
	return err
}

// unfetched reports whether the go command did not find a package, or one that it could not import, because its module
// could not be fetched. What the code of a package makes a compiler say is no sign of that.
func unfetched(p *packages.Package) bool {
	if path, imports := imported(p.Errors[firstOf(p)]); imports {
		if of := p.Imports[path]; of != nil && len(of.Errors) > 0 {
			return unfetched(of)
		}
	}
	return slices.ContainsFunc(p.Errors, func(e packages.Error) bool {
		return e.Kind != packages.ParseError && e.Kind != packages.TypeError && saysUnfetched(e.Msg)
	})
}

// saysUnfetched reports whether the go command says that something could not be fetched. It says so in words alone.
func saysUnfetched(text string) bool {
	return strings.Contains(text, "module lookup disabled by GOPROXY=off") || strings.Contains(text, "dial tcp")
}
