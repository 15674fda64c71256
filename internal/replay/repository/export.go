package repository

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/storage/memory"
)

// Export writes the objects of a commit without its parents to a new folder of objects, as packs: for another
// machine, which makes a repository of it (Rebuild). Objects that base has as well are left out, unless base is the
// zero Commit. The same commits give the same bytes and times. The working tree can't be exported, nor can commits
// where objects are replaced (git replace). Objects that the repository lacks are missing there too.
func (r *Repository) Export(ctx context.Context, c, base Commit, dir string) error {
	packs := filepath.Join(dir, "pack")
	err := r.export(ctx, c, base, packs, mostPacked)
	if err == nil {
		err = setTimes(packs)
	}
	if err != nil {
		return fmt.Errorf("export %s: %w", c.Revision, err)
	}
	return nil
}

// setTimes gives a folder and its files one time: who sends them names them by content and times, and what was sent
// before is not sent again.
func setTimes(dir string) error {
	return filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chtimes(path, time.Unix(0, 0), time.Unix(0, 0))
	})
}

// mostPacked is how many objects a pack has: all of them are in memory while it is written.
const mostPacked = 2000

func (r *Repository) export(ctx context.Context, c, base Commit, dir string, most int) error {
	if c.Worktree || len(r.objects.replaced) > 0 {
		return errors.New("it is no commit, or the repository replaces objects")
	}
	read := r.objects.reader()
	defer read.close()
	e := &exporter{ctx: ctx, read: read, known: map[hash]bool{}}
	if base.Hash != "" {
		if err := e.commit(base.id()); err != nil {
			return err
		}
		e.list = nil
	}
	if err := e.commit(c.id()); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	number := 0
	for part := range slices.Chunk(e.list, most) {
		number++
		if err := e.write(filepath.Join(dir, fmt.Sprintf("pack-%06d", number)), part); err != nil {
			return err
		}
	}
	return nil
}

// An exporter lists objects, each once.
type exporter struct {
	*memory.Storage // of no objects, for the other methods of a store

	ctx   context.Context
	read  *reader
	known map[hash]bool
	list  []hash
}

// EncodedObject makes the exporter the store that objects are packed from.
func (e *exporter) EncodedObject(_ plumbing.ObjectType, h plumbing.Hash) (plumbing.EncodedObject, error) {
	if err := e.ctx.Err(); err != nil {
		return nil, err
	}
	return e.read.object(h)
}

func (e *exporter) commit(h hash) error {
	of, err := e.read.commit(h)
	if err != nil {
		return err
	}
	e.add(h)
	return e.tree(of.tree)
}

// add lists an object. It reports false if it was listed before.
func (e *exporter) add(h hash) bool {
	if e.known[h] {
		return false
	}
	e.known[h], e.list = true, append(e.list, h)
	return true
}

func (e *exporter) tree(h hash) error {
	if err := e.ctx.Err(); err != nil {
		return err
	}
	if !e.add(h) {
		return nil
	}
	entries, err := e.read.tree(h)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		switch entry.mode {
		case modeFolder:
			if err := e.tree(entry.hash); err != nil {
				return err
			}
		case modeSubmodule:
		default:
			if e.read.objects.has(entry.hash) {
				e.add(entry.hash)
			}
		}
	}
	return nil
}

// write writes objects as a pack with its index.
func (e *exporter) write(name string, list []hash) (err error) {
	pack, err := os.OpenFile(name+".pack", os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pack.Close()) }()
	e.Storage = memory.NewStorage()
	if _, err := packfile.NewEncoder(pack, e, false).Encode(list, 0); err != nil {
		return err
	}
	if _, err := pack.Seek(0, 0); err != nil {
		return err
	}
	index := &idxfile.Writer{}
	parser, err := packfile.NewParser(packfile.NewScanner(pack), index)
	if err != nil {
		return err
	}
	if _, err := parser.Parse(); err != nil {
		return err
	}
	made, err := index.Index()
	if err != nil {
		return err
	}
	file, err := os.OpenFile(name+".idx", os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = idxfile.NewEncoder(file).Encode(made)
	return errors.Join(err, file.Close())
}

// Origin returns the address of the repository's origin; "" = none.
func (r *Repository) Origin() string { return r.origin() }

// Rebuild makes a repository of exported commits in a new folder, with an empty working tree, in the place of the one
// whose origin it names: for those who read commits by their hashes. The folders of objects stay where they are.
func Rebuild(dir, origin string, commits []Commit, objects []string) error {
	var hashes strings.Builder
	for _, c := range commits {
		if err := c.check(); err != nil {
			return fmt.Errorf("rebuild a repository: %w", err)
		}
		fmt.Fprintln(&hashes, c.Hash)
	}
	git := filepath.Join(dir, ".git")
	for _, folder := range []string{"refs", filepath.Join("objects", "info")} {
		if err := os.MkdirAll(filepath.Join(git, folder), 0o777); err != nil {
			return err
		}
	}
	config := "[core]\n\trepositoryformatversion = 0\n"
	if origin != "" {
		if strings.ContainsAny(origin, "\n\x00") {
			return fmt.Errorf("rebuild a repository: origin %.80q is no address", origin)
		}
		config += fmt.Sprintf("[remote \"origin\"]\n\turl = \"%s\"\n", quoted.Replace(origin))
	}
	for name, content := range map[string]string{
		"HEAD": commits[len(commits)-1].Hash + "\n", "shallow": hashes.String(), "config": config,
		filepath.Join("objects", "info", "alternates"): strings.Join(objects, "\n") + "\n",
	} {
		if err := os.WriteFile(filepath.Join(git, name), []byte(content), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// quoted writes a value in the git configuration.
var quoted = strings.NewReplacer(`\`, `\\`, `"`, `\"`)
