package command

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
)

// goFile reads the lists of texts in a test file that may be the arguments of a command: those that begin with its
// name, or, beside its main package, with a flag among them, and what follows a program in calls of package os/exec.
func (m *miner) goFile(name, text string) {
	if !strings.HasSuffix(name, "_test.go") || !m.mentioned(text) && m.beside(name) == "" {
		return
	}
	file, _ := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
	if file == nil {
		return
	}
	own := m.beside(name)
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CompositeLit:
			if of, ok := n.Type.(*ast.ArrayType); ok && isString(of.Elt) {
				m.arguments(own, n.Elts, false)
			}
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok {
				switch f.Sel.Name {
				case "Command":
					m.arguments(own, n.Args[min(len(n.Args), 1):], true)
				case "CommandContext":
					m.arguments(own, n.Args[min(len(n.Args), 2):], true)
				}
			}
		}
		return true
	})
}

// beside returns the command in whose folder a file lies, "" if there is none.
func (m *miner) beside(name string) string {
	for command, folder := range m.commands {
		if filepath.Join(m.root, filepath.Dir(name)) == filepath.Clean(folder) {
			return command
		}
	}
	return ""
}

func isString(e ast.Expr) bool {
	of, ok := e.(*ast.Ident)
	return ok && of.Name == "string"
}

// arguments adds a list of texts as a line.
func (m *miner) arguments(own string, list []ast.Expr, called bool) {
	var words []string
	flags, known := false, false
	for _, e := range list {
		word, ok := textOf(e)
		words, flags, known = append(words, word), flags || strings.HasPrefix(word, "-"), known || ok
	}
	switch {
	case !known:
	case m.commands[filepath.Base(words[0])] != "":
		m.add(filepath.Base(words[0]), Line{Args: words[1:]})
	case own != "" && (flags || called):
		m.add(own, Line{Args: words})
	}
}

// textOf returns the text of a literal; for other expressions what stands for unknown words.
func textOf(e ast.Expr) (string, bool) {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return unknown, false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil
}
