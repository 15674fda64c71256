package symbol

import (
	"go/ast"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/module"
)

// Imported maps the names that packages have in a file to their paths. Without types a name is what its path suggests:
// where it may be one of several, all of them stand for the path, as far as no likelier one of another path does.
func Imported(file *ast.File) map[string]string {
	paths, left := map[string]string{}, false
	for rank := 0; rank == 0 || left; rank++ {
		left = false
		for _, spec := range file.Imports {
			names := ImportNames(spec)
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil || rank >= len(names) {
				continue
			}
			left = true
			if _, known := paths[names[rank]]; !known {
				paths[names[rank]] = path
			}
		}
	}
	delete(paths, "_")
	delete(paths, ".")
	return paths
}

// between matches what separates words in an import path that may be the name of its package.
var between = regexp.MustCompile(`[^\pL\pN_]+`)

// versionElement matches elements of a path that are a version of what is before them, or a package of that name.
var versionElement = regexp.MustCompile(`^v[0-9]+$`)

// ImportNames returns the names that an import may have in its file, the likeliest first.
func ImportNames(spec *ast.ImportSpec) []string {
	if spec.Name != nil {
		return []string{spec.Name.Name}
	}
	path, err := strconv.Unquote(spec.Path.Value)
	if err != nil {
		return nil
	}
	var names []string
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	version := path[strings.LastIndexByte(path, '/')+1:]
	if prefix, _, ok := module.SplitPathVersion(path); ok {
		path = prefix
	}
	if versionElement.MatchString(version) {
		path = strings.TrimSuffix(path, "/"+version)
	} else {
		version = ""
	}
	words := between.Split(path[strings.LastIndexByte(path, '/')+1:], -1)
	telling := slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == "go" })
	for _, list := range [][]string{telling, words} {
		for run := range runs(list) {
			add(strings.Join(run, "_"))
			add(strings.Join(run, ""))
		}
	}
	add(version)
	return names
}

// runs returns the runs of words that stand side by side, the longest first.
func runs(words []string) iter.Seq[[]string] {
	return func(yield func([]string) bool) {
		for size := len(words); size > 0; size-- {
			for from := range len(words) - size + 1 {
				if !yield(words[from : from+size]) {
					return
				}
			}
		}
	}
}
