package coverage

// This file has fuzz targets of a module generated and built.

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/replay/gocommand"
)

// fzgenVersion is the release of fzgen, which generates targets. It was released for an older Go, so it is built with a
// newer release of the module that reads packages.
const (
	fzgenModule  = "github.com/thepudds/fzgen"
	fzgenVersion = "v0.4.3"
	fzgenBuild   = "module tool\n\ngo 1.24\n\ntool " + fzgenModule + "/cmd/fzgen\n\nrequire (\n\t" + fzgenModule + " " +
		fzgenVersion + "\n\tgolang.org/x/tools v0.30.0\n)\n"
)

// generator builds fzgen, and returns the command.
func (m *measuring) generator(ctx context.Context) (string, error) {
	dir := filepath.Join(m.Dir, "fzgen")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(fzgenBuild), 0o666); err != nil {
		return "", err
	}
	folders := gocommand.Folders{Write: []string{dir}}
	if _, err := m.command(ctx, gocommand.Command{Dir: dir, Folders: folders, Network: true}, "mod", "tidy"); err != nil {
		return "", err
	}
	built := filepath.Join(dir, "built")
	_, err := m.command(ctx, gocommand.Command{Dir: dir, Folders: folders}, "build", "-o", built, fzgenModule+"/cmd/fzgen")
	return built, err
}

// fuzzing is the fuzzing of one module.
type fuzzing struct {
	*measuring
	dir     string // copy of the module, with targets and without its own tests
	scope   *scope
	targets []target
	notes   []string
}

// A target is a fuzz target, with the test binaries of its package.
type target struct {
	name, dir       string
	fuzz, replaying string
}

// measure fuzzes a module, and returns the blocks that ran.
func (f *fuzzing) measure(ctx context.Context, source string) (map[uint32]bool, error) {
	if f.fzgen == "" {
		return nil, fmt.Errorf("fzgen does not build")
	}
	if err := copyTree(f.dir, source); err != nil {
		return nil, err
	}
	isTest := func(name string) bool { return strings.HasSuffix(name, "_test.go") }
	if err := eachFile(f.dir, isTest, func([]byte) []byte { return nil }); err != nil {
		return nil, err
	}
	var failed error
	for i, pkg := range f.scope.exported {
		pkg.dir = filepath.Join(f.dir, strings.TrimPrefix(pkg.dir, source))
		if err := f.build(ctx, i, pkg); err != nil {
			failed = fmt.Errorf("%s: %w", filepath.Base(pkg.dir), err)
			f.notes = append(f.notes, failed.Error())
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	if len(f.targets) == 0 {
		return nil, fmt.Errorf("no targets: %w", failed)
	}
	each := f.Budget / time.Duration(len(f.targets))
	got := profile{}
	for _, t := range f.targets {
		f.fuzz(ctx, t, each)
		if err := f.replay(ctx, t, got); err != nil {
			f.notes = append(f.notes, fmt.Sprintf("%s is not counted: %.200s", t.name, firstLine(err.Error())))
		}
	}
	return got.blocks(f.scope), ctx.Err()
}

// most is how many chains are generated for a package.
const most = 12

// build generates and builds the targets of a package: a chain for each constructor, and one for each function and
// method that stands in none.
func (f *fuzzing) build(ctx context.Context, number int, pkg exported) error {
	wanted := []string{""}
	for _, name := range pkg.constructors[:min(len(pkg.constructors), most)] {
		wanted = append([]string{name}, wanted...)
	}
	inChain, files := map[string]bool{}, []string{}
	for i, constructor := range wanted {
		file := filepath.Join(pkg.dir, fmt.Sprintf("%s%d_test.go", generatedName, i))
		args := []string{"-o", filepath.Base(file)}
		if constructor != "" {
			args = append(args, "-chain", "-ctor", "^"+constructor+"$")
		}
		printed, err := f.command(ctx, gocommand.Command{Path: f.fzgen, Dir: pkg.dir, Folders: f.folders()}, append(args, ".")...)
		source, unread := os.ReadFile(file)
		if unread != nil {
			if constructor == "" && len(files) == 0 {
				return fmt.Errorf("fzgen generates nothing: %w: %.200s", err, printed)
			}
			continue
		}
		if constructor != "" {
			for _, name := range steps(source) {
				inChain[name] = true
			}
		}
		source, _ = prepared(source, inChain)
		if err := os.WriteFile(file, source, 0o666); err != nil {
			return err
		}
		files = append(files, file)
	}
	return f.compile(ctx, number, pkg.dir, files)
}

func (f *fuzzing) folders() gocommand.Folders { return gocommand.Folders{Write: []string{f.dir}} }

// rounds is how often what does not compile is removed.
const rounds = 6

// compile builds the targets of a package for fuzzing and for replaying. What does not compile is left out.
func (f *fuzzing) compile(ctx context.Context, number int, dir string, files []string) error {
	tidy := gocommand.Command{Dir: f.dir, Folders: f.folders(), Network: true}
	if _, err := f.command(ctx, tidy, "get", fzgenModule+"/fuzzer@"+fzgenVersion); err != nil {
		return err
	}
	if _, err := f.command(ctx, tidy, "mod", "tidy", "-e"); err != nil {
		return err
	}
	binary := filepath.Join(f.dir, fmt.Sprint("zspectra_built", number))
	build := func(kind string, args ...string) error {
		args = append([]string{"test", "-c", "-vet=off", "-o", binary + kind}, append(args, ".")...)
		_, err := f.command(ctx, gocommand.Command{Dir: dir, Folders: f.folders()}, args...)
		return err
	}
	var err error
	for range rounds {
		if err = build(".fuzz", "-fuzz=Fuzz", "-gcflags=-e"); err == nil {
			break
		}
		if files, err = withoutErrors(files, err); err != nil {
			return err
		}
	}
	if err == nil {
		err = build(".cover", "-cover", "-coverpkg="+f.scope.module+"/...")
	}
	if err != nil {
		return err
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, name := range named(source) {
			f.targets = append(f.targets, target{name, dir, binary + ".fuzz", binary + ".cover"})
		}
	}
	return nil
}

// withoutErrors removes from files what the compiler complains about, and returns the files that are left.
func withoutErrors(files []string, failed error) ([]string, error) {
	lines := complaints(failed.Error())
	if len(lines) == 0 {
		return nil, failed
	}
	var left []string
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if of := lines[filepath.Base(file)]; len(of) > 0 {
			source = dropped(source, of)
		}
		if source == nil {
			if err := os.Remove(file); err != nil {
				return nil, err
			}
			continue
		}
		if err := os.WriteFile(file, source, 0o666); err != nil {
			return nil, err
		}
		left = append(left, file)
	}
	if len(left) == 0 {
		return nil, failed
	}
	return slices.Clip(left), nil
}
