package match

import (
	"strings"

	rtnames "github.com/spectradiff/spectradiff/internal/spectra/rt/names"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// names translates names between the versions, in steps: first the module's path, then packages, then types,
// then all other package-level names, methods and fields ("m/p.T.field"). Each step translates what the step
// before returned.
type names struct {
	oldModule, newModule string
	steps                [3]renaming
}

// The steps after the module's path.
const (
	packageNames = iota
	typeNames
	otherNames
)

// A renaming is one step in both directions.
type renaming struct{ toOld, toNew map[string]string }

func newNames(oldModule, newModule string) *names {
	n := &names{oldModule: oldModule, newModule: newModule}
	for i := range n.steps {
		n.steps[i] = renaming{map[string]string{}, map[string]string{}}
	}
	return n
}

func (n *names) add(step int, old, new string) {
	n.steps[step].toOld[new] = old
	n.steps[step].toNew[old] = new
}

func (n *names) remove(step int, old string) {
	delete(n.steps[step].toOld, n.steps[step].toNew[old])
	delete(n.steps[step].toNew, old)
}

// Old translates a name of new to old's, or all names within a type or an operation of new.
func (n *names) Old(text string) string {
	text = symbol.Rebase(text, n.newModule, n.oldModule)
	for _, step := range n.steps {
		text = rtnames.Replace(text, step.toOld)
	}
	return text
}

// New translates a name of old, or all names within a text, to new's.
func (n *names) New(text string) string {
	for i := len(n.steps) - 1; i >= 0; i-- {
		text = rtnames.Replace(text, n.steps[i].toNew)
	}
	return symbol.Rebase(text, n.oldModule, n.newModule)
}

// renamed maps the new names of types, functions, variables and packages to the old ones, where these differ.
func (n *names) renamed() map[string]string {
	all := map[string]string{}
	for _, step := range n.steps {
		for _, old := range step.toOld {
			if now := n.New(old); now != old {
				all[now] = old
			}
		}
	}
	return all
}

// namesIn lists the qualified names within a text. For a method with a pointer receiver it lists the
// receiver's type.
func namesIn(text string) []string {
	var found []string
	for i := 0; i < len(text); i++ {
		end := i
		for end < len(text) && rtnames.NameByte(text[end]) {
			end++
		}
		run := strings.TrimLeft(text[i:end], ".-~")
		if strings.HasSuffix(run, ".") && strings.HasPrefix(text[end:], "(*") {
			receiver := text[end+len("(*"):]
			stop := 0
			for stop < len(receiver) && rtnames.NameByte(receiver[stop]) {
				stop++
			}
			run += receiver[:stop]
		}
		if strings.Contains(run, ".") {
			found = append(found, run)
		}
		i = end
	}
	return found
}
