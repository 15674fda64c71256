package api

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/repository"
)

// TestFiles returns the names of the test files in a folder, with the folder, sorted. The go command ignores those that
// begin with an underscore or a dot, and so does what looks for links out of a version.
func TestFiles(dir string) (names []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // no folder, no tests
	}
	for _, entry := range entries {
		name := entry.Name()
		if strings.HasSuffix(name, "_test.go") && !strings.HasPrefix(name, "_") && !strings.HasPrefix(name, ".") {
			names = append(names, filepath.Join(dir, name))
		}
	}
	return names
}

// maxTestFile is the maximum size of a test file that Tests reads, in bytes.
const maxTestFile = 2 << 20

// Tests returns the syntax of the test files in a folder, in the order of their names. A file that does not parse has
// its part before the error. Large files, and what a version may not hold, are left out.
func Tests(dir string) (list []*ast.File) {
	for _, name := range TestFiles(dir) {
		text, err := repository.ReadFile(dir, filepath.Base(name))
		if err != nil || len(text) > maxTestFile {
			continue
		}
		if file, _ := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution); file != nil {
			list = append(list, file)
		}
	}
	return list
}
