package drivers

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// embedded returns what the tests of a package embed and the version whose tests do not run has otherwise, by absolute
// paths there: with other contents, code would be called with other values. An error says why it can't have that.
func (b *TestBuild) embedded(path string, files spectra.Pair[*suite.Files]) (map[string][]byte, error) {
	way := b.ways[path]
	home, other := way.home(), way.home().Other()
	from, to := b.tested(home, path), b.tested(other, path)
	if from == nil || to == nil {
		return nil, nil
	}
	names := append((*files.Of(home)).Embedded(from.Dir), (*files.Of(other)).Embedded(to.Dir)...)
	slices.Sort(names)
	laid := map[string][]byte{}
	for _, name := range slices.Compact(names) {
		text, err := repository.ReadFile(from.Dir, name)
		has, missing := repository.ReadFile(to.Dir, name)
		at := filepath.Join(to.Dir, filepath.FromSlash(name))
		switch {
		case err == nil && missing == nil && bytes.Equal(text, has):
		case err != nil, way == ownTests, b.Plan.Embeds(other, at):
			return nil, fmt.Errorf("they embed %s, which differs", name)
		default:
			laid[at] = text
		}
	}
	return laid, nil
}
