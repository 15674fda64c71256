package load

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/spectradiff/spectradiff/internal/replay/module"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
)

// readWorkspace returns a workspace file that is inside the copy of the version and uses the module, else nil.
func (v *Version) readWorkspace(file, root string) *modfile.WorkFile {
	if root == "" {
		root = v.Dir
	}
	if resolved, err := filepath.EvalSymlinks(root); err == nil {
		root = resolved
	}
	rel, err := filepath.Rel(root, file)
	if err != nil || strings.HasPrefix(rel, "..") {
		return nil
	}
	text, err := repository.ReadFile(root, rel)
	if err != nil {
		return nil
	}
	parsed, err := modfile.ParseWork(file, text, nil)
	if err != nil {
		return nil
	}
	for _, use := range parsed.Use {
		if filepath.Join(filepath.Dir(file), filepath.FromSlash(use.Path)) == v.Dir {
			return parsed
		}
	}
	return nil
}

// ownWorkspace makes the go command complete a copy of go.work.sum, so the version's own file stays unchanged. Beside
// it lies a copy of go.work with absolute paths. A workspace with a vendor folder needs no sums.
func (v *Version) ownWorkspace(file string, work *modfile.WorkFile, cfg Config) error {
	home := filepath.Dir(file)
	if module.HasVendor(home) {
		return nil
	}
	if cfg.ModFolder == "" {
		v.Folders.Write = append(v.Folders.Write, home)
		return nil
	}
	missing, err := dropMissing(work, home)
	if len(missing) > 0 {
		v.Warnings = append(v.Warnings, "go.work names modules that are not there, so they are not used: "+
			strings.Join(missing, ", "))
	}
	if err == nil {
		err = makeAbsolute(work, home)
	}
	var sum []byte
	if err == nil {
		sum, err = repository.ReadFile(home, "go.work.sum")
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("copy workspace files: %w", err)
	}
	cfg.WorkFile, cfg.WorkSum = modfile.Format(work.Syntax), sum
	return v.ownWorkFile(cfg)
}

// ownWorkFile makes the go command use a workspace file that replaces the version's own, and complete the sums beside
// it.
func (v *Version) ownWorkFile(cfg Config) error {
	folder, err := v.moduleFolder(cfg)
	if err != nil {
		return err
	}
	file := filepath.Join(folder, "go.work")
	text, err := v.replacingInWorkspace(cfg.WorkFile)
	if err == nil {
		err = createOnce(file, text)
	}
	if err == nil && cfg.WorkSum != nil {
		err = createOnce(file+".sum", cfg.WorkSum)
	}
	if err != nil {
		return fmt.Errorf("copy workspace files: %w", err)
	}
	v.Env = append(v.Env, "GOWORK="+file)
	return nil
}

// dropMissing removes folders without a module from a workspace file, such as those of git submodules, and returns
// them. With one of them the go command would do nothing.
func dropMissing(work *modfile.WorkFile, home string) (missing []string, err error) {
	for _, use := range work.Use {
		dir := filepath.FromSlash(use.Path)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(home, dir)
		}
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); errors.Is(err, fs.ErrNotExist) {
			missing = append(missing, use.Path)
		}
	}
	for _, name := range missing {
		if err := work.DropUse(name); err != nil {
			return nil, fmt.Errorf("drop %s from go.work: %w", name, err)
		}
	}
	work.Cleanup()
	return missing, nil
}

// makeAbsolute makes the paths of a workspace file absolute.
func makeAbsolute(work *modfile.WorkFile, home string) error {
	absolute := func(path string) string {
		if filepath.IsAbs(path) {
			return path
		}
		return filepath.Join(home, filepath.FromSlash(path))
	}
	var used []string
	for _, use := range work.Use {
		used = append(used, use.Path)
	}
	for _, path := range used {
		if err := work.DropUse(path); err != nil {
			return err
		}
	}
	work.Cleanup()
	for _, path := range used {
		if err := work.AddUse(absolute(path), ""); err != nil {
			return err
		}
	}
	for _, r := range work.Replace {
		if r.New.Version != "" || filepath.IsAbs(r.New.Path) {
			continue
		}
		if err := work.AddReplace(r.Old.Path, r.Old.Version, absolute(r.New.Path), ""); err != nil {
			return err
		}
	}
	work.Cleanup()
	return nil
}
