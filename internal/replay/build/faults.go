package build

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/fault"
)

const compiling = "compiling it with what was added to it"

// tooMany ends the output of a compiler that does not name all errors. It costs a build to see the next ones, so all of
// the file is to blame.
const tooMany = ": too many errors"

// place matches the place in front of an error of the compiler.
var place = regexp.MustCompile(`^([^\s:]+\.go:\d+):`)

// faults returns the packages with files of ours in which the go command found errors, with the first error of each, or
// that can't be linked. It writes "# path" in front of the compiler's errors in a package, and nothing in front of its
// own.
func (r *Request) faults(output string) (list fault.List) {
	pkg := ""
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if path, ok := strings.CutPrefix(line, "# "); ok {
			pkg, _, _ = strings.Cut(path, " ")
			continue
		}
		of := pkg
		if of == "" {
			file, _, _ := strings.Cut(line, ":")
			of = r.packageIn(file)
		}
		if r.Parts[of] == "" || line == "" {
			continue
		}
		i := slices.IndexFunc(list, func(f *fault.Fault) bool { return f.Package == of })
		if i < 0 {
			i = len(list)
			list = append(list, &fault.Fault{Package: of, Step: compiling, Reason: line, Ours: true})
		}
		if at := place.FindStringSubmatch(line); at != nil {
			where := filepath.Base(at[1])
			if strings.HasSuffix(line, tooMany) {
				where, _, _ = strings.Cut(where, ":")
			}
			list[i].Lines = append(list[i].Lines, where)
		}
	}
	if len(list) == 0 {
		list = r.unimportable(output)
	}
	if len(list) == 0 {
		return r.unlinked(output)
	}
	return list
}

// chain matches what the go command prints of a package that can't be imported: by which ways it is.
var chain = regexp.MustCompile(`(?m)^package (\S+)\n((?:\s+imports \S+\n)*)\s+imports (\S+): (.*?)(?: in \S+)?$`)

// unimportable returns the packages with files of ours through which the driver imports what this build does not have,
// such as a package for another platform: the first one of each way.
func (r *Request) unimportable(output string) (list fault.List) {
	for _, m := range chain.FindAllStringSubmatch(output, -1) {
		names := strings.Fields(strings.ReplaceAll(m[2], "imports ", ""))
		first := slices.IndexFunc(names, func(name string) bool { return r.Parts[name] != "" })
		if first < 0 || strings.Contains(m[4], "import cycle") {
			continue
		}
		importer := names[len(names)-1]
		list = append(list, &fault.Fault{
			Package: names[first], Step: "building", Importer: importer,
			Reason: importer + " imports " + m[3] + ": " + m[4],
		})
	}
	return list
}

// laidFile is the path of a file that writeOverlay wrote, as the compiler prints it.
var laidFile = regexp.MustCompile(`[^\s:]*/overlay/([0-9a-f]{24}-[^\s:/]+)`)

// original returns output with the names of files that were laid over others, as they are called in the version.
func (r *Request) original(output string, files map[string][]byte) string {
	names := map[string]string{}
	for name, content := range files {
		shown := name
		if rel, err := filepath.Rel(r.Dir, name); err == nil && filepath.IsLocal(rel) {
			shown = rel
		}
		names[laidName(name, content)] = shown
	}
	return laidFile.ReplaceAllStringFunc(output, func(path string) string {
		if name := names[laidFile.FindStringSubmatch(path)[1]]; name != "" {
			return name
		}
		return path
	})
}

// packageIn returns the package with files of ours in whose folder a file lies.
func (r *Request) packageIn(file string) string {
	if !strings.HasSuffix(file, ".go") {
		return ""
	}
	if !filepath.IsAbs(file) {
		file = filepath.Join(r.Dir, file)
	}
	for path, dir := range r.Parts {
		if filepath.Dir(file) == dir {
			return path
		}
	}
	return ""
}
