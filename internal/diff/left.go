package diff

import (
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A leftover is a kind of goroutine that is left. Goroutines that still exist when the sequence has ended are counted
// by kind, for the execution that started them.
type leftover struct {
	start   spectra.Symbol // what it began with, by its new name; "" = code that is not compared
	waiting bool
}

// counted reports whether the goroutines that are left were counted when a run ended. Where something ends it earlier,
// nobody does.
func counted(s *spectra.Spectrum) bool {
	return !s.Salvaged && (s.End.Kind == wire.EndDone || s.End.Kind == wire.EndBlocked)
}

// left counts the goroutines that e left behind. Those of transparent executions below it are counted too.
func (c *comparer) left(e *spectra.Execution, name naming) map[leftover]int {
	counts := map[leftover]int{}
	var visit func(e *spectra.Execution)
	visit = func(e *spectra.Execution) {
		for _, l := range e.Goroutines {
			start, common := name(spectra.Symbol(l.Start))
			if !common {
				start = ""
			}
			counts[leftover{start, l.Waiting}]++
		}
		for _, child := range e.Children {
			if _, common := name(child.Symbol); !common {
				visit(child)
			}
		}
	}
	visit(e)
	return counts
}

// leftDigest returns a hash of the goroutines that e left behind; 0 = none, or none that are compared.
func (c *comparer) leftDigest(e *spectra.Execution, function spectra.Symbol, name naming) uint64 {
	for _, state := range []noise.State{noise.Goroutines, noise.Exit} {
		if c.Mask.Has(noise.Site{Function: function, State: state}) {
			return 0
		}
	}
	counts := c.left(e, name)
	if len(counts) == 0 {
		return 0
	}
	h := fnv.New64a()
	for _, text := range leftTexts(counts) {
		_, _ = io.WriteString(h, text+"\n")
	}
	return h.Sum64() | 1
}

func leftTexts(counts map[leftover]int) []string {
	var texts []string
	for l, n := range maps.All(counts) {
		what, does := "goroutine", "can run"
		if l.start != "" {
			what = l.start.Short()
		}
		if l.waiting {
			does = "waits"
		}
		texts = append(texts, fmt.Sprintf("%d × %s (%s)", n, what, does))
	}
	slices.Sort(texts)
	return texts
}

// leaving turns d into a deviation of the goroutines that the execution left behind, if nothing else differs.
func (c *comparer) leaving(d *Deviation) {
	if !d.Node.Left || d.Kind != spectra.KindContainer || len(d.Differences) > 0 || d.Node.Exit == Different {
		return
	}
	d.Kind, d.State, d.Path = spectra.KindExit, noise.Goroutines, "goroutines left"
	text := func(counts map[leftover]int) string {
		if len(counts) == 0 {
			return None
		}
		return strings.Join(leftTexts(counts), ", ")
	}
	d.Old = text(c.left(d.Node.Old, c.oldFunction))
	d.New = text(c.left(d.Node.New, c.newFunction))
}
