package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/cmd/internal/lab/origins"
)

// seededBranch is the branch of a clone that holds its newest commits with faults.
const seededBranch = "origins"

// A seeding seeds faults into a clone.
type seeding struct {
	*originHunt
	clone   string
	random  *rand.Rand
	module  string            // the folder of the main module, relative to the clone
	modes   map[string]string // of the files of the newest commit
	history origins.History   // without faults until they are chosen
	read    map[string]bool   // the files that the commits of the history hold
}

// seeded seeds faults into the newest commits of a repository, and has their commits found.
func (h *originHunt) seeded(ctx context.Context, of string) ([]*hunted, error) {
	clone, err := h.cloneOf(ctx, of)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(clone)
	s := &seeding{
		originHunt: h, clone: clone, random: rand.New(rand.NewPCG(h.random, 0)), read: map[string]bool{},
	}
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	if err := s.choose(ctx); err != nil {
		return nil, err
	}
	hashes, err := s.write(ctx)
	if err != nil {
		return nil, err
	}
	one := &hunted{repository: repositoryName(of)}
	for i, seed := range s.history.Seeds {
		one.expected = append(one.expected, expected{
			what: seed.Symbol, how: seed.String(), commits: hashes[i : i+1], match: rootAt(seed.Symbol),
		})
	}
	if err := h.find(ctx, one, clone, s.module, s.history.Base.Hash+".."+seededBranch); err != nil {
		one.trouble = err.Error()
	}
	return []*hunted{one}, nil
}

// begin finds the main module, reads the commits that have it, and checks out the newest one.
func (s *seeding) begin(ctx context.Context) error {
	out, err := gitOutput(ctx, s.clone, "rev-list", "--first-parent", "--reverse", "-n", fmt.Sprint(s.commits+1), s.to)
	if err != nil {
		return err
	}
	hashes := strings.Fields(out)
	if err := s.list(ctx, hashes[len(hashes)-1]); err != nil {
		return err
	}
	var names []string
	for _, hash := range hashes {
		names = append(names, hash+":"+path.Join(s.module, "go.mod"))
	}
	mods, err := objects(ctx, s.clone, names)
	if err != nil {
		return err
	}
	for len(mods) > 0 && slices.Contains(mods, "") { // the range begins behind the last commit without a module
		hashes, mods = hashes[1:], mods[1:]
	}
	if len(hashes) <= max(s.seeds, 1) {
		return fmt.Errorf("%d commits are too few for %d faults", len(hashes)-1, s.seeds)
	}
	if err := git(ctx, s.clone, "checkout", "-q", "-f", "--detach", s.to); err != nil {
		s.logf("%s: some files can't be checked out: %v", s.clone, err)
	}
	return s.readCommits(ctx, hashes)
}

// readCommits reads the commits of the range, behind the one below it.
func (s *seeding) readCommits(ctx context.Context, hashes []string) error {
	raw, err := objects(ctx, s.clone, hashes)
	if err != nil {
		return err
	}
	commits := make([]origins.Commit, len(hashes))
	for i, hash := range hashes {
		if commits[i], err = origins.ParseCommit(hash, raw[i]); err != nil {
			return err
		}
		commits[i].Files = map[string]string{}
	}
	s.history.Base, s.history.Commits = commits[0], commits[1:]
	return nil
}

// list lists the files of a commit, and finds the main module: the one in the fewest folders.
func (s *seeding) list(ctx context.Context, hash string) error {
	out, err := gitOutput(ctx, s.clone, "ls-tree", "-r", "-z", "--full-tree", hash)
	if err != nil {
		return err
	}
	s.modes = map[string]string{}
	var modules []string
	for entry := range strings.SplitSeq(strings.TrimSuffix(out, "\x00"), "\x00") {
		about, name, _ := strings.Cut(entry, "\t")
		s.modes[name], _, _ = strings.Cut(about, " ")
		if path.Base(name) == "go.mod" {
			modules = append(modules, path.Dir(name))
		}
	}
	if len(modules) == 0 {
		return errors.New("its newest commit has no go.mod")
	}
	s.module = slices.MinFunc(modules, func(x, y string) int { return depth(x) - depth(y) })
	return nil
}

// depth returns in how many folders a folder lies, itself among them.
func depth(folder string) int {
	if folder == "." {
		return 0
	}
	return strings.Count(folder, "/") + 1
}

// load reads a file of all commits into the history, once. A file that some commit does not have is no error.
func (s *seeding) load(ctx context.Context, file string) error {
	if s.read[file] {
		return nil
	}
	s.read[file] = true
	commits := append([]origins.Commit{s.history.Base}, s.history.Commits...)
	var names []string
	for _, c := range commits {
		names = append(names, c.Hash+":"+file)
	}
	texts, err := objects(ctx, s.clone, names)
	if err != nil {
		return err
	}
	for i, text := range texts {
		if text != "" {
			commits[i].Files[file] = text
		}
	}
	return nil
}

// write writes the history with its faults as a branch, checks that out, and returns the hashes of the faults' commits.
func (s *seeding) write(ctx context.Context) (hashes []string, err error) {
	known := filepath.Join(s.dir, "marks")
	from, to := io.Pipe()
	var marks []int
	go func() {
		var err error
		marks, err = s.history.Stream(to, seededBranch)
		to.CloseWithError(err)
	}()
	_, err = gitInput(ctx, s.clone, from,
		"fast-import", "--quiet", "--date-format=raw-permissive", "--export-marks="+known)
	from.Close() // if git ended early, the stream does too
	if err != nil {
		return nil, err
	}
	if err := git(ctx, s.clone, "checkout", "-q", "-f", seededBranch); err != nil {
		s.logf("%s: some files can't be checked out: %v", s.clone, err)
	}
	text, err := os.ReadFile(known)
	if err != nil {
		return nil, err
	}
	by := map[string]string{}
	for line := range strings.Lines(string(text)) {
		mark, hash, _ := strings.Cut(strings.TrimSpace(line), " ")
		by[mark] = hash
	}
	for _, mark := range marks {
		hashes = append(hashes, by[fmt.Sprint(":", mark)])
	}
	return hashes, nil
}
