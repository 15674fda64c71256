package source

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A Module is one version of a module, as Diff needs to know it.
type Module struct {
	Dir  string // absolute
	Path string // module path
	Tree string // absolute root of the version's files: Dir or above it

	Workspace string // absolute path of the go.work that uses it; "" = none
}

// Diff compares two versions of a module. Set are the build tags beside the system's, "cgo" among them.
func Diff(modules spectra.Pair[Module], set ...string) (*Changes, error) {
	c := &comparison{tags: tags{}}
	for _, tag := range set {
		c.tags[tag] = true
	}
	for _, name := range spectra.Sides() {
		module := *modules.Of(name)
		files, err := moduleFiles(module.Dir)
		if err != nil {
			return nil, fmt.Errorf("compare versions: list %s: %w", module.Path, err)
		}
		*c.Of(name) = &side{name: name, module: module, files: files, goFiles: goFilesOf(files), tags: c.tags}
	}
	if err := c.files(); err != nil {
		return nil, fmt.Errorf("compare versions: %w", err)
	}
	c.Old.common = c.commonGo()
	c.New.common = c.Old.common
	c.declarations()
	c.modules()
	c.sort()
	return &c.changes, nil
}

// side is one version in a comparison.
type side struct {
	name    spectra.Side
	module  Module
	files   map[string]fs.FileMode
	tags    tags
	goFiles map[string][]string // by folder, sorted
	embeds  []string            // //go:embed patterns outside of tests, from the module's folder
	common  string              // the version of Go in go.mod, if both versions have the same
}

type comparison struct {
	spectra.Pair[*side]
	tags    tags
	changes Changes
}

// keysOfEither returns the keys of two maps, sorted.
func keysOfEither[V any](old, new map[string]V) []string {
	keys := slices.AppendSeq(slices.Collect(maps.Keys(old)), maps.Keys(new))
	slices.Sort(keys)
	return slices.Compact(keys)
}

// moduleFiles returns the files of a module with their modes. Files of other modules below its folder are not
// part of it, unless they are vendored.
func moduleFiles(dir string) (map[string]fs.FileMode, error) {
	files := map[string]fs.FileMode{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name == dir {
				return nil
			}
			vendored := strings.Contains(name[len(dir):], "/vendor/")
			if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil && !vendored || d.Name() == ".git" {
				return filepath.SkipDir
			}
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		files[filepath.ToSlash(rel)] = info.Mode()
		return err
	})
	return files, err
}

// goFilesOf returns the Go files of each folder, sorted.
func goFilesOf(files map[string]fs.FileMode) map[string][]string {
	folders := map[string][]string{}
	for name := range files {
		if strings.HasSuffix(name, ".go") {
			folders[path.Dir(name)] = append(folders[path.Dir(name)], name)
		}
	}
	for _, names := range folders {
		slices.Sort(names)
	}
	return folders
}

// content returns a file's text, or nothing for a file that isn't there. Of a symlink it is the text of the file that
// it leads to, which the go command reads, or the link's target if that is no file of the version.
func (s *side) content(name string) ([]byte, error) {
	mode, ok := s.files[name]
	if !ok {
		return nil, nil
	}
	full := filepath.Join(s.module.Dir, filepath.FromSlash(name))
	if mode&fs.ModeSymlink == 0 || s.leadsInside(name) {
		return readText(full)
	}
	target, err := os.Readlink(full)
	return []byte(target), err
}

// leadsInside reports whether a symlink leads to a regular file of the version.
func (s *side) leadsInside(name string) bool {
	file := s.inTree(filepath.Join(s.module.Dir, filepath.FromSlash(name)))
	if file == "" {
		return false
	}
	info, err := os.Lstat(file)
	return err == nil && info.Mode().IsRegular()
}

// files finds the files that differ.
func (c *comparison) files() error {
	for _, name := range keysOfEither(c.Old.files, c.New.files) {
		old, err := c.Old.content(name)
		if err != nil {
			return err
		}
		new, err := c.New.content(name)
		if err != nil {
			return err
		}
		c.Old.addEmbeds(name, old)
		c.New.addEmbeds(name, new)
		oldMode, before := c.Old.files[name]
		newMode, after := c.New.files[name]
		if before && after && oldMode == newMode && bytes.Equal(old, new) {
			continue
		}
		c.file(name, old, new, what(before, after))
	}
	for i := range c.changes.Files {
		f := &c.changes.Files[i]
		f.Embedded = c.Old.embedded(f.Path) || c.New.embedded(f.Path)
		if f.Embedded && f.Kind == OtherFile {
			f.Kind = EmbeddedFile
		}
	}
	return nil
}

func what(before, after bool) spectra.Change {
	switch {
	case !before:
		return spectra.ChangeAdded
	case !after:
		return spectra.ChangeRemoved
	}
	return spectra.ChangeModified
}

func (c *comparison) file(name string, old, new []byte, what spectra.Change) {
	f := FileChange{
		Path: name, What: what, Kind: kind(name),
		Test:   strings.HasSuffix(name, "_test.go"),
		Vendor: within(name, "vendor"),
	}
	if f.Kind == GoFile {
		f.Hunks = lineHunks(textLines(old), textLines(new))
		leave(f.Hunks, spectra.Old, old)
		leave(f.Hunks, spectra.New, new)
		f.Other = (what == spectra.ChangeAdded || c.leftOut(name, old)) &&
			(what == spectra.ChangeRemoved || c.leftOut(name, new))
		f.Imports = what == spectra.ChangeModified && !slices.Equal(importsOf(name, old), importsOf(name, new))
	}
	c.changes.Files = append(c.changes.Files, f)
}

// importsOf lists the paths that a Go file imports, sorted, with a dot before those whose names are the file's own.
func importsOf(name string, text []byte) (paths []string) {
	file, err := parseHeader(name, text)
	if err != nil { // a problem, which says more
		return nil
	}
	for _, spec := range file.Imports {
		path := spec.Path.Value
		if spec.Name != nil && spec.Name.Name == "." {
			path = "." + path
		}
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// leftOut reports whether no build on this host takes a Go file.
func (c *comparison) leftOut(name string, text []byte) bool {
	file, err := parseHeader(name, text)
	return err == nil && c.tags.excluded(name, file)
}

// within reports whether a path leads through a folder of that name.
func within(name, folder string) bool {
	return strings.HasPrefix(name, folder+"/") || strings.Contains(name, "/"+folder+"/")
}

// kind returns what a file is to a build because of its name.
func kind(name string) FileKind {
	switch base := path.Base(name); {
	case name == "go.mod", name == "go.sum", name == "go.work", name == "go.work.sum", name == "vendor/modules.txt":
		return ModuleFile
	case within(name, "testdata"):
		return TestdataFile
	case strings.HasSuffix(base, ".go"):
		return GoFile
	case Native(base):
		return NativeFile
	}
	return OtherFile
}

// Native reports whether the go command may have a file compiled that is not Go, or linked, because of its name. C code
// may include it, and cgo's flags may name it.
func Native(name string) bool { return slices.Contains(nativeSuffixes, path.Ext(name)) }

// Header reports whether a file is there to be included by others, because of its name.
func Header(name string) bool {
	return Native(name) && (strings.HasPrefix(path.Ext(name), ".h") || path.Ext(name) == ".inc")
}

var nativeSuffixes = strings.Fields(".c .cc .cpp .cxx .m .mm .h .hh .hpp .hxx .inc .f .F .for .f90 .s .S .sx " +
	".swig .swigcxx .syso .a .so .o")

func (c *comparison) sort() {
	slices.SortFunc(c.changes.Declarations, func(one, other Change) int {
		return cmp.Or(
			cmp.Compare(one.Package, other.Package),
			cmp.Compare(one.File, other.File),
			cmp.Compare(one.New.Line, other.New.Line),
			cmp.Compare(one.Old.Line, other.Old.Line),
			cmp.Compare(one.Symbol, other.Symbol),
			cmp.Compare(one.Kind, other.Kind),
			cmp.Compare(one.What, other.What),
		)
	})
	slices.SortFunc(c.changes.Modules, func(one, other ModuleChange) int { return cmp.Compare(one.Path, other.Path) })
	slices.SortFunc(c.changes.Problems, func(one, other Problem) int {
		return cmp.Compare(one.String(), other.String())
	})
	c.changes.Problems = slices.Compact(c.changes.Problems)
}
