package repository

// This file finds a repository and reads its configuration.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/config"
)

// A Repository is a git repository with a working tree, open for reading.
type Repository struct {
	Root string // of the working tree, absolute, symlinks resolved
	Sub  string // the folder that was passed to Open, relative to Root, slash-separated; "." = Root

	git     string // this working tree's git folder
	common  string // the git folder that all linked working trees share
	config  []*config.Config
	objects *objects
	packed  map[string]hash // packed references
	shallow map[hash]bool   // commits whose parents were not fetched
}

// Open finds the repository at or above dir.
func Open(dir string) (*Repository, error) {
	abs, err := realPath(dir)
	if err != nil {
		return nil, fmt.Errorf("open repository: %w", err)
	}
	for at := abs; ; at = filepath.Dir(at) {
		git, err := gitFolder(at)
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

// gitFolder returns the git folder of the working tree at dir, "" if dir isn't the root of one.
func gitFolder(dir string) (string, error) {
	name := filepath.Join(dir, ".git")
	info, err := os.Stat(name)
	if err != nil {
		return "", nil
	}
	if info.IsDir() {
		if !isGitFolder(name) {
			return "", nil
		}
		return name, nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	target, ok := strings.CutPrefix(string(data), "gitdir:")
	if !ok {
		return "", fmt.Errorf("%s is not a git file: it has no \"gitdir:\" line", name)
	}
	target = relativeTo(dir, strings.TrimSpace(target))
	if !isGitFolder(target) {
		return "", fmt.Errorf("%s points to %s, which is not a git folder; "+
			"run `git worktree repair` in the main working tree", name, target)
	}
	return target, nil
}

// relativeTo returns the path of name, which is relative to dir if it is not absolute.
func relativeTo(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// isGitFolder reports whether dir looks like git's own folder.
func isGitFolder(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return false
	}
	common := commonFolder(dir)
	for _, name := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(common, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// commonFolder returns the git folder shared by all working trees.
func commonFolder(git string) string {
	data, err := os.ReadFile(filepath.Join(git, "commondir"))
	if err != nil {
		return git
	}
	return relativeTo(git, strings.TrimSpace(string(data)))
}

func openAt(root, git, dir string) (*Repository, error) {
	r := &Repository{Root: root, git: git, common: commonFolder(git)}
	if err := r.readConfig(); err != nil {
		return nil, fmt.Errorf("open repository %s: %w", root, err)
	}
	if err := r.supported(); err != nil {
		return nil, fmt.Errorf("open repository %s: %w", root, err)
	}
	if tree := r.setting("core", "", "worktree"); tree != "" {
		r.Root = relativeTo(git, tree)
	}
	sub, err := filepath.Rel(r.Root, dir)
	if err != nil || sub == ".." || strings.HasPrefix(sub, "../") {
		sub = "."
	}
	r.Sub = filepath.ToSlash(sub)
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

// supported returns an error for repositories of a kind that can't be read. Without it they would seem to
// lack objects or references.
func (r *Repository) supported() error {
	if r.setting("core", "", "bare") == "true" && r.setting("core", "", "worktree") == "" && r.git == r.common {
		return errors.New("the repository is bare; run in a working tree of it, made with `git worktree add DIR`")
	}
	if f := r.setting("extensions", "", "objectformat"); f != "" && f != "sha1" {
		return fmt.Errorf("object format %s is not supported; use a clone with sha1 objects", f)
	}
	if f := r.setting("extensions", "", "refstorage"); f != "" && f != "files" {
		return fmt.Errorf("reference storage %s is not supported; run `git refs migrate --ref-format=files`", f)
	}
	return nil
}

// readConfig reads the configuration files, least important first.
func (r *Repository) readConfig() error {
	home, _ := os.UserHomeDir()
	everywhere := []string{
		"/etc/gitconfig", filepath.Join(xdgFolder(home), "git", "config"), filepath.Join(home, ".gitconfig"),
	}
	for _, name := range everywhere {
		if c, err := readConfigFile(name); err == nil {
			r.config = append(r.config, c) // a broken file of the user's doesn't matter here
		}
	}
	c, err := readConfigFile(filepath.Join(r.common, "config"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("read the repository's config: %w", err)
	}
	if err == nil {
		r.config = append(r.config, c)
	}
	if c, err := readConfigFile(filepath.Join(r.git, "config.worktree")); err == nil {
		r.config = append(r.config, c)
	}
	return nil
}

func xdgFolder(home string) string {
	if dir := os.Getenv("XDG_CONFIG_HOME"); dir != "" {
		return dir
	}
	return filepath.Join(home, ".config")
}

func readConfigFile(name string) (*config.Config, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c := config.New()
	return c, config.NewDecoder(f).Decode(c)
}

// setting returns the last value of a configuration key; "" = not set.
func (r *Repository) setting(section, sub, key string) string {
	value := ""
	for _, c := range r.config {
		if !c.HasSection(section) {
			continue
		}
		s := c.Section(section)
		options := s.Options
		if sub != "" {
			if !s.HasSubsection(sub) {
				continue
			}
			options = s.Subsection(sub).Options
		}
		for _, o := range options {
			if o.IsKey(key) {
				value = o.Value
			}
		}
	}
	return value
}

// remote returns the name of the remote to fetch from.
func (r *Repository) remote() string {
	if branch := r.branch(); branch != "" {
		if name := r.setting("branch", branch, "remote"); name != "" && name != "." {
			return name
		}
	}
	return "origin"
}
