package inducing

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// A ground is what the ends of a way have of files that a build may read. What is known of a folder is known because
// both ends have it: between them it may be anything else.
type ground struct {
	folders map[string]bool // with such files at both ends, relative to the repository's root
	linked  map[string]bool // files that a name of such a file leads to, at any end
}

// counts returns which files may decide what commits show: all but those of which it is known that nothing recorded is
// made of them. Tests do not: those of old, or of new, are played on all versions.
func (g ground) counts(of pipeline.Module) func(name string) bool {
	return func(name string) bool {
		folder, base := path.Split(name)
		folder = path.Clean(folder)
		within := func(one string) bool { return one == "." || strings.HasPrefix(name, one+"/") }
		switch {
		case g.linked[name]:
			return true
		case strings.HasSuffix(name, "_test.go"):
			return false
		case slices.ContainsFunc(of.Embeds, within):
			return true
		case !repository.Builds(name) || strings.HasPrefix(base, ".git"):
			return false
		case slices.ContainsFunc(of.Beside, within), len(of.Folders) == 0, base == "modules.txt",
			strings.Contains("/"+name, "/vendor/"), source.Native(base), slices.Contains(of.Folders, folder):
			return true
		case strings.HasPrefix(base, "go.") && (folder == "." || slices.ContainsFunc(of.Folders, func(f string) bool {
			return strings.HasPrefix(f, folder+"/")
		})): // of a module with one of the packages
			return true
		}
		return !g.folders[folder] && !strings.Contains("/"+name, "/testdata/")
	}
}

// groundOf reads what the ends of the way have.
func (r *run) groundOf(ctx context.Context) (ground, error) {
	if r.ground.folders != nil {
		return r.ground, nil
	}
	g := ground{folders: map[string]bool{}, linked: map[string]bool{}}
	before := map[string]bool{}
	for _, at := range []repository.Commit{r.ends.Old, r.ends.New} {
		tree, err := r.kept.Materialise(ctx, r.repo, at)
		if err != nil {
			return g, fmt.Errorf("write the files of %s: %w", at.Revision, err)
		}
		here, err := g.read(tree.Dir)
		if err != nil {
			return g, fmt.Errorf("list the files of %s: %w", at.Revision, err)
		}
		for folder := range here {
			g.folders[folder] = before[folder]
		}
		before = here
	}
	r.ground = g
	return g, nil
}

// read returns the folders of a tree that have files that a build may read, and notes what links among these lead to.
func (g ground) read(tree string) (folders map[string]bool, err error) {
	folders = map[string]bool{}
	err = fs.WalkDir(os.DirFS(tree), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !repository.Builds(name) || strings.HasSuffix(name, "_test.go") {
			return err
		}
		folders[path.Dir(name)] = true
		if entry.Type()&fs.ModeSymlink != 0 {
			if file := source.Linked(tree, filepath.FromSlash(name)); file != "" {
				g.linked[filepath.ToSlash(file)] = true
			}
		}
		return nil
	})
	return folders, err
}
