package main

import (
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/explain"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/extent"
)

// sources finds the lines of functions in the versions of a report.
type sources struct {
	several bool // files are named from the repository's root
	modules []moduleAt
	of      map[spectra.Side]*sourceOf
}

// A moduleAt is a module and its folder in the repository.
type moduleAt struct{ path, folder string }

// A sourceOf is one version. Its files are kept once they were read.
type sourceOf struct {
	snapshot *repository.Snapshot // nil: it can't be read
	missing  string               // why
	note     string
	files    map[string][]byte
}

// openSources opens the versions of a report in the repository at a folder, as far as they are there.
func openSources(r *report.Report, dir string) *sources {
	s := &sources{several: len(r.Modules) > 0, of: map[spectra.Side]*sourceOf{}}
	repo, err := repository.Open(dir)
	for side, revision := range map[spectra.Side]report.Revision{spectra.Old: r.Old, spectra.New: r.New} {
		of := &sourceOf{files: map[string][]byte{}}
		s.of[side] = of
		if revision.Commit == report.Worktree {
			of.note = "from the working tree as it is now"
		}
		var opened error
		if err == nil {
			of.snapshot, opened = repo.Snapshot(revision.Commit)
		}
		switch {
		case err != nil:
			of.missing = "the source is not there: " + err.Error()
		case opened != nil:
			of.missing = "the source is not there: " + opened.Error()
		}
	}
	if err == nil {
		s.modules = s.modulesOf(r, repo.Sub)
	}
	return s
}

func (s *sources) close() {
	for _, of := range s.of {
		if of.snapshot != nil {
			of.snapshot.Close()
		}
	}
}

// modulesOf returns the modules of a report, those whose path is longest first. Of a single one the report does not say
// where it is: at the folder that the user named, or above.
func (s *sources) modulesOf(r *report.Report, sub string) (list []moduleAt) {
	for i := range r.Modules {
		if m := &r.Modules[i]; m.Subject != nil && m.Subject.Module != "" {
			list = append(list, moduleAt{m.Subject.Module, path.Clean(m.Folder)})
		}
	}
	if !s.several {
		list = []moduleAt{{r.Subject.Module, s.above(r.Subject.Module, sub)}}
	}
	slices.SortStableFunc(list, func(one, other moduleAt) int { return len(other.path) - len(one.path) })
	return list
}

// above returns the folder of a module, the given one or one above.
func (s *sources) above(module, sub string) string {
	for at := sub; ; at = path.Dir(at) {
		for _, side := range []spectra.Side{spectra.New, spectra.Old} {
			if data := s.of[side].read(path.Join(at, "go.mod")); modfile.ModulePath(data) == module {
				return at
			}
		}
		if at == "." {
			return sub
		}
	}
}

// read returns the content of a file; nil if it can't be read.
func (of *sourceOf) read(name string) []byte {
	if of.snapshot == nil {
		return nil
	}
	data, known := of.files[name]
	if !known {
		data, _ = of.snapshot.ReadFile(name) // what can't be read is not there
		of.files[name] = data
	}
	return data
}

// find returns the lines of a declaration in a version.
func (s *sources) find(side spectra.Side, name string, at *report.Position) explain.Source {
	of := s.of[side]
	if of == nil || of.snapshot == nil {
		why := "the source is not there"
		if of != nil {
			why = of.missing
		}
		return explain.Source{Missing: why}
	}
	file := ""
	if at != nil {
		file = path.Clean(at.File)
		if !s.several && len(s.modules) > 0 {
			file = path.Join(s.modules[0].folder, at.File)
		}
		if out, found := of.in(file, name); found {
			return out
		}
	}
	folder, known := s.folder(spectra.Symbol(name).Package())
	if known {
		for _, f := range of.goFiles(folder) {
			if out, found := of.in(f, name); found {
				return out
			}
		}
	}
	if at != nil && at.Side == side {
		if out, found := of.lines(file, at.Line, max(at.Line, at.EndLine)); found {
			return out
		}
	}
	if !known {
		return explain.Source{Missing: "it is not in this repository"}
	}
	return explain.Source{Absent: true}
}

// folder returns the folder of a package in the repository.
func (s *sources) folder(pkg string) (folder string, known bool) {
	for _, m := range s.modules {
		if pkg == m.path {
			return m.folder, true
		}
		if rest, below := strings.CutPrefix(pkg, m.path+"/"); below && m.path != "" {
			return path.Join(m.folder, rest), true
		}
	}
	if name, test := strings.CutSuffix(pkg, "_test"); test { // tests beside a package
		return s.folder(name)
	}
	return "", false
}

// goFiles returns the Go files of a folder, tests last.
func (of *sourceOf) goFiles(folder string) (list []string) {
	names, _ := of.snapshot.Files(folder) // without it nothing is found
	var tests []string
	for _, name := range names {
		switch full := path.Join(folder, name); {
		case strings.HasSuffix(name, "_test.go"):
			tests = append(tests, full)
		case strings.HasSuffix(name, ".go"):
			list = append(list, full)
		}
	}
	return append(list, tests...)
}

// in returns a declaration in a file.
func (of *sourceOf) in(file, name string) (explain.Source, bool) {
	data := of.read(file)
	if data == nil {
		return explain.Source{}, false
	}
	first, last := extent.Find(data, spectra.Symbol(name))
	if first == 0 {
		return explain.Source{}, false
	}
	return of.lines(file, first, last)
}

// lines returns lines of a file.
func (of *sourceOf) lines(file string, first, last int) (explain.Source, bool) {
	all := strings.Split(string(of.read(file)), "\n")
	if first < 1 || first > len(all) || file == "" {
		return explain.Source{}, false
	}
	lines := all[first-1 : min(last, len(all))]
	for i := range lines {
		lines[i] = strings.TrimSuffix(lines[i], "\r")
	}
	return explain.Source{File: file, First: first, Lines: lines, Note: of.note}, true
}
