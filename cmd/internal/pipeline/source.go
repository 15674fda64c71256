package pipeline

import (
	"path/filepath"
	"strings"
	"sync"

	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/report/summary"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// sources returns what reads the files of both versions. It keeps those that it read.
func sources(p *plan.Plan) summary.Source {
	var one sync.Mutex
	read := spectra.Pair[map[string][]string]{Old: map[string][]string{}, New: map[string][]string{}}
	return func(side spectra.Side, file string) []string {
		target := p.Sides.Of(side).Target
		if target == nil || !filepath.IsLocal(file) {
			return nil
		}
		one.Lock()
		defer one.Unlock()
		known := *read.Of(side)
		if lines, ok := known[file]; ok {
			return lines
		}
		tree := p.Given.Of(side).Build.Tree
		name, err := filepath.Rel(tree, filepath.Join(target.Dir, filepath.FromSlash(file)))
		if err != nil {
			return nil
		}
		if text, err := repository.ReadFile(tree, name); err == nil {
			known[file] = strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
		}
		return known[file]
	}
}
