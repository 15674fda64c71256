package spectradiff_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A deadPackage is what the deadcode command prints about one package.
type deadPackage struct {
	Path  string
	Funcs []struct {
		Name     string
		Position struct {
			File string
			Line int
		}
	}
}

// deadcode runs the command of that name, which tools/go.mod pins, in a folder.
func deadcode(t *testing.T, dir string, patterns ...string) []deadPackage {
	t.Helper()
	binary := output(t, ".", "go", "tool", "-modfile=tools/go.mod", "-n", "deadcode")
	out := output(t, dir, strings.TrimSpace(string(binary)), append([]string{"-json"}, patterns...)...)
	var all []deadPackage
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatalf("deadcode prints something else: %v", err)
	}
	return all
}

// output runs a command in a folder and returns what it prints.
func output(t *testing.T, dir, name string, args ...string) []byte {
	t.Helper()
	var trouble strings.Builder
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stderr = dir, &trouble
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, &trouble)
	}
	return out
}

// deadFunctions complains about functions that nothing reaches, and about exceptions that no function
// needs. Packages named …test exist for tests.
func deadFunctions(found []deadPackage, unreached map[string]string) []string {
	var complaints []string
	dead := map[string]bool{}
	for _, p := range found {
		folder := strings.TrimPrefix(p.Path, module+"/")
		if strings.HasSuffix(folder, "test") {
			continue
		}
		for _, f := range p.Funcs {
			name := folder + "." + f.Name
			dead[name] = true
			if unreached[name] == "" {
				complaints = append(complaints, fmt.Sprintf("%s (%s:%d) is reached by tests at most: remove or use it",
					name, filepath.Base(f.Position.File), f.Position.Line))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(unreached)) {
		if !dead[name] {
			complaints = append(complaints, name+" is listed as unreached and is not: take it out of the list")
		}
	}
	return complaints
}

// generatedCalls complains about calls in the stand-in for generated programs that no generator writes.
// They would hide dead functions.
func generatedCalls(all []source, standIn string, generators ...string) []string {
	var written strings.Builder
	var complaints []string
	for _, source := range all {
		for _, generator := range generators {
			switch {
			case !below(source.folder, generator) || source.test:
			case source.data:
				written.WriteString(source.text)
			default:
				written.WriteString(source.literals())
			}
		}
	}
	for _, source := range all {
		if source.folder != standIn {
			continue
		}
		for _, call := range source.calls() {
			text := written.String()
			if !strings.Contains(text, "."+call+"(") && !strings.Contains(text, "."+call+"\n") {
				complaints = append(complaints,
					fmt.Sprintf("%s calls %s, which no generator writes", source.name, call))
			}
		}
	}
	return complaints
}

// literals returns the texts of a file's string literals, one a line.
func (s source) literals() string {
	var b strings.Builder
	ast.Inspect(s.file, func(node ast.Node) bool {
		if literal, ok := node.(*ast.BasicLit); ok && literal.Kind == token.STRING {
			if text, err := strconv.Unquote(literal.Value); err == nil {
				b.WriteString(text + "\n")
			}
		}
		return true
	})
	return b.String()
}

// calls returns the names of the functions and methods of other packages that a file calls.
func (s source) calls() []string {
	var all []string
	ast.Inspect(s.file, func(node ast.Node) bool {
		call, ok := node.(*ast.CallExpr)
		if !ok {
			return true
		}
		function := call.Fun
		switch instance := function.(type) {
		case *ast.IndexExpr:
			function = instance.X
		case *ast.IndexListExpr:
			function = instance.X
		}
		if selector, ok := function.(*ast.SelectorExpr); ok {
			all = append(all, selector.Sel.Name)
		}
		return true
	})
	return all
}

func TestDeadCode(t *testing.T) {
	if testing.Short() {
		t.Skip("only in make test-all and make gates: it analyses the whole program")
	}
	require(t, deadFunctions(deadcode(t, ".", "./...", "./testdata/generated"), unreached))
}

func TestGeneratedCalls(t *testing.T) {
	require(t, generatedCalls(everything(t), "testdata/generated",
		"internal/spectra/instrument", "internal/replay/build", "internal/replay/suite",
		"internal/replay/command", "cmd/internal/lab"))
}
