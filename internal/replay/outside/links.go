package outside

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/repository"
)

// sources checks the links that a build of the module follows: on the way to its packages and their imports, and files
// in their folders. It returns links of the tree to allowed folders, changed to lead to the copies.
func (c *check) sources(patterns []string) ([]repository.Addition, error) {
	leading, err := c.outward()
	if err != nil || !leading {
		return nil, err
	}
	s := &search{check: c, seen: map[place]bool{}, moved: map[string]string{}}
	if err := s.start(patterns); err != nil {
		return nil, err
	}
	for len(s.waiting) > 0 {
		next := s.waiting[0]
		s.waiting = s.waiting[1:]
		if err := s.folder(next); err != nil {
			return nil, err
		}
	}
	var links []repository.Addition
	for name, target := range s.moved {
		links = append(links, repository.Addition{Name: name, Text: target, Link: true})
	}
	slices.SortFunc(links, func(a, b repository.Addition) int { return strings.Compare(a.Name, b.Name) })
	return links, nil
}

// outward reports whether any link leads out of its territory. Usually none does, and no file needs to be read.
func (c *check) outward() (bool, error) {
	for _, t := range append([]*territory{c.tree}, c.territories...) {
		found := false
		err := filepath.WalkDir(t.dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.Type()&fs.ModeSymlink == 0 {
				return err
			}
			rel, _ := within(t.dir, name)
			to, out := c.follow(place{t, "."}, rel)
			if found = out != nil || to.in != t; found {
				return filepath.SkipAll
			}
			return nil
		})
		if err != nil {
			return false, fmt.Errorf("look for links: %w", err)
		}
		if found {
			return true, nil
		}
	}
	return false, nil
}

// A search visits the folders of the packages that a build may read.
type search struct {
	*check
	waiting []place
	seen    map[place]bool
	moved   map[string]string // links of the tree to allowed folders → their targets
}

// start notes the folders of all known modules, and the folders in patterns.
func (s *search) start(patterns []string) error {
	for _, known := range s.known {
		if err := s.packages(known.place); err != nil {
			return err
		}
	}
	for _, pattern := range patterns {
		if folder, ok := patternFolder(pattern); ok {
			if err := s.visit(s.home, folder); err != nil {
				return err
			}
		}
	}
	return s.visit(s.vendoring(), "vendor")
}

// vendoring returns the folder whose vendor folder the go command may use.
func (s *search) vendoring() place {
	if rel, ok := within(s.module.Tree, s.module.Workspace); ok && s.module.Workspace != "" {
		return place{s.tree, path.Dir(rel)}
	}
	return s.home
}

// packages notes the folders below a module's folder that may contain packages.
func (s *search) packages(from place) error {
	err := filepath.WalkDir(from.path(), func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		rel, _ := within(from.in.dir, name)
		if rel != from.rel {
			base := path.Base(rel)
			_, err := os.Lstat(filepath.Join(name, "go.mod"))
			if err == nil || base == "vendor" || base == "testdata" || strings.HasPrefix(base, ".") ||
				strings.HasPrefix(base, "_") {
				return filepath.SkipDir
			}
		}
		s.note(place{from.in, rel})
		return nil
	})
	if err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("look for links: %w", err)
	}
	return nil
}

func (s *search) note(at place) {
	if !s.seen[at] {
		s.seen[at] = true
		s.waiting = append(s.waiting, at)
	}
}

// visit follows the path of a folder that a build reads, and notes its target.
func (s *search) visit(from place, name string) error {
	to, err := s.read(from, name)
	if err == nil && to.in != nil {
		s.note(to)
	}
	return err
}

// read follows a path that a build reads. It notes links of the tree to allowed folders.
func (s *search) read(from place, name string) (place, error) {
	to, out := s.follow(from, name)
	switch {
	case out != nil && out.link != "":
		return to, fmt.Errorf("%s is a symbolic link that a build follows, and leads out of the repository, to %s: %s",
			out.link, out.to, howToAllow)
	case out != nil:
		return place{}, nil // no import path contains two dots
	case from.in == s.tree && to.in != s.tree:
		s.moves(from, name)
	}
	return to, nil
}

// moves notes the link by which a path leaves the tree for an allowed folder.
func (s *search) moves(from place, name string) {
	at := from
	for element := range strings.SplitSeq(path.Clean(name), "/") {
		next := place{s.tree, path.Join(at.rel, element)}
		to, _ := s.follow(at, element)
		if to.in != s.tree {
			s.moved[next.rel] = to.path()
			return
		}
		at = to
	}
}

// folder checks the files in the folder of a package, and visits their imports.
func (s *search) folder(at place) error {
	entries, err := os.ReadDir(at.path())
	if err != nil {
		return nil // no folder: the go command reports the error
	}
	for _, entry := range entries {
		if !isRead(entry.Name()) {
			continue
		}
		file, err := s.read(at, entry.Name())
		if err == nil {
			err = s.imports(file)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// imports visits the folders of the imports of a Go file.
func (s *search) imports(file place) error {
	if !strings.HasSuffix(file.rel, ".go") || strings.HasSuffix(file.rel, "_test.go") {
		return nil
	}
	text, err := repository.ReadFile(file.in.dir, filepath.FromSlash(file.rel))
	if err != nil {
		return nil // a dangling link, or no file
	}
	parsed, _ := parser.ParseFile(token.NewFileSet(), file.rel, text, parser.ImportsOnly)
	if parsed == nil {
		return nil
	}
	for _, spec := range parsed.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		if err := s.imported(imported); err != nil {
			return err
		}
	}
	return nil
}

// imported visits the folder of an imported package in every place that the go command may use.
func (s *search) imported(name string) error {
	if err := s.visit(s.vendoring(), "vendor/"+name); err != nil {
		return err
	}
	for _, known := range s.known {
		rest, ok := strings.CutPrefix(name, known.path)
		if !ok || rest != "" && rest[0] != '/' {
			continue
		}
		if err := s.visit(known.place, "./"+rest); err != nil {
			return err
		}
	}
	return nil
}

// isRead reports whether the go command reads files of that name in a package's folder.
func isRead(name string) bool {
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") {
		return false
	}
	return slices.Contains(strings.Fields(readNames), name) ||
		slices.Contains(strings.Fields(readSuffixes), path.Ext(name))
}

const (
	readNames    = "go.mod go.sum go.work go.work.sum modules.txt default.pgo"
	readSuffixes = ".go .c .cc .cpp .cxx .m .h .hh .hpp .hxx .f .F .for .f90 .s .S .sx .swig .swigcxx .syso"
)
