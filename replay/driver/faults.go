package driver

// This file reads from the output of a build which packages are at fault.

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/replay/fault"
	"github.com/spectradiff/spectradiff/spectra"
)

const compiling = "compiling it with what was added to it"

// faults returns the packages with files of ours in which the go command found errors, with the first error of each. It
// writes "# path" in front of the compiler's errors in a package, and nothing in front of its own.
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
		known := slices.ContainsFunc(list, func(f *fault.Fault) bool { return f.Package == of })
		if r.Parts[of] != "" && !known && line != "" {
			list = append(list, &fault.Fault{Package: of, Step: compiling, Reason: line, Ours: true})
		}
	}
	return list
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

// together returns the faults of both versions as one error, or the first error that is about more than packages.
func together(errs spectra.Pair[error]) error {
	var all fault.List
	for _, s := range spectra.Sides() {
		err := *errs.Of(s)
		var list fault.List
		if err != nil && !errors.As(err, &list) {
			return err
		}
		for _, f := range list {
			f.Side = s
		}
		all = append(all, list...)
	}
	if len(all) > 0 {
		return all
	}
	return nil
}
