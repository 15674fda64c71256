package repository

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/format/config"
)

// gitConfig is git's configuration: the files that were read, least important first.
type gitConfig []*config.Config

// readGitConfig reads the configuration of a git folder: the user's files and the repository's. User files that can't
// be read are skipped; that of the repository is an error. Missing files are no error.
func readGitConfig(git string) (gitConfig, error) {
	home, _ := os.UserHomeDir()
	everywhere := []string{
		"/etc/gitconfig", filepath.Join(xdgFolder(home), "git", "config"), filepath.Join(home, ".gitconfig"),
	}
	var read gitConfig
	for _, name := range everywhere {
		if c, err := readFile(name); err == nil {
			read = append(read, c) // a broken file of the user is no problem here
		}
	}
	c, err := readFile(filepath.Join(commonFolder(git), "config"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("read the repository's config: %w", err)
	}
	if err == nil {
		read = append(read, c)
	}
	if c, err := readFile(filepath.Join(git, "config.worktree")); err == nil && read.apart() {
		read = append(read, c)
	}
	return read, nil
}

// apart reports whether each working tree has a configuration of its own beside that which all share.
func (all gitConfig) apart() bool { return truth(all.Setting("extensions", "", "worktreeconfig")) }

// truth reports whether git takes the value of a setting for true.
func truth(value string) bool {
	return slices.Contains([]string{"true", "yes", "on", "1"}, strings.ToLower(value))
}

// modeless reports whether the file system does not tell what is executable.
func (r *Repository) modeless() bool {
	value := r.config.Setting("core", "", "filemode")
	return value != "" && !truth(value)
}

// namedTree returns the working tree that the configuration of a git folder names, "" if it names none. What all linked
// working trees share names that of the main one.
func namedTree(git string) string {
	common := commonFolder(git)
	var read gitConfig
	if c, err := readFile(filepath.Join(common, "config")); err == nil {
		read = append(read, c)
	}
	apart := read.apart()
	if git != common {
		read = nil
	}
	if c, err := readFile(filepath.Join(git, "config.worktree")); err == nil && apart {
		read = append(read, c)
	}
	return read.Setting("core", "", "worktree")
}

// xdgFolder returns the folder of the user's configuration files; home is the user's home folder.
func xdgFolder(home string) string {
	if dir := os.Getenv("XDG_CONFIG_HOME"); dir != "" {
		return dir
	}
	return filepath.Join(home, ".config")
}

// userFile returns the path of a file of the user that a setting may name; else it has that name in his folder of git.
func (r *Repository) userFile(setting, name string) string {
	home, _ := os.UserHomeDir()
	named := r.config.Setting("core", "", setting)
	if rest, ok := strings.CutPrefix(named, "~/"); ok {
		return filepath.Join(home, rest)
	}
	return cmp.Or(named, filepath.Join(xdgFolder(home), "git", name))
}

func readFile(name string) (*config.Config, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c := config.New()
	return c, config.NewDecoder(f).Decode(c)
}

// Setting returns the last value of a configuration key; "" = not set.
func (all gitConfig) Setting(section, sub, key string) string {
	value := ""
	for _, c := range all {
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

// User returns who works in the repository, as git writes it into commits: "Name <mail>"; "" = not set.
func (r *Repository) User() string {
	name, mail := r.config.Setting("user", "", "name"), r.config.Setting("user", "", "email")
	if mail != "" && name != "" {
		mail = " <" + mail + ">"
	}
	return name + mail
}
