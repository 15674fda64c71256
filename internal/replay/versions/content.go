package versions

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/spectradiff/spectradiff/internal/replay/module"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// A content has hashes of what a module may be built of.
type content struct {
	code   string // Go files, tests left out
	beside string // go.mod, vendored code, and all other files: those that are embedded, C, assembly, documents
}

// differ reports whether a module, which two trees have in one folder, is built of something else. If only files differ
// that are not Go, it depends on what they are to the module.
func differ(trees spectra.Pair[string], folder string, old, new content) bool {
	if old.code != new.code || old.beside == new.beside {
		return old.code != new.code
	}
	changes, err := source.Diff(spectra.MakePair(func(s spectra.Side) source.Module {
		tree := *trees.Of(s)
		return source.Module{Dir: filepath.Join(tree, folder), Tree: tree, Path: module.PathAbove(tree, folder)}
	}))
	if err != nil {
		return true // whoever compares it says why
	}
	changes.Modules = nil // what it has from other folders is not its own
	return !changes.Empty() && !changes.TestOnly()
}

// modulesOf returns what each module of two trees is built of, by the module's folder; nothing where neither has a
// module below its root.
func modulesOf(trees spectra.Pair[string]) (of spectra.Pair[map[string]content], err error) {
	var files spectra.Pair[map[string]*files]
	for _, s := range spectra.Sides() {
		if *files.Of(s), err = filesOfModules(*trees.Of(s)); err != nil {
			return of, err
		}
	}
	if !nested(files.Old) && !nested(files.New) {
		return of, nil
	}
	for _, s := range spectra.Sides() {
		contents := map[string]content{}
		settings := workspaceSettings(*trees.Of(s))
		for folder, list := range *files.Of(s) {
			c, err := list.read(*trees.Of(s))
			if err != nil {
				return of, err
			}
			c.code += settings[folder]
			contents[folder] = c
		}
		*of.Of(s) = contents
	}
	return of, nil
}

// workspaceSettings returns what the go.work at the root of a tree says of how the modules that it uses are built, by
// their folders. One that can't be read says nothing.
func workspaceSettings(tree string) map[string]string {
	data, err := repository.ReadFile(tree, "go.work")
	if err != nil {
		return nil
	}
	work, err := modfile.ParseWork("go.work", data, nil)
	if err != nil {
		return nil
	}
	var lines []string
	if work.Go != nil {
		lines = append(lines, "go "+work.Go.Version)
	}
	if work.Toolchain != nil {
		lines = append(lines, "toolchain "+work.Toolchain.Name)
	}
	for _, d := range work.Godebug {
		lines = append(lines, "godebug "+d.Key+"="+d.Value)
	}
	for _, r := range work.Replace {
		lines = append(lines, fmt.Sprintf("replace %s => %s", r.Old, r.New))
	}
	slices.Sort(lines)
	settings := map[string]string{}
	for _, use := range work.Use {
		settings[filepath.Clean(filepath.FromSlash(use.Path))] = "\n" + strings.Join(lines, "\n")
	}
	return settings
}

// files are the names of a module's files, from the root of the tree.
type files struct{ code, beside []string }

// nested reports whether there are modules below the root.
func nested(files map[string]*files) bool {
	_, root := files["."]
	return len(files) > 1 || len(files) == 1 && !root
}

// filesOfModules returns the files of each module in a tree, by the module's folder. Tests and their data don't count.
func filesOfModules(tree string) (map[string]*files, error) {
	found := map[string]*files{}
	within := map[string]string{} // folder → module
	ignored := map[string]bool{}  // folders in which there is no module, and no package of one
	err := filepath.WalkDir(tree, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(tree, name)
		if err != nil {
			return err
		}
		dir := filepath.Dir(rel)
		if !entry.IsDir() {
			if of := found[within[dir]]; of != nil {
				of.add(rel, entry.Type(), ignored[dir])
			}
			return nil
		}
		within[rel], ignored[rel] = within[dir], ignored[dir] || rel != "." && module.Ignored(entry.Name())
		_, err = os.Lstat(filepath.Join(name, "go.mod"))
		switch {
		case entry.Name() == ".git", entry.Name() == "testdata", err == nil && ignored[rel] && !vendored(rel):
			return fs.SkipDir
		case err == nil && !ignored[rel]:
			within[rel], found[rel] = rel, &files{}
		}
		return nil
	})
	return found, err
}

// vendored reports whether a file or folder lies in a vendor folder.
func vendored(name string) bool {
	return strings.Contains("/"+filepath.ToSlash(name)+"/", "/vendor/")
}

// loose reports whether a tree with modules has Go files that belong to none: a module is made for them.
func loose(tree string, modules map[string]content) bool {
	err := filepath.WalkDir(tree, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() {
			if strings.HasSuffix(name, ".go") {
				return errLoose
			}
			return err
		}
		rel, err := filepath.Rel(tree, name)
		if _, is := modules[rel]; is || rel != "." && module.Ignored(entry.Name()) {
			return fs.SkipDir
		}
		return err
	})
	return errors.Is(err, errLoose)
}

var errLoose = errors.New("a Go file of no module")

// add adds a file. Go files in ignored folders are no code, unless they are vendored.
func (f *files) add(name string, mode fs.FileMode, ignored bool) {
	code := strings.HasSuffix(name, ".go")
	switch {
	case strings.HasSuffix(name, "_test.go"), code && ignored && !vendored(name):
	case code && !ignored && mode.IsRegular():
		f.code = append(f.code, name)
	case mode.IsRegular(), mode&fs.ModeSymlink != 0:
		f.beside = append(f.beside, name)
	}
}

// read returns hashes of the files.
func (f *files) read(tree string) (of content, err error) {
	if of.code, err = hashOf(tree, f.code); err != nil {
		return of, err
	}
	of.beside, err = hashOf(tree, f.beside)
	return of, err
}

// hashOf returns a hash of files, and of where links lead, with what lies there in the tree: the go command reads it.
func hashOf(tree string, names []string) (string, error) {
	of := sha256.New()
	for _, name := range names {
		if target, err := os.Readlink(filepath.Join(tree, name)); err == nil {
			fmt.Fprintf(of, "%q -> %q\n", name, target)
			name = source.Linked(tree, name)
		}
		if name == "" {
			continue
		}
		sum, err := repository.HashFile(tree, name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(of, "%q %x\n", name, sum)
	}
	return fmt.Sprintf("%x", of.Sum(nil)), nil
}
