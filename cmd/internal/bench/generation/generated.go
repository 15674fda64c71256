package generation

import (
	"context"
	"errors"
	"fmt"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/search"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
)

// directed is the generator as it is where nothing changed: for all of the time.
func directed() search.Without { return search.Without{Inside: true, End: true} }

// undirected calls at random: nothing is known but signatures, and nothing is learned.
func undirected() search.Without {
	return search.Without{
		New: true, Operands: true, Tests: true, Tokens: true, Cells: true, Given: true, Inside: true,
		Literals: true, Feedback: true, End: true,
	}
}

// generate generates sequences for a module that is compared with itself. It returns the module's blocks, and the
// numbers of those that ran.
func (m *measuring) generate(
	ctx context.Context, dir string, without search.Without,
) (found *scope, ran map[uint32]bool, err error) {
	found, ran = &scope{}, map[uint32]bool{}
	_, err = pipeline.Run(ctx, pipeline.Config{
		Dir: filepath.Join(dir, "source"), Args: []string{released, released}, Seed: 1, Budget: m.Budget, All: true,
		Drive: []string{"api"}, FailOn: string(report.FailAny), Jobs: processors, NoProof: true, Without: without,
		Cache: cache.Settings{Folder: filepath.Join(dir, "cache")}, Tool: "bench", Progress: m.Progress,
		Told: func(of instrument.Packages, kept []selection.Sequence) {
			found.packages = of
			for _, q := range kept {
				if q.Outcomes.Old != nil {
					for _, id := range q.Outcomes.Old.Coverage {
						ran[id] = true
					}
				}
			}
		},
	})
	if err == nil && found.packages == nil {
		err = errors.New("nothing could be generated")
	}
	return found, ran, err
}

// A scope says which statements count.
type scope struct {
	packages instrument.Packages
	counted  map[uint32]bool // numbers of blocks
	exported []exported      // packages that others can import, in their order
	module   string          // path
}

// An exported package is one that others can import.
type exported struct {
	dir, name    string
	constructors []string // functions that return a value of one of its types
}

// restrict restricts the scope to what exported functions can reach.
func (s *scope) restrict(dir string) error {
	const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
		packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedModule | packages.NeedDeps
	loaded, err := packages.Load(&packages.Config{
		Mode: mode, Dir: dir, Env: append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod"),
	}, "./...")
	if err != nil {
		return fmt.Errorf("load %s: %w", dir, err)
	}
	for _, p := range loaded {
		if !outside(p) {
			continue
		}
		s.module = p.Module.Path
		s.exported = append(s.exported, exported{filepath.Dir(p.GoFiles[0]), p.Name, constructors(p.Types)})
	}
	reached := static.New(loaded, nil).ReachedBy(func(o types.Object) bool {
		return o.Exported() && slices.ContainsFunc(loaded, func(p *packages.Package) bool {
			return p.Types == o.Pkg() && outside(p)
		})
	})
	s.counted = map[uint32]bool{}
	for _, point := range s.packages.Points() {
		if reached[point.Symbol.Declared()] {
			for _, id := range s.packages.BlocksOf(point.Symbol) {
				s.counted[id] = true
			}
		}
	}
	return nil
}

// constructors lists the exported functions of a package whose first result is one of its types, or a pointer to one.
func constructors(pkg *types.Package) (names []string) {
	for _, name := range pkg.Scope().Names() {
		f, ok := pkg.Scope().Lookup(name).(*types.Func)
		if !ok || !f.Exported() || f.Signature().Results().Len() == 0 {
			continue
		}
		t := f.Signature().Results().At(0).Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if of, ok := t.(*types.Named); ok && of.Obj().Pkg() == pkg && of.NumMethods() > 0 {
			names = append(names, name)
		}
	}
	return names
}

// outside reports whether other modules can import a package.
func outside(p *packages.Package) bool {
	return p.Name != "main" && len(p.GoFiles) > 0 && p.Module != nil &&
		!slices.Contains(strings.Split(p.PkgPath, "/"), "internal")
}

// statements counts the statements of the scope that ran; with nil all.
func (s *scope) statements(ran map[uint32]bool) (n int) {
	s.packages.Blocks(func(id uint32, _ string, _ int, b spectra.Block) {
		if s.counted[id] && (ran == nil || ran[id]) {
			n += b.Statements
		}
	})
	return n
}

// printMissed lists the functions with statements that the generator did not run, with how many were run by each.
func (s *scope) printMissed(out io.Writer, ran [means]map[uint32]bool) {
	type line struct {
		missed int
		text   string
	}
	var lines []line
	for _, point := range s.packages.Points() {
		if point.Symbol.Declared() != point.Symbol {
			continue
		}
		all, of := 0, [means]int{}
		ids := s.packages.BlocksOf(point.Symbol)
		s.packages.Blocks(func(id uint32, _ string, _ int, b spectra.Block) {
			if !s.counted[id] || !slices.Contains(ids, id) {
				return
			}
			all += b.Statements
			for i := range of {
				if ran[i][id] {
					of[i] += b.Statements
				}
			}
		})
		if missed := all - of[generated]; missed > 0 {
			lines = append(lines, line{missed, fmt.Sprintf("    %s: generated %d, fuzzed %d, at random %d of %d",
				point.Symbol.Short(), of[generated], of[fuzzed], of[random], all)})
		}
	}
	slices.SortStableFunc(lines, func(x, y line) int { return y.missed - x.missed })
	for _, l := range lines {
		fmt.Fprintln(out, l.text)
	}
}
