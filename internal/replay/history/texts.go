package history

import (
	"bytes"
	"path"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/align"
	"github.com/spectradiff/spectradiff/internal/spectra/extent"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// The sides of a step.
const (
	oldSide = iota
	newSide
)

// texts reads and parses the files of the two versions of a step. It keeps those of the step that it was at before:
// what a file becomes by one step is what the next one begins with.
type texts struct {
	repo        *repository.Repository
	commits     [2]string
	open        [2]*repository.Snapshot
	files, last map[string]*file // by git's hash of the content
}

// A file is the content of a file of one version.
type file struct {
	known  bool // it was read, and if it is Go it parses
	golang bool
	hash   string
	lines  []string
	parsed *extent.File
}

// turn goes to another step.
func (t *texts) turn(old, new repository.Commit) {
	t.close()
	t.commits, t.open = [2]string{old.Hash, new.Hash}, [2]*repository.Snapshot{}
	t.files, t.last = map[string]*file{}, t.files
}

func (t *texts) close() {
	for _, s := range t.open {
		if s != nil {
			s.Close()
		}
	}
}

// file returns a file of one side.
func (t *texts) file(side int, v version) *file {
	f := t.files[v.hash]
	if f == nil {
		f = t.last[v.hash]
	}
	if f == nil {
		f = t.read(side, v)
	}
	t.files[v.hash] = f
	return f
}

func (t *texts) read(side int, v version) *file {
	f := &file{hash: v.hash, golang: path.Ext(v.name) == ".go"}
	if t.open[side] == nil {
		opened, err := t.repo.Snapshot(t.commits[side])
		if err != nil {
			return f
		}
		t.open[side] = opened
	}
	text, err := t.open[side].ReadFile(v.name)
	if err != nil {
		return f
	}
	for line := range bytes.Lines(text) {
		f.lines = append(f.lines, string(bytes.TrimRight(line, "\r\n")))
	}
	f.known = true
	if f.golang {
		f.parsed, err = extent.Parse(text)
		f.known = err == nil
	}
	return f
}

// spell adds the tokens of a declaration to a set, if a version of a file has it. It reports whether that is known.
func (t *texts) spell(side int, v version, function string, set map[string]bool) (known bool) {
	if v.hash == "" {
		return true
	}
	f := t.file(side, v)
	switch {
	case !f.known:
	case !f.golang:
		set[f.hash] = true
	case function == "":
		set[tokens(f.lines)] = true
	default:
		if first, last := f.parsed.Find(spectra.Symbol("p." + function)); first > 0 {
			set[tokens(f.lines[first-1:last])] = true
		}
	}
	return f.known
}

// tokens returns the tokens of some lines, without comments and layout.
func tokens(lines []string) string {
	var out strings.Builder
	for t := range symbol.Tokens([]byte(strings.Join(lines, "\n"))) {
		out.WriteString(t.Text)
		out.WriteByte('\n')
	}
	return out.String()
}

// maxEdits bounds the work on one stretch of lines, as for the changed lines of a report.
const maxEdits = 1000

// gaps returns the lines that differ between two versions of a file, if both can be read.
func (t *texts) gaps(old, new version) (gaps []align.Gap, known bool) {
	one, other := t.file(oldSide, old), t.file(newSide, new)
	pairs := align.Equal(one.lines, other.lines, maxEdits)
	return align.Gaps(pairs, len(one.lines), len(other.lines)), one.lines != nil && other.lines != nil
}
