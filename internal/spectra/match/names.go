package match

import (
	"strings"

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
		text = replaceNames(text, step.toOld)
	}
	return text
}

// New translates a name of old, or all names within a text, to new's.
func (n *names) New(text string) string {
	for i := len(n.steps) - 1; i >= 0; i-- {
		text = replaceNames(text, n.steps[i].toNew)
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

// replaceNames replaces the qualified names in a text that the map has. What follows a replaced name after a
// dot is kept: a method, a field or a function literal.
func replaceNames(text string, names map[string]string) string {
	if len(names) == 0 {
		return text
	}
	var out strings.Builder
	for i := 0; i < len(text); {
		end := i
		for end < len(text) && nameByte(text[end]) {
			end++
		}
		if end == i {
			out.WriteByte(text[i])
			i++
			continue
		}
		run := strings.TrimLeft(text[i:end], ".-~") // of "...T", "<-chan T", "~T"
		out.WriteString(text[i : end-len(run)])
		i = end
		if strings.HasSuffix(run, ".") && strings.HasPrefix(text[end:], "(*") {
			replaced, used := replaceMethod(run, text[end:], names)
			out.WriteString(replaced)
			i += used
			continue
		}
		out.WriteString(replacePrefix(run, names))
	}
	return out.String()
}

// replaceMethod replaces the names at the beginning of "m/p.(*T).M", given in two parts: "m/p." and the rest.
// used is the length of the beginning of rest that replaced stands for.
func replaceMethod(pkg, rest string, names map[string]string) (replaced string, used int) {
	end := len("(*")
	for end < len(rest) && nameByte(rest[end]) {
		end++
	}
	receiver := rest[len("(*"):end]
	if method, ok := strings.CutPrefix(rest[end:], ")."); ok {
		stop := 0
		for stop < len(method) && nameByte(method[stop]) {
			stop++
		}
		whole := pkg + rest[:end] + ")." + method[:stop]
		for name := whole; len(name) > len(pkg)+end+len(")."); {
			if to, ok := names[name]; ok {
				return to + whole[len(name):], len(whole) - len(pkg)
			}
			name = name[:max(strings.LastIndexByte(name, '.'), 0)]
		}
	}
	if to, ok := names[pkg+receiver]; ok {
		dot := strings.LastIndexByte(to, '.') + 1
		return to[:dot] + "(*" + to[dot:], end
	}
	if to, ok := names[strings.TrimSuffix(pkg, ".")]; ok {
		return to + ".", 0
	}
	return pkg, 0
}

// replacePrefix replaces the longest part of a name, up to a dot, that the map has.
func replacePrefix(name string, names map[string]string) string {
	for part := name; part != ""; {
		if to, ok := names[part]; ok {
			return to + name[len(part):]
		}
		dot := strings.LastIndexByte(part, '.')
		if dot < strings.LastIndexByte(part, '/') {
			break
		}
		part = part[:max(dot, 0)]
	}
	return name
}

// nameByte reports whether an import path or identifier can have the byte.
func nameByte(b byte) bool { return symbol.PathByte(b) || b == '+' || b >= 0x80 }

// namesIn lists the qualified names within a text. For a method with a pointer receiver it lists the
// receiver's type.
func namesIn(text string) []string {
	var found []string
	for i := 0; i < len(text); i++ {
		end := i
		for end < len(text) && nameByte(text[end]) {
			end++
		}
		run := strings.TrimLeft(text[i:end], ".-~")
		if strings.HasSuffix(run, ".") && strings.HasPrefix(text[end:], "(*") {
			receiver := text[end+len("(*"):]
			stop := 0
			for stop < len(receiver) && nameByte(receiver[stop]) {
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
