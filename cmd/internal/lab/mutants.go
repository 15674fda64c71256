package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// What the interceptor is told.
const (
	variableGo       = "EVALUATION_GO"       // the real go command
	variableOriginal = "EVALUATION_ORIGINAL" // the module's folder
	variableMutants  = "EVALUATION_MUTANTS"  // where mutants are kept
)

// A mutant is a file of a module with one change.
type mutant struct {
	file     string // module-relative, slash-separated
	source   []byte
	function string // in which the change lies
	line     int
}

// intercept stands for the go command. The mutation tool tests each mutant in a copy of the module by running go, which
// is this program here: it keeps the mutated file, and says that the tests failed.
func intercept(args []string) int {
	if len(args) > 0 && args[0] == "test" && !strings.Contains(strings.Join(args, " "), "-cover") {
		if err := keep(); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
		return 1
	}
	real := exec.Command(os.Getenv(variableGo), args...)
	real.Stdin, real.Stdout, real.Stderr = os.Stdin, os.Stdout, os.Stderr
	if err := real.Run(); err != nil {
		return max(real.ProcessState.ExitCode(), 1)
	}
	return 0
}

// keep saves the file in which the current folder, or the module around it, differs from the original.
func keep() error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	for ; ; root = filepath.Dir(root) {
		if _, err := os.Stat(filepath.Join(root, "go.mod")); err == nil {
			break
		}
		if root == filepath.Dir(root) {
			return fmt.Errorf("no module around the mutant")
		}
	}
	original := os.Getenv(variableOriginal)
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		mutated, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if was, err := os.ReadFile(filepath.Join(original, rel)); err != nil || bytes.Equal(was, mutated) {
			return err
		}
		out, err := os.CreateTemp(os.Getenv(variableMutants), "mutant-")
		if err != nil {
			return err
		}
		defer out.Close()
		return json.NewEncoder(out).Encode(map[string]string{"file": filepath.ToSlash(rel), "source": string(mutated)})
	})
}

// mutate has the mutants of the module made, and returns as many as are wanted, spread over all.
func (m *original) mutate(ctx context.Context) ([]mutant, error) {
	shim, kept := filepath.Join(m.dir, "shim"), filepath.Join(m.dir, "mutants")
	for _, dir := range []string{shim, kept} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	if err := os.Symlink(self, filepath.Join(shim, "go")); err != nil {
		return nil, err
	}
	real, err := exec.LookPath("go")
	if err != nil {
		return nil, err
	}
	tool := filepath.Join(m.dir, "tool")
	install := exec.CommandContext(ctx, real, "install", m.mutator)
	install.Env = append(os.Environ(), "GOBIN="+tool)
	if out, err := install.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go install %s: %w\n%s", m.mutator, err, out)
	}
	program, _, _ := strings.Cut(filepath.Base(m.mutator), "@")
	run := exec.CommandContext(ctx, filepath.Join(tool, program), "unleash", "--workers", "1", ".")
	run.Dir = m.source()
	run.Env = append(os.Environ(), "PATH="+shim+string(os.PathListSeparator)+os.Getenv("PATH"),
		variableGo+"="+real, variableOriginal+"="+m.source(), variableMutants+"="+kept)
	if out, err := run.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s: %w\n%s", program, err, out)
	}
	return m.kept(kept)
}

// kept reads the mutants that were kept.
func (m *original) kept(dir string) ([]mutant, error) {
	files, err := filepath.Glob(filepath.Join(dir, "mutant-*"))
	if err != nil {
		return nil, err
	}
	var list []mutant
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var found struct{ File, Source string }
		if err := json.Unmarshal(content, &found); err != nil {
			return nil, err
		}
		one := mutant{file: found.File, source: []byte(found.Source)}
		if err := m.locate(&one); err != nil {
			return nil, err
		}
		if one.function != "" {
			list = append(list, one)
		}
	}
	slices.SortFunc(list, func(x, y mutant) int {
		return strings.Compare(x.file+string(x.source), y.file+string(y.source))
	})
	list = slices.CompactFunc(list, func(x, y mutant) bool {
		return x.file == y.file && bytes.Equal(x.source, y.source)
	})
	if len(list) <= m.mutants {
		return list, nil
	}
	var spread []mutant
	for i := range m.mutants {
		spread = append(spread, list[i*len(list)/m.mutants])
	}
	return spread, nil
}

// changed returns the offset of the first token that differs. The mutation tool may lay out a file anew.
func changed(was, mutated []byte) int {
	olds, news := tokens(was), tokens(mutated)
	for i := range min(len(olds), len(news)) {
		if olds[i].text != news[i].text {
			return news[i].offset
		}
	}
	return len(mutated)
}

// A word is a token of a file.
type word struct {
	text   string
	offset int
}

func tokens(source []byte) (list []word) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(source))
	s.Init(file, source, nil, 0)
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return list
		}
		if tok != token.SEMICOLON { // most are not in the source
			list = append(list, word{tok.String() + literal, file.Offset(pos)})
		}
	}
}

// locate finds the function in which a mutant differs from the original.
func (m *original) locate(one *mutant) error {
	was, err := os.ReadFile(filepath.Join(m.source(), filepath.FromSlash(one.file)))
	if err != nil {
		return err
	}
	at := changed(was, one.source)
	fset := token.NewFileSet()
	parsed, err := parser.ParseFile(fset, one.file, one.source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	folder := filepath.ToSlash(filepath.Dir(one.file))
	path := strings.TrimSuffix(m.path()+"/"+folder, "/.")
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || at < fset.Position(f.Pos()).Offset || at >= fset.Position(f.End()).Offset {
			continue
		}
		one.line = fset.Position(f.Pos()).Line + bytes.Count(one.source[fset.Position(f.Pos()).Offset:at], []byte("\n"))
		one.function = path + "." + f.Name.Name
		if f.Recv != nil {
			one.function = path + "." + symbol.ReceiverSyntax(f.Recv.List[0].Type) + "." + f.Name.Name
		}
	}
	return nil
}
