package pipeline

import (
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spectradiff/spectradiff/internal/replay/plan"
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
		text, err := os.ReadFile(filepath.Join(target.Dir, filepath.FromSlash(file)))
		if err == nil {
			known[file] = strings.Split(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
		}
		return known[file]
	}
}
