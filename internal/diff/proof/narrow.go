package proof

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/hybrid"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// A NarrowInput has what Narrow needs: the changes, the sources and a builder of programs of both versions.
type NarrowInput struct {
	Env     *replay.Workers
	Changes *source.Changes
	Dirs    spectra.Pair[string] // where the files of the versions lie

	// Program builds a program that is new with patches. It also returns the functions that do not compile with theirs.
	Program func(context.Context, []hybrid.Patch) (*Subject, []spectra.Symbol, error)
}

// mostPlaces is how many places of a function are tried, and so how many programs are built but for one.
const mostPlaces = 4

// A place is changed lines that are taken back together.
type place []source.Hunk

// A function changed at several places.
type function struct {
	name     spectra.Symbol
	file     string
	old      []string // lines of the file
	places   []place
	findings []int
}

// Narrow finds the one changed place that is the cause, for findings whose proven root is a function that changed at
// several places. It returns the findings with Proof.Alone set where old with this place of new shows the effect, and
// new with this place of old does not. A place is a run of changed lines; of too many places, neighbours count as one.
// All findings are tried on the same few programs. A place that does not compile without the others counts as no place.
func (in NarrowInput) Narrow(ctx context.Context, findings []*diff.Finding) ([]*diff.Finding, error) {
	functions := in.functions(findings)
	sufficient := map[int][]int{} // finding → places
	for i := range mostPlaces {
		after, found, err := in.try(ctx, findings, functions, Sufficient, func(f *function) []hybrid.Patch {
			return in.taken(f, func(n int) bool { return n != i }, i)
		})
		if err != nil {
			return nil, err
		}
		findings = after
		for n, is := range found {
			if is {
				sufficient[n] = append(sufficient[n], i)
			}
		}
	}
	chosen := func(f *function) (int, bool) {
		for _, n := range f.findings {
			if len(sufficient[n]) == 1 {
				return sufficient[n][0], true
			}
		}
		return 0, false
	}
	list, necessary, err := in.try(ctx, findings, functions, Necessary, func(f *function) []hybrid.Patch {
		i, ok := chosen(f)
		if !ok {
			return nil
		}
		return in.taken(f, func(n int) bool { return n == i }, i)
	})
	if err != nil {
		return nil, err
	}
	list = slices.Clone(list)
	for _, f := range functions {
		i, ok := chosen(f)
		for _, n := range f.findings {
			if ok && necessary[n] && slices.Equal(sufficient[n], []int{i}) {
				one, proof := *list[n], *list[n].Proof
				proof.Alone = &diff.Alone{Position: f.places[i].position(f.file), Of: len(f.places)}
				one.Proof, list[n] = &proof, &one
			}
		}
	}
	return list, nil
}

// A trial asks a program of some findings: it returns all findings with the trials counted, and of which it is true.
type trial func(
	context.Context, *replay.Workers, *Subject, []*diff.Finding, []int,
) ([]*diff.Finding, map[int]bool, error)

// try builds a program with patches of the functions, and tries the findings of those that have some.
func (in *NarrowInput) try(
	ctx context.Context, findings []*diff.Finding, functions []*function, says trial,
	patched func(*function) []hybrid.Patch,
) ([]*diff.Finding, map[int]bool, error) {
	var patches []hybrid.Patch
	var tried []*function
	for _, f := range functions {
		if list := patched(f); len(list) > 0 {
			patches, tried = append(patches, list...), append(tried, f)
		}
	}
	if len(patches) == 0 || in.Env.Over() {
		return findings, nil, nil
	}
	program, unpatched, err := in.Program(ctx, patches)
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case err != nil:
		in.Env.Detailf("with a part of the changed places: %v", err)
		return findings, nil, nil
	}
	var some []int
	for _, f := range tried {
		if slices.Contains(unpatched, f.name) {
			in.Env.Detailf("%s does not compile with a part of its changed places", f.name)
			continue
		}
		some = append(some, f.findings...)
	}
	return says(ctx, in.Env, program, findings, some)
}

// functions returns the functions that changed at several places, and are proven roots.
func (in *NarrowInput) functions(findings []*diff.Finding) []*function {
	var list []*function
	byName := map[spectra.Symbol]*function{}
	for i, of := range findings {
		name, p := of.Blamed.Symbol, of.Proof
		if !p.Confirmed() || !p.Necessary || len(of.With())+len(p.Instead) > 0 {
			continue
		}
		f := byName[name]
		if f == nil {
			f = in.function(name)
			if byName[name] = f; len(f.places) > 1 {
				list = append(list, f)
			}
		}
		f.findings = append(f.findings, i)
	}
	return list
}

// function returns a function with the places at which it changed, as far as all of these lie inside it.
func (in *NarrowInput) function(name spectra.Symbol) *function {
	f := &function{name: name}
	i := slices.IndexFunc(in.Changes.Declarations, func(c source.Change) bool {
		return c.Symbol == name && c.Kind == source.Function && c.What == spectra.ChangeModified &&
			c.Old.File == c.New.File
	})
	if i < 0 {
		return f
	}
	c := in.Changes.Declarations[i]
	var lines spectra.Pair[[]string]    // of the file
	var code spectra.Pair[map[int]bool] // of these, those that are not only comments
	for _, s := range spectra.Sides() {
		text, err := os.ReadFile(filepath.Join(*in.Dirs.Of(s), c.New.File))
		if err != nil {
			in.Env.Detailf("changed places of %s: %v", name, err)
			return f
		}
		*lines.Of(s), *code.Of(s) = strings.SplitAfter(string(text), "\n"), source.Coded(text)
	}
	var hunks []source.Hunk
	for _, h := range in.Changes.Hunks(c.New.File) {
		switch {
		case !h.New.Touch(c.New) && !h.Old.Touch(c.Old), silent(h, code):
		case !inside(h.New, c.New) || !inside(h.Old, c.Old):
			return f
		default:
			hunks = append(hunks, h)
		}
	}
	f.file, f.old, f.places = c.New.File, lines.Old, places(hunks)
	return f
}

func of(lines []string, l source.Lines) []string { return lines[l.Start-1 : l.Start-1+l.Count] }

// silent reports whether changed lines hold comments alone, on both sides.
func silent(h source.Hunk, code spectra.Pair[map[int]bool]) bool {
	for _, s := range spectra.Sides() {
		for i := range h.Of(s).Count {
			if (*code.Of(s))[h.Of(s).Start+i] {
				return false
			}
		}
	}
	return true
}

// places puts neighbours together where there are many.
func places(hunks []source.Hunk) []place {
	n := min(len(hunks), mostPlaces)
	list := make([]place, n)
	for i, h := range hunks {
		at := i * n / len(hunks)
		list[at] = append(list[at], h)
	}
	return list
}

// inside reports whether lines are some of a function. Where none are, but only lines that went, they stood behind its
// first line.
func inside(l source.Lines, f spectra.Lines) bool {
	return l.Start >= f.Line && l.Start+l.Count-1 <= f.EndLine && (l.Count > 0 || l.Start > f.Line)
}

// taken returns the patches that take back places of a function; none if it does not have a place.
func (in *NarrowInput) taken(f *function, back func(int) bool, has int) []hybrid.Patch {
	if has >= len(f.places) {
		return nil
	}
	var list []hybrid.Patch
	for n, p := range f.places {
		if !back(n) {
			continue
		}
		for _, h := range p {
			text := strings.Join(of(f.old, h.Old), "")
			list = append(list, hybrid.Patch{
				Function: f.name, File: filepath.Join(in.Dirs.New, f.file), Start: h.New.Start, Count: h.New.Count,
				// Lines behind it stay where they are, if there is room.
				Text: text + strings.Repeat("\n", max(0, h.New.Count-h.Old.Count)),
			})
		}
	}
	return list
}

// position returns where a place stands in new, or in old if new has none of it.
func (p place) position(file string) diff.Position {
	for _, s := range []spectra.Side{spectra.New, spectra.Old} {
		at := diff.Position{Side: s, File: file}
		for _, h := range p {
			l := *h.Of(s)
			if l.Count == 0 {
				continue
			}
			if at.Line == 0 {
				at.Line = l.Start
			}
			at.EndLine = l.Start + l.Count - 1
		}
		if at.Line > 0 {
			return at
		}
	}
	return diff.Position{}
}
