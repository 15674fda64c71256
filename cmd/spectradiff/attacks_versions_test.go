//go:build linux

package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/rogpeppe/go-internal/testscript"
)

// versions is the command "versions". It makes the repository of an attack: what the folder both holds belongs to both
// versions, and so does the frame, as far as the attack has no such files itself. In all files, $NAME becomes the value
// of a variable of the attack. The repository's settings hold a token, a file is not committed and one has changed.
func versions(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: versions")
	}
	frame := filepath.Join(attacksFolder, "frame")
	for _, side := range []string{"old", "new"} {
		target := ts.MkAbs(side)
		ts.Check(os.MkdirAll(target, 0o777))
		for _, source := range []string{ts.MkAbs("both"), filepath.Join(frame, side), filepath.Join(frame, "both")} {
			ts.Check(copyMissing(source, target))
		}
		ts.Check(expandFiles(target, attackOf(ts).expansion(ts)))
	}
	makeVersions(ts, false, []string{"repo"})
	config, err := os.OpenFile(ts.MkAbs("repo/.git/config"), os.O_APPEND|os.O_WRONLY, 0)
	ts.Check(err)
	_, err = config.WriteString("[http \"https://example.com/\"]\n\textraheader = token " + secretOf("git config") + "\n")
	ts.Check(errors.Join(err, config.Close()))
	ts.Check(os.WriteFile(ts.MkAbs("repo/untracked"), []byte(unfinished+"\n"), 0o644))
	changed, err := os.OpenFile(ts.MkAbs("repo/README"), os.O_APPEND|os.O_WRONLY, 0)
	ts.Check(err)
	_, err = changed.WriteString(unfinished + "\n")
	ts.Check(errors.Join(err, changed.Close()))
}

// expansion returns what replaces the names of places in the sources.
func (a *attack) expansion(ts *testscript.TestScript) *strings.Replacer {
	var pairs []string
	names := []string{"WORK", "HOME", "TMPDIR", "MARK", "CANARY", "TCP4", "TCP6", "UDP", "STREAM", "DATAGRAM",
		"ABSTRACT_STREAM", "ABSTRACT_DATAGRAM"}
	for _, name := range names {
		pairs = append(pairs, "${"+name+"}", ts.Getenv(name))
	}
	return strings.NewReplacer(pairs...)
}

// copyMissing copies a tree, but for what is there already.
func copyMissing(source, target string) error {
	return filepath.WalkDir(source, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && path == source {
			return nil
		}
		if err != nil {
			return err
		}
		name, err := filepath.Rel(source, path)
		if err != nil {
			return err
		}
		to := filepath.Join(target, name)
		if _, err := os.Lstat(to); err == nil {
			return nil
		}
		if entry.IsDir() {
			return os.Mkdir(to, 0o777)
		}
		if entry.Type()&fs.ModeSymlink != 0 {
			link, err := os.Readlink(path)
			return errors.Join(err, os.Symlink(link, to))
		}
		content, err := os.ReadFile(path)
		return errors.Join(err, os.WriteFile(to, content, 0o666))
	})
}

func expandFiles(folder string, names *strings.Replacer) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(content), "${") {
			return err
		}
		return os.WriteFile(path, []byte(names.Replace(string(content))), 0o666)
	})
}

// rename is the command "rename FILE NAME": the file gets another name in its folder, which is written as a Go string
// without its quotes.
func rename(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: rename FILE NAME")
	}
	name, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	from := ts.MkAbs(args[0])
	ts.Check(os.Rename(from, filepath.Dir(from)+"/"+name))
}

// entry is the command "entry MODE NAME TEXT". The new version becomes one whose tree has another entry, whatever it is
// called: a file with that text, or for the mode of a folder the old version's tree. The name is written as a Go string
// without its quotes.
func entry(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: entry MODE NAME TEXT")
	}
	mode, err := filemode.New(args[0])
	ts.Check(err)
	name, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	repository, err := git.PlainOpen(ts.MkAbs("repo"))
	ts.Check(err)
	tip, err := repository.ResolveRevision("new")
	ts.Check(err)
	commit, err := repository.CommitObject(*tip)
	ts.Check(err)
	tree, err := commit.Tree()
	ts.Check(err)
	hash := tree.Hash
	if mode != filemode.Dir {
		hash = writeBlob(ts, repository, args[2])
	}
	tree.Entries = append(tree.Entries, object.TreeEntry{Name: name, Mode: mode, Hash: hash})
	changed := *commit
	changed.TreeHash = writeObject(ts, repository, tree)
	changed.Committer.When = changed.Committer.When.Add(time.Hour)
	made := writeObject(ts, repository, &changed)
	ts.Check(repository.Storer.SetReference(plumbing.NewHashReference("refs/tags/new", made)))
}

func writeBlob(ts *testscript.TestScript, repository *git.Repository, text string) plumbing.Hash {
	blob := repository.Storer.NewEncodedObject()
	blob.SetType(plumbing.BlobObject)
	w, err := blob.Writer()
	ts.Check(err)
	_, err = w.Write([]byte(text))
	ts.Check(errors.Join(err, w.Close()))
	hash, err := repository.Storer.SetEncodedObject(blob)
	ts.Check(err)
	return hash
}

// writeObject writes an object. What go-git refuses to write as a tree is written as it is.
func writeObject(ts *testscript.TestScript, repository *git.Repository, of object.Object) plumbing.Hash {
	encoded := repository.Storer.NewEncodedObject()
	if tree, ok := of.(*object.Tree); ok {
		encoded.SetType(plumbing.TreeObject)
		w, err := encoded.Writer()
		ts.Check(err)
		for _, entry := range tree.Entries {
			head := strings.TrimLeft(entry.Mode.String(), "0") + " " + entry.Name + "\x00"
			_, err := w.Write(append([]byte(head), entry.Hash[:]...))
			ts.Check(err)
		}
		ts.Check(w.Close())
	} else {
		ts.Check(of.Encode(encoded))
	}
	hash, err := repository.Storer.SetEncodedObject(encoded)
	ts.Check(err)
	return hash
}
