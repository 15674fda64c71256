package outside

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"golang.org/x/mod/modfile"
	gomodule "golang.org/x/mod/module"

	"github.com/spectradiff/spectradiff/internal/replay/repository"
)

// files are the module files of a version and the folders that they name.
type files struct {
	mod        *modfile.File
	work       *modfile.WorkFile // nil = no workspace
	workRel    string            // from the tree's root
	used       []use
	members    map[string]bool // paths of the used modules
	replaced   []replacement   // by go.mod, or by go.work
	inherited  []replacement   // of the modules that go.work uses
	unvendored error
}

// A use is a line of go.work that uses a folder.
type use struct {
	line *modfile.Line
	to   place
}

// A replacement is a line of go.mod or go.work that replaces a module.
type replacement struct {
	*modfile.Replace
	to place // in is nil if another module replaces it
}

// readFiles checks the folders that go.mod names, or go.work and the modules that it uses.
func (c *check) readFiles() (*files, error) {
	f := &files{members: map[string]bool{}}
	var err error
	if f.mod, err = readModule(c.home); err != nil {
		return nil, err
	}
	if c.module.Workspace != "" {
		return f, c.workspace(f)
	}
	f.replaced, err = c.replacements(c.home, f.mod.Replace)
	if err != nil && c.module.Vendor {
		f.unvendored, err = err, nil // a build with the vendor folder alone reads no other
	}
	return f, err
}

// workspace checks the folders that a workspace uses.
func (c *check) workspace(f *files) error {
	rel, err := filepath.Rel(c.module.Tree, c.module.Workspace)
	if err != nil {
		return fmt.Errorf("read workspace: %w", err)
	}
	f.workRel = filepath.ToSlash(rel)
	base := place{c.tree, path.Dir(f.workRel)}
	data, err := repository.ReadFile(c.tree.dir, rel)
	if err != nil {
		return fmt.Errorf("read workspace: %w", err)
	}
	if f.work, err = modfile.ParseWork(f.workRel, data, asWritten); err != nil {
		return fmt.Errorf("read workspace: %w", err)
	}
	if f.replaced, err = c.replacements(base, f.work.Replace); err != nil {
		return err
	}
	for _, u := range f.work.Use {
		to, out := c.follow(base, u.Path)
		if out != nil {
			return fmt.Errorf("%s:%d: use %s %s: %s", f.workRel, u.Syntax.Start.Line, u.Path, out, howToAllow)
		}
		f.used = append(f.used, use{u.Syntax, to})
		mod, err := readModule(to)
		if errors.Is(err, fs.ErrNotExist) {
			continue // the go command reports the error
		}
		if err != nil {
			return err
		}
		if mod.Module != nil {
			f.members[mod.Module.Mod.Path] = true
			c.known = append(c.known, root{to, mod.Module.Mod.Path})
		}
		from := to
		if at := path.Join(base.rel, u.Path); to.in == c.tree {
			from = place{c.tree, at} // the go command joins paths before it resolves links
		}
		replaced, err := c.replacements(from, mod.Replace)
		if err != nil {
			return err
		}
		f.inherited = append(f.inherited, replaced...)
	}
	return nil
}

// asWritten accepts any version of a module. The go command reports invalid ones.
func asWritten(_, version string) (string, error) { return version, nil }

// readModule reads the go.mod in a folder.
func readModule(at place) (*modfile.File, error) {
	name := path.Join(at.rel, "go.mod")
	data, err := repository.ReadFile(at.in.dir, filepath.FromSlash(name))
	if err != nil {
		return nil, fmt.Errorf("read module file: %w", err)
	}
	mod, err := modfile.Parse(name, data, asWritten)
	if err != nil {
		return nil, fmt.Errorf("read module file: %w", err)
	}
	return mod, nil
}

// replacements checks the folders that replace modules. base is the folder of the file with the replacements.
func (c *check) replacements(base place, list []*modfile.Replace) ([]replacement, error) {
	var found []replacement
	for _, r := range list {
		if r.New.Version != "" {
			found = append(found, replacement{r, place{}})
			continue
		}
		to, out := c.follow(base, r.New.Path)
		if out != nil {
			return nil, fmt.Errorf("%s:%d: replace %s => %s %s: %s", path.Join(base.rel, "go.mod"),
				r.Syntax.Start.Line, r.Old.Path, r.New.Path, out, howToAllow)
		}
		found = append(found, replacement{r, to})
		c.known = append(c.known, root{to, r.Old.Path})
	}
	return found, nil
}

// write writes new module files if they name allowed folders.
func (f *files) write(tree *territory, done *Checked) error {
	moved := slices.ContainsFunc(f.used, func(u use) bool { return u.to.in != tree })
	for _, r := range slices.Concat(f.replaced, f.inherited) {
		moved = moved || r.to.in != nil && r.to.in != tree
	}
	switch {
	case !moved:
		return nil
	case f.work == nil:
		for _, r := range f.replaced {
			if r.to.in != nil && r.to.in != tree {
				setPath(r.Syntax, r.to)
			}
		}
		done.ModFile = modfile.Format(f.mod.Syntax)
		return nil
	}
	return f.writeWorkspace(tree, done)
}

// setPath changes the folder at the end of a line.
func setPath(line *modfile.Line, to place) {
	line.Token[len(line.Token)-1] = modfile.AutoQuote(to.path())
}

// writeWorkspace writes a go.work for another folder, so every path in it is absolute. The replacements of its modules
// can't be rewritten, so replacements in go.work take their place.
func (f *files) writeWorkspace(tree *territory, done *Checked) error {
	for _, u := range f.used {
		setPath(u.line, u.to)
	}
	replaced := map[gomodule.Version]bool{}
	for _, r := range f.replaced {
		replaced[r.Old] = true
		if r.to.in != nil {
			setPath(r.Syntax, r.to)
		}
	}
	for _, r := range f.inherited {
		if replaced[r.Old] || f.members[r.Old.Path] { // modules of the workspace are never replaced
			continue
		}
		tokens := []string{"replace", modfile.AutoQuote(r.Old.Path)}
		if r.Old.Version != "" {
			tokens = append(tokens, r.Old.Version)
		}
		if r.to.in != nil {
			tokens = append(tokens, "=>", modfile.AutoQuote(r.to.path()))
		} else {
			tokens = append(tokens, "=>", modfile.AutoQuote(r.New.Path), r.New.Version)
		}
		f.work.Syntax.Stmt = append(f.work.Syntax.Stmt, &modfile.Line{Token: tokens})
	}
	done.WorkFile = modfile.Format(f.work.Syntax)
	sum, err := repository.ReadFile(tree.dir, filepath.FromSlash(f.workRel)+".sum")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("copy workspace: %w", err)
	}
	done.WorkSum = sum
	return nil
}
