package repository

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// maxSymbolic is the maximum length of a chain of symbolic references. In a damaged repository they may form a circle.
const maxSymbolic = 10

func readPackedRefs(name string) (map[string]hash, error) {
	refs := map[string]hash{}
	data, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return refs, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read packed references: %w", err)
	}
	for line := range strings.Lines(string(data)) {
		digits, ref, ok := strings.Cut(strings.TrimSpace(line), " ")
		if ok && plumbing.IsHash(digits) {
			refs[ref] = plumbing.NewHash(digits)
		}
	}
	return refs, nil
}

func readShallow(name string) (map[hash]bool, error) {
	f, err := os.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the shallow boundary: %w", err)
	}
	defer f.Close()
	cut := map[hash]bool{}
	in := bufio.NewScanner(f)
	for in.Scan() {
		cut[plumbing.NewHash(strings.TrimSpace(in.Text()))] = true
	}
	return cut, in.Err()
}

// refFolder returns the git folder that holds a reference, and the reference's name there. Most references are shared
// by all working trees. Those of another working tree are reached through the shared folder.
func (r *Repository) refFolder(name string) (folder, inside string) {
	if rest, ok := strings.CutPrefix(name, "main-worktree/"); ok {
		return r.common, rest
	}
	if strings.HasPrefix(name, "worktrees/") {
		return r.common, name
	}
	if !strings.HasPrefix(name, "refs/") {
		return r.git, name
	}
	for _, own := range []string{"refs/bisect/", "refs/worktree/", "refs/rewritten/"} {
		if strings.HasPrefix(name, own) {
			return r.git, name
		}
	}
	return r.common, name
}

// ref resolves a full reference name to a hash. It also returns the name of the last reference on the way, which is not
// symbolic.
func (r *Repository) ref(name string) (h hash, end string, ok bool) {
	for range maxSymbolic {
		if !safeRef(name) {
			return hash{}, name, false
		}
		folder, inside := r.refFolder(name)
		data, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(inside)))
		if err != nil {
			h, ok := r.packed[name]
			return h, name, ok
		}
		text := strings.TrimSpace(string(data))
		target, symbolic := strings.CutPrefix(text, "ref:")
		if !symbolic {
			first, _, _ := strings.Cut(strings.ReplaceAll(text, "\t", " "), " ")
			return plumbing.NewHash(first), name, plumbing.IsHash(first)
		}
		name = strings.TrimSpace(target)
	}
	return hash{}, name, false
}

// safeRef reports whether a name can be a reference. Other names could lead to other files.
func safeRef(name string) bool {
	if name == "" || strings.ContainsAny(name, " ~^:?*[\\\x7f\x00") || strings.Contains(name, "..") ||
		strings.HasSuffix(name, "/") || strings.HasSuffix(name, ".lock") || strings.Contains(name, "//") {
		return false
	}
	if rest, ok := strings.CutPrefix(name, "worktrees/"); ok {
		_, name, _ = strings.Cut(rest, "/")
	}
	name = strings.TrimPrefix(name, "main-worktree/")
	if strings.HasPrefix(name, "refs/") {
		return true
	}
	return name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") == ""
}

// branch returns the short name of the current branch; "" = detached.
func (r *Repository) branch() string {
	_, end, _ := r.ref("HEAD")
	name, ok := strings.CutPrefix(end, "refs/heads/")
	if !ok {
		return ""
	}
	return name
}

// refs lists all references below refs/, sorted.
func (r *Repository) refs() []string {
	all := map[string]bool{}
	for name := range r.packed {
		all[name] = true
	}
	root := filepath.Join(r.common, "refs")
	// An unreadable folder only hides its own names.
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(r.common, path)
			all[filepath.ToSlash(rel)] = true
		}
		return nil
	})
	names := make([]string, 0, len(all))
	for name := range all {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// replacements returns the objects replaced by git replace, with their replacements.
func (r *Repository) replacements() map[hash]hash {
	replaced := map[hash]hash{}
	for _, name := range r.refs() {
		digits, ok := strings.CutPrefix(name, "refs/replace/")
		if !ok || !plumbing.IsHash(digits) {
			continue
		}
		if h, _, ok := r.ref(name); ok {
			replaced[plumbing.NewHash(digits)] = h
		}
	}
	return replaced
}

// logEntry is one line of a reference's log.
type logEntry struct {
	old, new hash
	message  string
}

// log returns a reference's log, oldest entry first.
func (r *Repository) log(name string) []logEntry {
	folder, inside := r.refFolder(name)
	data, err := os.ReadFile(filepath.Join(folder, "logs", filepath.FromSlash(inside)))
	if err != nil {
		return nil
	}
	var entries []logEntry
	for line := range strings.Lines(string(data)) {
		head, message, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		fields := strings.Fields(head)
		if len(fields) < 2 {
			continue
		}
		entries = append(entries, logEntry{plumbing.NewHash(fields[0]), plumbing.NewHash(fields[1]), message})
	}
	return entries
}
