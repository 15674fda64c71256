package spectradiff_test

import (
	"fmt"
	"go/ast"
	"go/token"
	"strings"
	"testing"
)

// programs lists packages that are programs, although they are no commands.
var programs = map[string]string{
	"replay/sandbox":    "its supervisor is another process",
	"spectra/rt/driver": "it runs in the target's process",
}

// uses returns the places where a file uses something of a package, under the package's own name.
func (s source) uses(pkg, name string) []token.Pos {
	var all []token.Pos
	ast.Inspect(s.file, func(node ast.Node) bool {
		selector, ok := node.(*ast.SelectorExpr)
		if !ok || selector.Sel.Name != name {
			return true
		}
		if base, ok := selector.X.(*ast.Ident); ok && base.Name == pkg {
			all = append(all, node.Pos())
		}
		return true
	})
	return all
}

// exits complains about code that ends the process. Below main, errors are returned.
func exits(all []source, programs map[string]string) []string {
	var complaints []string
	for _, source := range product(all) {
		if below(source.folder, "cmd") || programs[source.folder] != "" {
			continue
		}
		for _, way := range [][2]string{{"os", "Exit"}, {"log", "Fatal"}, {"log", "Fatalf"}, {"log", "Fatalln"}} {
			for _, pos := range source.uses(way[0], way[1]) {
				complaints = append(complaints, fmt.Sprintf("%s: %s.%s outside of cmd", source.at(pos), way[0], way[1]))
			}
		}
	}
	return complaints
}

// leftOver complains about comments that are notes to oneself.
func leftOver(all []source) []string {
	var complaints []string
	for _, source := range all {
		for _, group := range source.file.Comments {
			for _, note := range []string{"TO" + "DO", "FIX" + "ME", "XX" + "X:"} {
				if strings.Contains(group.Text(), note) {
					complaints = append(complaints, fmt.Sprintf("%s: comment with %s", source.at(group.Pos()), note))
				}
			}
		}
	}
	return complaints
}

func TestOnlyCommandsExit(t *testing.T) { require(t, exits(sources(t), programs)) }
func TestNothingLeftOver(t *testing.T)  { require(t, leftOver(sources(t))) }
