package spectra

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// SameOutputs reports whether a caller and the system saw the same of two runs of a sequence: results and panics of its
// statements, printed text, files, calls of functions that were arguments, and the end. Runs that a limit ended can't
// be told apart so; they count as the same.
func SameOutputs(old, new *Spectrum) bool {
	if old.unfinished() || new.unfinished() {
		return true
	}
	for i := range min(len(old.Steps), len(new.Steps)) {
		if x, y := old.Steps[i], new.Steps[i]; x.Ran && y.Ran &&
			(x.Panic != y.Panic || !sameDigests(x.Results, y.Results)) {
			return false
		}
	}
	sameCalls := slices.EqualFunc(
		old.StubCalls,
		new.StubCalls,
		func(x, y StubCall) bool { return x.Digest == y.Digest },
	)
	return sameCalls && old.Stdout == new.Stdout && old.Stderr == new.Stderr && old.End.String() == new.End.String() &&
		sameFiles(old.Files, new.Files)
}

// unfinished reports whether a limit ended the run, or its recording.
func (s *Spectrum) unfinished() bool { return s.End.Kind == wire.EndTimeout || s.Truncated }

func sameDigests(old, new []Output) bool {
	return slices.EqualFunc(old, new, func(x, y Output) bool { return x.Digest == y.Digest })
}

// sameFiles compares files by their names, whatever their order.
func sameFiles(old, new []FileOutput) bool {
	if len(old) != len(new) {
		return false
	}
	files := make(map[string]FileOutput, len(old))
	for _, f := range old {
		files[f.Name] = f
	}
	return !slices.ContainsFunc(new, func(f FileOutput) bool {
		other, ok := files[f.Name]
		return !ok || other != f
	})
}
