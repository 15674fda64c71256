package repository

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Repository is a git repository with a working tree, open for reading.
type Repository struct {
	Root string // of the working tree, absolute, symlinks resolved
	Sub  string // the folder that was passed to Open, relative to Root, slash-separated; "." = Root

	git     string // this working tree's git folder
	common  string // the git folder shared by all linked working trees
	config  gitConfig
	objects *objects
	packed  map[string]hash // packed references
	shallow map[hash]bool   // commits without fetched parents
}

// Open finds the repository at or above dir.
func Open(dir string) (*Repository, error) {
	abs, err := realPath(dir)
	if err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	for at := abs; ; at = filepath.Dir(at) {
		git, err := findGitFolder(at)
		if err != nil {
			return nil, fmt.Errorf("open repository at %s: %w", at, err)
		}
		if git != "" {
			return openAt(at, git, abs)
		}
		if isGitFolder(at) {
			return nil, fmt.Errorf("open repository: %s is a git folder without a working tree; "+
				"run in a working tree of it, made with `git worktree add DIR` or `git clone %s DIR`", at, at)
		}
		if filepath.Dir(at) == at {
			return nil, fmt.Errorf("open repository: no git repository at or above %s; name one with -C DIR", abs)
		}
	}
}

func realPath(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	abs, err = filepath.EvalSymlinks(abs)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(abs)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a folder", abs)
	}
	return abs, err
}

func openAt(root, git, dir string) (*Repository, error) {
	r := &Repository{Root: root, git: git, common: commonFolder(git)}
	var err error
	if r.config, err = readGitConfig(r.git); err != nil {
		return nil, fmt.Errorf("open repository %s: %w", root, err)
	}
	if err := r.supported(); err != nil {
		return nil, fmt.Errorf("open repository %s: %w", root, err)
	}
	if r.Sub, err = r.findTree(dir); err != nil {
		return nil, fmt.Errorf("open repository %s: %w", root, err)
	}
	if r.objects, err = openObjects(filepath.Join(r.common, "objects")); err != nil {
		return nil, fmt.Errorf("open repository %s: %w", root, err)
	}
	if r.packed, err = readPackedRefs(filepath.Join(r.common, "packed-refs")); err != nil {
		return nil, fmt.Errorf("open repository %s: %w", root, err)
	}
	if r.shallow, err = readShallow(filepath.Join(r.common, "shallow")); err != nil {
		return nil, fmt.Errorf("open repository %s: %w", root, err)
	}
	r.objects.replaced = r.replacements()
	return r, nil
}

// findTree takes the working tree that the configuration names, if it names one, and returns where dir is in it.
func (r *Repository) findTree(dir string) (sub string, err error) {
	if tree := namedTree(r.git); tree != "" {
		if r.Root, err = realPath(relativeTo(r.git, tree)); err != nil {
			return "", fmt.Errorf("core.worktree of %s: %w", r.git, err)
		}
	}
	if sub, ok := inside(r.Root, dir); ok {
		return filepath.ToSlash(sub), nil
	}
	if _, ok := inside(dir, r.Root); ok {
		return ".", nil
	}
	return "", fmt.Errorf("its working tree is %s, as core.worktree of %s says; run there, or correct that",
		r.Root, r.git)
}

// inside returns the path from a folder to one in it.
func inside(folder, name string) (rel string, ok bool) {
	rel, err := filepath.Rel(folder, name)
	return rel, err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// supported returns an error for kinds of repositories that can't be read. Without the error they would seem to lack
// objects or references.
func (r *Repository) supported() error {
	core := func(key string) string { return r.config.Setting("core", "", key) }
	if core("bare") == "true" && namedTree(r.git) == "" && r.git == r.common {
		return errors.New("the repository is bare; run in a working tree of it, made with `git worktree add DIR`")
	}
	if f := r.config.Setting("extensions", "", "objectformat"); f != "" && f != "sha1" {
		return fmt.Errorf("object format %s is not supported; use a clone with sha1 objects", f)
	}
	if f := r.config.Setting("extensions", "", "refstorage"); f != "" && f != "files" {
		return fmt.Errorf("reference storage %s is not supported; run `git refs migrate --ref-format=files`", f)
	}
	return nil
}

// remote returns the name of the remote to fetch from.
func (r *Repository) remote() string {
	if branch := r.branch(); branch != "" {
		if name := r.config.Setting("branch", branch, "remote"); name != "" && name != "." {
			return name
		}
	}
	return "origin"
}
