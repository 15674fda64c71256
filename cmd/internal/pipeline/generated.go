package pipeline

import (
	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/replay/search"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// keepCorpus keeps the examples of the roots, and of the sequences that run the change each shortest one that runs the
// same of it.
func keepCorpus(folder string, sequences []selection.Sequence, findings []*diff.Finding) error {
	if folder == "" {
		return nil
	}
	var list []sequence.Sequence
	for _, f := range findings {
		if f.Example.Case != nil {
			list = append(list, f.Example.Case.Sequence)
		}
	}
	return search.WriteCorpus(folder, append(list, selection.Shortest(sequences)...))
}
