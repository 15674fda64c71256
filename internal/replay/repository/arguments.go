package repository

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// ParseRange reads the versions to compare from the beginning of args and returns the other arguments, which are
// package patterns. If NEW is left out, it is the working tree. An empty side of OLD..NEW is HEAD. An argument that
// could be a revision or a package is a revision; after "--" all arguments are packages. module is the path of the
// working tree's Go module, for recognising import paths; "" = none.
func (r *Repository) ParseRange(args []string, module string) (Range, []string, error) {
	if len(args) == 0 || args[0] == "--" {
		return Range{}, nil, errors.New("read versions: OLD is missing; write a branch, tag or commit, such as HEAD")
	}
	first, rest := args[0], args[1:]
	if r.onlyPackage(first) {
		return Range{}, nil, fmt.Errorf("read versions: %q is a package pattern, but OLD comes first; write HEAD %s",
			first, first)
	}
	if old, new, ok := strings.Cut(first, "..."); ok {
		spec, err := r.sinceMergeBase(old, new)
		return spec, packages(rest), err
	}
	if old, new, ok := strings.Cut(first, ".."); ok {
		spec, err := r.sides(headIfEmpty(old), headIfEmpty(new))
		return spec, packages(rest), err
	}
	old, err := r.Resolve(first)
	if err != nil {
		return Range{}, nil, fmt.Errorf("read OLD: %w", err)
	}
	spec := Range{Old: old, New: r.Worktree()}
	if len(rest) == 0 || rest[0] == "--" {
		return spec, packages(rest), nil
	}
	new, err := r.Resolve(rest[0])
	if err == nil {
		spec.New = new
		return spec, packages(rest[1:]), nil
	}
	if r.onlyPackage(rest[0]) || r.maybePackage(rest[0], module) {
		return spec, packages(rest), nil
	}
	return Range{}, nil, fmt.Errorf("read NEW: %w", err)
}

func packages(args []string) []string {
	if len(args) > 0 && args[0] == "--" {
		return args[1:]
	}
	return args
}

func headIfEmpty(revision string) string {
	if revision == "" {
		return "HEAD"
	}
	return revision
}

func (r *Repository) sides(old, new string) (Range, error) {
	one, err := r.Resolve(old)
	if err != nil {
		return Range{}, fmt.Errorf("read OLD: %w", err)
	}
	other, err := r.Resolve(new)
	if err != nil {
		return Range{}, fmt.Errorf("read NEW: %w", err)
	}
	return Range{Old: one, New: other}, nil
}

// sinceMergeBase reads OLD...NEW: the changes of NEW since the newest commit that it has in common with OLD.
func (r *Repository) sinceMergeBase(old, new string) (Range, error) {
	old, new = headIfEmpty(old), headIfEmpty(new)
	spec, err := r.sides(old, new)
	if err != nil {
		return Range{}, err
	}
	read := r.objects.reader()
	defer read.close()
	text := old + "..." + new
	bases, err := resolver{r, read}.mergeBases(spec.Old.id(), spec.New.id())
	if err != nil {
		return Range{}, fmt.Errorf("find the merge base of %s: %w", text, r.advise(text, err))
	}
	if len(bases) == 0 {
		hint := "compare them with OLD..NEW"
		if len(r.shallow) > 0 {
			hint = fmt.Sprintf("the clone is shallow: run `git fetch --unshallow %s`", r.remote())
		}
		return Range{}, fmt.Errorf("find the merge base of %s: the two have no common commit; %s", text, hint)
	}
	if len(bases) > 1 {
		spec.Warnings = append(spec.Warnings,
			fmt.Sprintf("%s has %d merge bases; compared with the newest, %.12s", text, len(bases), bases[0]))
	}
	base, err := read.commit(bases[0])
	spec.Old = Commit{Revision: text, Hash: bases[0].String(), Time: base.time}
	return spec, err
}

// onlyPackage reports whether an argument can't be a revision or a range.
func (r *Repository) onlyPackage(arg string) bool {
	switch {
	case arg == "." || arg == "..":
		return arg == "."
	case strings.HasPrefix(arg, "./") || strings.HasPrefix(arg, "../") || strings.HasPrefix(arg, "/"):
		return true
	}
	return strings.HasSuffix(arg, "/...")
}

// maybePackage reports whether an argument that is no revision looks like a package of the given module or another one.
func (r *Repository) maybePackage(arg, module string) bool {
	if strings.Contains(arg, "...") || arg == "all" {
		return true
	}
	folder := filepath.Join(r.Root, filepath.FromSlash(r.Sub), filepath.FromSlash(arg))
	if info, err := os.Stat(folder); err == nil && info.IsDir() {
		return true
	}
	// An import path: the first element of a path that can be fetched has a dot.
	host, _, deep := strings.Cut(arg, "/")
	if deep && strings.Contains(host, ".") {
		return true
	}
	return module != "" && (arg == module || strings.HasPrefix(arg, module+"/"))
}
