package fuzz

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
)

// most is how many chains are generated for a package.
const most = 12

// build generates and builds the targets of all packages, as far as that can be done.
func (f *fuzzing) build(ctx context.Context, packages []exported) error {
	var list []generatedFiles
	var none, broken []string
	for _, pkg := range packages {
		files, err := f.generateTargets(ctx, pkg)
		if err != nil {
			return err
		}
		if len(files) == 0 {
			none = append(none, filepath.Base(pkg.dir))
			continue
		}
		list = append(list, generatedFiles{pkg.dir, files})
	}
	tidy := gocommand.Command{Dir: f.dir, Folders: f.folders(), Network: true}
	for _, args := range [][]string{{"get", fzgenModule + "/fuzzer@" + fzgenVersion}, {"mod", "tidy", "-e"}} {
		if _, err := f.command(ctx, tidy, args...); err != nil {
			return err
		}
	}
	for i, of := range list {
		if err := f.compile(ctx, i, of); err != nil {
			broken = append(broken, fmt.Sprintf("%s (%.200s)", filepath.Base(of.dir), compilerSays(err)))
		}
	}
	if len(none) > 0 {
		f.notes = append(f.notes, "fzgen has no targets for "+strings.Join(none, ", "))
	}
	if len(broken) > 0 {
		f.notes = append(f.notes, "does not build: "+strings.Join(broken, ", "))
	}
	return ctx.Err()
}

// compilerSays returns the last line that is no headline.
func compilerSays(err error) string {
	lines := strings.Split(strings.TrimSpace(err.Error()), "\n")
	return lines[len(lines)-1]
}

// generatedFiles are the generated files of a package.
type generatedFiles struct {
	dir   string
	files []string
}

// generateTargets generates the targets of a package: a chain for each constructor, and one for each function and
// method that stands in none.
func (f *fuzzing) generateTargets(ctx context.Context, pkg exported) (files []string, err error) {
	wanted := append(slices.Clone(pkg.constructors[:min(len(pkg.constructors), most)]), "")
	inChain := map[string]bool{}
	for i, constructor := range wanted {
		file := filepath.Join(pkg.dir, fmt.Sprintf("%s%d_test.go", generatedName, i))
		args := []string{"-o", filepath.Base(file)}
		if constructor != "" {
			args = append(args, "-chain", "-ctor", "^"+constructor+"$")
		}
		_, failed := f.command(ctx, gocommand.Command{Path: f.fzgen, Dir: pkg.dir, Folders: f.folders()},
			append(args, ".")...)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		source, err := os.ReadFile(file)
		if err != nil || failed != nil {
			continue // it says so by ending with 1
		}
		if constructor != "" {
			for _, name := range steps(source) {
				inChain[name] = true
			}
		}
		source, names := prepared(source, inChain)
		if len(names) == 0 {
			source = []byte("package " + pkg.name + "\n")
		}
		if err := os.WriteFile(file, source, 0o666); err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	return files, nil
}

func (f *fuzzing) folders() gocommand.Folders { return gocommand.Folders{Write: []string{f.dir}} }

// rounds is how often code that does not compile is removed.
const rounds = 6

// compile builds the targets of a package for fuzzing and for replaying. What does not compile is left out.
func (f *fuzzing) compile(ctx context.Context, number int, of generatedFiles) error {
	binary := filepath.Join(f.dir, fmt.Sprint("zspectra_built", number))
	build := func(kind string, args ...string) error {
		args = append([]string{"test", "-c", "-vet=off", "-o", binary + kind}, append(args, ".")...)
		_, err := f.command(ctx, gocommand.Command{Dir: of.dir, Folders: f.folders()}, args...)
		return err
	}
	var err error
	for range rounds {
		if err = build(".fuzz", "-fuzz=Fuzz", "-gcflags=-e"); err == nil {
			break
		}
		if of.files, err = withoutErrors(of.files, err); err != nil {
			return err
		}
	}
	if err == nil {
		err = build(".cover", "-cover", "-coverpkg="+f.module+"/...")
	}
	if err != nil {
		return err
	}
	for _, file := range of.files {
		source, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, name := range named(source) {
			f.targets = append(f.targets, target{name, of.dir, binary + ".fuzz", binary + ".cover"})
		}
	}
	return nil
}

// withoutErrors removes code from files that the compiler complains about, and returns the files that are left.
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
