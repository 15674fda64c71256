package coverage

// This file lists the modules, and makes a repository of one.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/replay/gocommand"
)

// A module is a released module.
type module struct{ name, kind string }

// modules are libraries of different kinds with few dependencies.
var modules = []module{
	{"github.com/BurntSushi/toml@v1.6.0", "encoding"},
	{"github.com/Masterminds/semver/v3@v3.4.0", "versions"},
	{"github.com/andybalholm/cascadia@v1.3.3", "HTML"},
	{"github.com/bits-and-blooms/bitset@v1.24.4", "bits"},
	{"github.com/emirpasic/gods@v1.18.1", "containers"},
	{"github.com/go-ozzo/ozzo-validation/v4@v4.3.0", "validation"},
	{"github.com/google/uuid@v1.6.0", "identifiers"},
	{"github.com/gorilla/mux@v1.8.1", "HTTP"},
	{"github.com/huandu/xstrings@v1.5.0", "text"},
	{"github.com/mitchellh/mapstructure@v1.5.0", "reflection"},
	{"github.com/montanaflynn/stats@v0.7.1", "statistics"},
	{"github.com/robfig/cron/v3@v3.0.1", "time"},
	{"github.com/russross/blackfriday/v2@v2.1.0", "Markdown"},
	{"github.com/shopspring/decimal@v1.4.0", "numbers"},
	{"github.com/spf13/pflag@v1.0.6", "command lines"},
	{"github.com/tidwall/gjson@v1.18.0", "JSON"},
}

func (of module) wanted(parts []string) bool {
	return len(parts) == 0 ||
		slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(of.name, part) })
}

// The two commits of a module.
const (
	released = "released" // as it was released
	touched  = "touched"  // every statement changed, and none does anything else
)

// fetch makes a repository of a module: as it was released, and with every statement changed.
func (m *measuring) fetch(ctx context.Context, of module, dir string) error {
	out, err := m.command(ctx, gocommand.Command{Dir: m.Dir, Network: true}, "mod", "download", "-json", of.name)
	if err != nil {
		return err
	}
	var got struct{ Dir string }
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		return fmt.Errorf("download %s: %w", of.name, err)
	}
	if err := copyTree(dir, got.Dir); err != nil {
		return err
	}
	if err := git(ctx, dir, "init", "-q"); err != nil {
		return err
	}
	if err := commit(ctx, dir, released); err != nil {
		return err
	}
	if err := eachFile(dir, isSource, touch); err != nil {
		return err
	}
	if err := commit(ctx, dir, touched); err != nil {
		return err
	}
	return git(ctx, dir, "checkout", "-q", released)
}

// command runs a go command, confined.
func (m *measuring) command(ctx context.Context, c gocommand.Command, args ...string) (string, error) {
	c.Env = append(m.run.Environment(os.Environ()), "GOWORK=off")
	out, errs, err := m.run.Run(ctx, c, args...)
	if err != nil {
		return out, fmt.Errorf("%s: %w: %.9000s%.9000s", strings.Join(args[:min(2, len(args))], " "), err, errs, out)
	}
	return out, nil
}

// copyTree copies files so that they may be changed.
func copyTree(to, from string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	return filepath.WalkDir(to, func(name string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(name, 0o777)
	})
}

func commit(ctx context.Context, dir, tag string) error {
	for _, args := range [][]string{{"add", "-A", "-f"}, {"commit", "-q", "-m", tag}, {"tag", tag}} {
		if err := git(ctx, dir, args...); err != nil {
			return err
		}
	}
	return nil
}

func git(ctx context.Context, dir string, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", append([]string{
		"-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "commit.gpgsign=false", "-c", "core.autocrlf=false",
	}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %.300s", args[0], err, out)
	}
	return nil
}

func isSource(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}

// eachFile rewrites the files below a folder whose names are wanted. What becomes nil is removed.
func eachFile(dir string, wanted func(name string) bool, edit func(source []byte) []byte) error {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !wanted(name) {
			return err
		}
		source, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		edited := edit(source)
		if edited == nil {
			return os.Remove(name)
		}
		return os.WriteFile(name, edited, 0o666)
	})
}

// nothing is a statement without effect.
const nothing = "_ = 0; "

// touch puts a statement without effect before each statement of a file. A file that is not Go stays as it is.
func touch(source []byte) []byte {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", source, parser.SkipObjectResolution)
	if err != nil {
		return source
	}
	var at []int
	before := func(list []ast.Stmt) {
		for _, s := range list {
			if _, empty := s.(*ast.EmptyStmt); !empty {
				at = append(at, files.Position(s.Pos()).Offset)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			if len(n.List) == 0 || !isClause(n.List[0]) {
				before(n.List)
			}
		case *ast.CaseClause:
			before(n.Body)
		case *ast.CommClause:
			before(n.Body)
		}
		return true
	})
	return inserted(source, at, nothing)
}

func isClause(s ast.Stmt) bool {
	switch s.(type) {
	case *ast.CaseClause, *ast.CommClause:
		return true
	}
	return false
}

// inserted returns the source with a text at some offsets.
func inserted(source []byte, at []int, text string) []byte {
	slices.Sort(at)
	var out bytes.Buffer
	from := 0
	for _, offset := range at {
		out.Write(source[from:offset])
		out.WriteString(text)
		from = offset
	}
	out.Write(source[from:])
	return out.Bytes()
}
