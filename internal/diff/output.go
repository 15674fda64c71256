package diff

import (
	"fmt"
	"maps"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// An OutputDifference is a visible difference.
type OutputDifference struct {
	Step     int // the driven statement; -1 = the whole sequence
	Path     string
	Old, New string

	during     int        // of the whole sequence: the driven statement that was running; -1 = not known
	site       noise.Site // the site of a mask that would hide it
	introduced bool       // only the new version is unstable here, see Options.Introduced
	part       bool       // values alone tell it: other parts of the result vary
}

// outputs lists the visible differences that the mask does not hide.
func (c *comparer) outputs(old, new *spectra.Spectrum) []OutputDifference {
	o := &outputs{comparer: c}
	for i := range min(len(old.Steps), len(new.Steps)) {
		if old.Steps[i].Ran && new.Steps[i].Ran {
			o.step(i, c.driven(spectra.New, i), old.Steps[i], new.Steps[i])
			o.besides(i, old.Steps[i], new.Steps[i])
		}
	}
	o.whole("stdout", old.Stdout, new.Stdout)
	o.whole("stderr", old.Stderr, new.Stderr)
	o.files(old.Files, new.Files)
	o.stubs(old.StubCalls, new.StubCalls)
	o.whole("end", old.End.String(), new.End.String())
	return o.found
}

// driven returns the function of a step as masks name it. Where an execution shows which function it was, the
// name is the same in every sequence.
func (c *comparer) driven(side spectra.Side, i int) spectra.Symbol {
	calls := (*c.runs.Of(side)).steps[i]
	if len(calls) == 0 {
		return spectra.Symbol(fmt.Sprintf("step %d", i))
	}
	return calls[0].Symbol
}

type outputs struct {
	*comparer
	found []OutputDifference
}

// besides adds differences in results that are masked. The digest of a result is masked as a whole even where
// only some of its parts are unstable. The other parts are compared here by the values of the exit state, as
// far as callers can see them.
func (o *outputs) besides(i int, old, new spectra.StepOutcome) {
	if len(old.Calls) == 0 || len(new.Calls) == 0 {
		return
	}
	function := o.driven(spectra.New, i)
	if o.driven(spectra.Old, i) != function || !old.Calls[0].Exit.Recorded() || !new.Calls[0].Exit.Recorded() {
		return
	}
	for r := range min(len(old.Results), len(new.Results)) {
		result := spectra.Path(spectra.ResultName(r))
		site := noise.Site{Function: function, State: noise.Outputs, Path: result}
		if !o.Mask.Has(site) || old.Results[r].Digest == new.Results[r].Digest {
			continue
		}
		for _, d := range o.differences(function, noise.Exit, old.Calls[0].Exit, new.Calls[0].Exit) {
			if (d.general == result || d.general.Below(result)) && exported(d.general[len(result):]) {
				o.found = append(o.found, OutputDifference{
					Step: i, Path: string(d.Path), Old: d.Old, New: d.New, during: -1, site: site, part: true,
				})
			}
		}
	}
}

// exported reports whether a caller can follow a path.
func exported(path spectra.Path) bool {
	for i, c := range path {
		if c != '.' {
			continue
		}
		if first, _ := utf8.DecodeRuneInString(string(path[i+1:])); !unicode.IsUpper(first) {
			return false
		}
	}
	return true
}

func (o *outputs) step(i int, function spectra.Symbol, old, new spectra.StepOutcome) {
	if old.Panic != new.Panic {
		o.add(function, pathPanic, OutputDifference{
			Step: i, Path: pathPanic, Old: panicText(old.Panic), New: panicText(new.Panic), during: -1,
		})
	}
	for r := range max(len(old.Results), len(new.Results)) {
		path := spectra.ResultName(r)
		if !o.steady(function, spectra.Path(path), old, new) {
			o.output(i, function, path, old.Results, new.Results, r)
		}
	}
}

// steady reports whether a result that varies in the new version only has nothing this time that varies, such as an
// element of a list. How it differs then, besides tells.
func (o *outputs) steady(function spectra.Symbol, result spectra.Path, old, new spectra.StepOutcome) bool {
	if o.Introduced == nil || !o.Introduced.Has(noise.Site{Function: function, State: noise.Outputs, Path: result}) ||
		len(old.Calls) == 0 || len(new.Calls) == 0 || old.Calls[0].Symbol != new.Calls[0].Symbol ||
		!old.Calls[0].Exit.Recorded() || !new.Calls[0].Exit.Recorded() {
		return false
	}
	unstable := o.Introduced.Under(function, noise.Exit)
	for path := range unstable {
		if (path == "" || path == result || path.Below(result)) && shown(new.Calls[0].Exit, path, unstable[path]) {
			return false
		}
	}
	return len(unstable) > 0
}

// panicText returns the text of a panic, or one that says that there was none.
func panicText(s string) string {
	if s == "" {
		return noPanic
	}
	return s
}

const noPanic = "no panic"

func (o *outputs) whole(path, old, new string) {
	if old != new {
		o.add("", spectra.Path(path), OutputDifference{Step: -1, Path: path, Old: old, New: new, during: -1})
	}
}

func (o *outputs) output(step int, function spectra.Symbol, path string, old, new []spectra.Output, i int) {
	oldText, newText := None, None
	same := i < len(old) && i < len(new) && old[i].Digest == new[i].Digest
	if i < len(old) {
		oldText = old[i].Text
	}
	if i < len(new) {
		newText = new[i].Text
	}
	if !same {
		d := OutputDifference{Step: step, Path: path, Old: oldText, New: newText, during: -1}
		o.add(function, spectra.Path(path), d)
	}
}

// stubs adds differences in the calls of functions that were arguments.
func (o *outputs) stubs(old, new []spectra.StubCall) {
	for i := range max(len(old), len(new)) {
		step, oldText, newText := -1, None, None
		if i < len(old) {
			step, oldText = old[i].Step, old[i].Text
		}
		if i < len(new) {
			newText = new[i].Text
			if i >= len(old) {
				step = new[i].Step
			} else if new[i].Step != step {
				step = -1
			}
		}
		if i >= len(old) || i >= len(new) || old[i].Digest != new[i].Digest {
			path := fmt.Sprintf("stub call %d", i)
			o.add("", "stub calls", OutputDifference{Step: -1, Path: path, Old: oldText, New: newText, during: step})
		}
	}
}

func (o *outputs) files(old, new []spectra.FileOutput) {
	byName := map[string]spectra.Pair[*spectra.FileOutput]{}
	spectra.Pair[[]spectra.FileOutput]{Old: old, New: new}.Each(func(side spectra.Side, list []spectra.FileOutput) {
		for i := range list {
			pair := byName[list[i].Name]
			*pair.Of(side) = &list[i]
			byName[list[i].Name] = pair
		}
	})
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		pair := byName[name]
		if pair.Old == nil || pair.New == nil || *pair.Old != *pair.New {
			o.whole("files/"+name, fileText(pair.Old), fileText(pair.New))
		}
	}
}

func fileText(f *spectra.FileOutput) string {
	if f == nil {
		return None
	}
	return fmt.Sprintf("%d bytes, digest %016x", f.Size, f.Digest[0])
}

// add adds a difference, unless it is masked. Masks know its path as a general one.
func (o *outputs) add(function spectra.Symbol, general spectra.Path, d OutputDifference) {
	d.site = noise.Site{Function: function, State: noise.Outputs, Path: general}
	switch {
	case o.Introduced != nil && o.Introduced.Has(d.site):
		d.Old, d.New, d.introduced = sameAlways, differsAlways, true
	case o.Mask.Has(d.site):
		return
	}
	o.found = append(o.found, d)
}

// wholeRun returns the deviation of a run whose executions don't show what the output or its end
// shows; nil when the outputs are the same.
func (c *Comparison) wholeRun() *Deviation {
	if len(c.Outputs) == 0 {
		return nil
	}
	first := c.Outputs[0]
	for _, o := range c.Outputs {
		if o.Path == "end" {
			first = o
		}
	}
	path := spectra.Path(first.Path)
	d := &Deviation{Kind: spectra.KindContainer, State: noise.Outputs, Path: path, Old: first.Old, New: first.New}
	switch {
	case first.introduced:
		d.Kind, d.Site = spectra.KindNondeterminism, first.site
	case first.Path == "end":
		d.Kind = spectra.KindExit
	case first.Path == "panic":
		d.Kind = spectra.KindPanic
	}
	for _, n := range c.Root.Children {
		if n.Step == first.Step && n.Step >= 0 && n.mayBeDriven() {
			d.Function, d.Node = n.Function, n
			break
		}
	}
	return d
}

// mayBeDriven reports whether a node whose step has other results may be the call that the step makes, and not one that
// a test makes: that runs in the goroutine of the sequence, and does not end in the same state to the last bit.
func (n *Node) mayBeDriven() bool {
	if n.Old == nil || n.New == nil {
		return true
	}
	alike := n.Old.Exit.Digest == n.New.Exit.Digest && !n.Old.Exit.Truncated && !n.New.Exit.Truncated
	return !alike && !n.Old.Go && !n.New.Go
}
