package load

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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
