package history

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/spectra/align"
)

// A trace follows the places of a finding from new to old, through renamed files and moved lines.
type trace struct {
	places  []Place // as they are called at the version where the trace is
	folders []string
}

func newTrace(f Finding) *trace {
	t := &trace{places: slices.Clone(f.Places), folders: slices.Clone(f.Folders)}
	for _, p := range f.Places {
		t.folders = append(t.folders, path.Dir(p.File))
	}
	return t
}

// back goes over a step whose changes are given by the names of files, and returns the weight of the step, and whether
// it changes the function.
func (t *trace) back(changes map[string]repository.FileChange, texts *texts) (weight float64, touched bool) {
	weight = changesNothing
	for name := range changes {
		weight = max(weight, t.weight(name))
	}
	before, after := map[string]bool{}, map[string]bool{}
	known, lines := true, false
	for i := range t.places {
		p := &t.places[i]
		c, changed := changes[p.File]
		if !changed {
			continue
		}
		weight = max(weight, changesFile)
		was, now := origin(c, changes), version{c.Name, c.New}
		known = texts.spell(oldSide, was, p.Function, before) && known
		known = texts.spell(newSide, now, p.Function, after) && known
		lines = p.follow(was, now, texts) || lines
		if was.hash != "" {
			p.File = was.name
		}
	}
	touched = !known || !maps.Equal(before, after)
	switch {
	case touched && lines:
		weight = changesLines
	case touched:
		weight = changesBody
	}
	return weight, touched
}

// weight returns the weight of a step that changes a file in which no place is.
func (t *trace) weight(name string) float64 {
	switch dir, base := path.Split(name); {
	case strings.HasSuffix(base, "_test.go") || within(dir, "testdata"):
		return changesTests
	case slices.Contains(moduleFiles, base) || within(dir, "vendor"):
		return changesModule
	case slices.Contains(t.folders, path.Clean(dir)):
		return changesPackage
	}
	return changesOther
}

var moduleFiles = []string{"go.mod", "go.sum", "go.work", "go.work.sum"}

// within reports whether a folder, with a slash at its end, is or lies in one of that name.
func within(dir, name string) bool { return strings.Contains("/"+dir, "/"+name+"/") }

// A version of a file is its name and git's hash of its content; "" = it is not there.
type version struct{ name, hash string }

// origin returns what a changed file was before. A file that appears was renamed if one disappears that has the same
// content, or that alone has the same base name.
func origin(c repository.FileChange, changes map[string]repository.FileChange) version {
	if c.Old != "" || c.New == "" {
		return version{c.Name, c.Old}
	}
	var named []version
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		gone := changes[name]
		switch {
		case gone.New != "":
		case gone.Old == c.New:
			return version{name, gone.Old}
		case path.Base(name) == path.Base(c.Name):
			named = append(named, version{name, gone.Old})
		}
	}
	if len(named) != 1 {
		return version{}
	}
	return named[0]
}

// follow takes the lines of a place back over a change of its file, and reports whether the change touches them. Lines
// that the change adds have no place before it.
func (p *Place) follow(was, now version, texts *texts) bool {
	if p.First == 0 || was.hash == now.hash {
		return false
	}
	if was.hash == "" || now.hash == "" {
		p.First, p.Last = 0, 0
		return was.hash == ""
	}
	gaps, known := texts.gaps(was, now)
	if !known {
		p.First, p.Last = 0, 0
		return true
	}
	var touched bool
	p.First, p.Last, touched = shift(gaps, p.First, p.Last)
	return touched
}

// shift returns the lines before a change of which some became the lines from first to last, and whether the change
// touches these. It returns 0 where there were none.
func shift(gaps []align.Gap, first, last int) (oldFirst, oldLast int, touched bool) {
	oldFirst, oldLast = first, last
	for _, g := range gaps {
		from, to := g.New.From+1, g.New.To // of new, counted from 1; none if to < from
		moved := g.Old.To - g.New.To       // of all lines that follow
		switch {
		case max(from, to) < first:
			oldFirst, oldLast = first+moved, last+moved
		case from > last: // neither this gap nor a later one
		default:
			touched = true
			if from <= first {
				oldFirst = g.Old.From + 1
			}
			oldLast = last + moved
			if to >= last {
				oldLast = g.Old.To
			}
		}
	}
	if oldLast < oldFirst {
		return 0, 0, touched
	}
	return oldFirst, oldLast, touched
}
