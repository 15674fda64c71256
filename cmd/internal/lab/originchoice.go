package main

import (
	"context"
	"encoding/json"
	"fmt"
	"go/build"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/spectradiff/spectradiff/cmd/internal/lab/origins"
)

// faultTries is how many faults of a function are compiled at most.
const faultTries = 4

// A candidate is a package in which faults can be seeded.
type candidate struct {
	folder    string // relative to the clone
	functions []origins.Function
	command   bool
	builds    bool // it was built without faults
}

// choose chooses faults: one in each package, then a second one, and so on; in commands where nothing else is left.
// The function's text is the same in all commits, and its package in the newest one compiles with the fault.
func (s *seeding) choose(ctx context.Context) error {
	all, err := s.candidates()
	if err != nil {
		return err
	}
	for _, commands := range []bool{false, true} {
		list := slices.DeleteFunc(slices.Clone(all), func(c *candidate) bool { return c.command != commands })
		for len(list) > 0 && len(s.history.Seeds) < s.seeds {
			for _, c := range list[:min(len(list), s.seeds-len(s.history.Seeds))] {
				if err := s.chooseIn(ctx, c); err != nil {
					return err
				}
			}
			list = slices.DeleteFunc(list, func(c *candidate) bool { return len(c.functions) == 0 })
		}
	}
	if len(s.history.Seeds) == 0 {
		return fmt.Errorf("no function is the same in all %d commits; try fewer, with -commits", len(s.history.Commits))
	}
	for i, after := range s.random.Perm(len(s.history.Commits))[:len(s.history.Seeds)] {
		s.history.Seeds[i].After = after
	}
	return nil
}

// candidates lists the packages of the main module in a random order, each with its functions in a random order.
func (s *seeding) candidates() (list []*candidate, err error) {
	gomod, err := os.ReadFile(s.onDisk(path.Join(s.module, "go.mod")))
	if err != nil {
		return nil, err
	}
	folders := map[string]bool{}
	for name, mode := range s.modes {
		if folder := path.Dir(name); isCode(name) && strings.HasPrefix(mode, "100") && s.isOwn(folder) {
			folders[folder] = true
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		p, err := build.Default.ImportDir(s.onDisk(folder), 0)
		if err != nil || len(p.CgoFiles) > 0 {
			continue // only other systems have it, or it needs more than Go
		}
		files := map[string]string{}
		for _, name := range p.GoFiles {
			text, err := os.ReadFile(filepath.Join(p.Dir, name))
			if err != nil {
				return nil, err
			}
			files[path.Join(folder, name)] = string(text)
		}
		c := &candidate{folder: folder, command: p.IsCommand()}
		c.functions, err = origins.Functions(path.Join(modfile.ModulePath(gomod), s.inModule(folder)), files)
		if err != nil {
			return nil, err
		}
		shuffle(s.random, c.functions)
		list = append(list, c)
	}
	shuffle(s.random, list)
	return list, nil
}

func shuffle[T any](r *rand.Rand, list []T) {
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
}

// onDisk returns where a file or folder of the clone lies.
func (s *seeding) onDisk(name string) string { return filepath.Join(s.clone, filepath.FromSlash(name)) }

// inModule returns the name of a folder of the main module from there.
func (s *seeding) inModule(folder string) string {
	if s.module == "." {
		return folder
	}
	return strings.TrimPrefix(strings.TrimPrefix(folder, s.module), "/")
}

// isOwn reports whether a folder belongs to the main module, and is not there for tests or examples alone.
func (s *seeding) isOwn(folder string) bool {
	for ; folder != s.module; folder = path.Dir(folder) {
		name := path.Base(folder)
		_, other := s.modes[path.Join(folder, "go.mod")]
		if folder == "." || other || strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") ||
			strings.Contains(name, "test") || strings.Contains(name, "example") {
			return false
		}
	}
	return true
}

// chooseIn chooses a fault in the next function of a package in which there is one that will do.
func (s *seeding) chooseIn(ctx context.Context, c *candidate) error {
	if !c.builds {
		if err := s.build(ctx, c, nil); err != nil {
			s.logf("%s is left out: %s", c.folder, firstLine(err.Error()))
			c.functions = nil
			return ctx.Err()
		}
		c.builds = true
	}
	for len(c.functions) > 0 {
		f := c.functions[0]
		c.functions = c.functions[1:]
		if err := s.load(ctx, f.File); err != nil {
			return err
		}
		if !s.history.Verbatim(f) {
			continue
		}
		faults, err := origins.Faults(f, s.random)
		if err != nil {
			return err
		}
		for _, fault := range faults[:min(len(faults), faultTries)] {
			if err := s.build(ctx, c, &fault); err == nil {
				s.history.Seeds = append(s.history.Seeds, origins.Seed{Fault: fault, Mode: s.modes[f.File]})
				return nil
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
	}
	return nil
}

// build builds a package of the newest commit, with a fault unless there is none.
func (s *seeding) build(ctx context.Context, c *candidate, f *origins.Fault) error {
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	if f != nil {
		text, err := os.ReadFile(s.onDisk(f.File))
		if err != nil {
			return err
		}
		faulty := filepath.Join(s.dir, "faulty.go")
		if err := os.WriteFile(faulty, []byte(strings.Replace(string(text), f.Text, f.Faulty, 1)), 0o666); err != nil {
			return err
		}
		overlay.Replace[s.onDisk(f.File)] = faulty
	}
	encoded, err := json.Marshal(overlay)
	if err != nil {
		return err
	}
	list := filepath.Join(s.dir, "overlay.json")
	if err := os.WriteFile(list, encoded, 0o666); err != nil {
		return err
	}
	_, err = goCommand(ctx, s.onDisk(s.module), "build", "-o", os.DevNull, "-overlay", list, "./"+s.inModule(c.folder))
	return err
}
