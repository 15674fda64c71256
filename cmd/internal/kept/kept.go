// Package kept keeps the reports of comparisons, so that a comparison that was made is not made again, and what else is
// known of two commits.
//
// In: the configuration of a comparison and its two commits; afterwards its report. Out: the report that is kept of it,
// if there is one. What always holds: a report is found again only where everything is the same that decides it: what
// both commits hold, the folder, the settings, the program of the tool, the go command and its settings, the compilers
// of cgo, what workers must have in common (the layers that confine, the programs of the system that tests may start),
// and the types that the project does not compare. What the user calls the versions, what fails, and how a run is shown
// is taken from the new run. Only reports of runs that came to their end are kept. They hold secrets as the versions
// do, and lie in the cache beside these. What a run learnt with the workers of a server is kept for runs with this
// server: whoever reaches it may have decided it. Such runs also take what this machine found alone. What it never
// does: to fail a run. Without a cache, or where it can't tell what decides, nothing is kept.
package kept

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	gojson "encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/fleet"
	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/json"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A Store keeps reports. The nil Store keeps none.
type Store struct {
	cache *cache.Cache
	salt  string // the program of the tool, what of the machine decides, and the settings of the go command
	far   string // ends the names of what is learnt with workers of a server; "": this machine is alone
}

// Open opens the store in a cache, for a run with the workers of a server; "" = without.
func Open(where cache.Settings, server string) (*Store, error) {
	runner := gocommand.Unconfined()
	settings, err := runner.Settings()
	if err != nil {
		return nil, err
	}
	layers, err := env.Layers(true) // whether these are enough is another question
	if err != nil {
		return nil, err
	}
	kind, err := env.KindOf("", layers)
	if err != nil {
		return nil, err
	}
	store, err := cache.Open(where, nil)
	if err != nil {
		return nil, err
	}
	salt := fmt.Sprintf("%+v\n%q\n%s%s", kind, layers.Weak(), settings, runner.Compilers())
	s := &Store{cache: store, salt: salt}
	if server != "" {
		sum := sha256.Sum256([]byte(server))
		s.far = "-by-" + hex.EncodeToString(sum[:8])
	}
	return s, nil
}

// names returns the names in the cache of what is kept under a key, those of this machine alone first.
func (s *Store) names(key string) []string {
	return slices.Compact([]string{key, key + s.far})
}

// Close releases what is held in the cache.
func (s *Store) Close(ctx context.Context) {
	if s != nil {
		s.cache.Finish(ctx)
	}
}

// Key returns a text that stands for all that decides the report of two commits of a repository, as far as packages
// that match patterns are concerned; without any all are. It is empty if that can't be told: the working tree may
// change, and so may folders outside of the repository.
func (s *Store) Key(
	ctx context.Context, cfg pipeline.Config, repo *repository.Repository, commits spectra.Pair[repository.Commit],
	patterns ...string,
) string {
	if s == nil || commits.Old.Worktree || commits.New.Worktree || len(cfg.Outside) > 0 {
		return ""
	}
	opaque, err := drivers.OpaqueEntries(cfg.Dir)
	if err != nil {
		return ""
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%q\n%s\n%q\n", s.salt, repo.Sub, deciding(cfg), patterns)
	for _, entry := range opaque {
		fmt.Fprintf(h, "%q\n", entry.Type)
	}
	for _, side := range spectra.Sides() {
		content, err := repo.Content(ctx, *commits.Of(side))
		if err != nil {
			return ""
		}
		fmt.Fprintln(h, content)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// deciding returns the settings of a comparison, but for those that don't change what its report says: a setting that
// is new decides, unless it is named here.
func deciding(cfg pipeline.Config) string {
	cfg.Dir, cfg.Args, cfg.Commits = "", nil, nil // the commits, the folder and the patterns are known
	cfg.FailOn = ""                               // it is decided anew
	cfg.Jobs, cfg.Cache, cfg.Keep, cfg.End, cfg.Verbose = 0, cache.Settings{}, "", nil, false
	cfg.Progress, cfg.Log, cfg.Found, cfg.Timed, cfg.Nats = nil, nil, nil, nil, fleet.Options{}
	return fmt.Sprintf("%#v", cfg)
}

// Read returns the report that is kept under a key, as one of the two commits; nil if there is none. FailOn decides
// anew what fails.
func (s *Store) Read(key string, commits spectra.Pair[repository.Commit], failOn string) *report.Report {
	if s == nil || key == "" {
		return nil
	}
	data, ok := s.first(cache.Reports, key)
	if !ok {
		return nil
	}
	r, err := json.Read(bytes.NewReader(data))
	if err != nil { // it was written by a later version of the tool
		return nil
	}
	r.Old = report.Revision{Revision: commits.Old.Revision, Commit: commits.Old.Hash}
	r.New = report.Revision{Revision: commits.New.Revision, Commit: commits.New.Hash}
	if r.Decide(report.FailOn(failOn)) != nil {
		return nil
	}
	return r
}

// Write keeps a report under a key, if its run came to its end.
func (s *Store) Write(key string, r *report.Report) error {
	if s == nil || key == "" || !whole(r) {
		return nil
	}
	var data bytes.Buffer
	if err := json.Write(&data, r); err != nil {
		return err
	}
	return s.cache.Keep(cache.Reports, key+s.far, data.Bytes())
}

// first returns what is kept under a key, of this machine alone if there is such.
func (s *Store) first(kind cache.Kind, key string) ([]byte, bool) {
	for _, name := range s.names(key) {
		if data, ok := s.cache.Kept(kind, name); ok {
			return data, true
		}
	}
	return nil, false
}

// Name returns a key for what the program of the tool, the machine, the settings of the go command and these parts
// decide; "" if the parts can't be written.
func (s *Store) Name(parts ...any) string {
	text, err := gojson.Marshal(parts)
	if s == nil || err != nil {
		return ""
	}
	sum := sha256.Sum256(append([]byte(s.salt), text...))
	return hex.EncodeToString(sum[:16])
}

// Recall reads the value that Remember kept under a key into a pointer. It reports false if there is none.
func (s *Store) Recall(key string, value any) bool {
	if s == nil || key == "" {
		return false
	}
	data, ok := s.first(cache.Answers, key)
	return ok && gojson.Unmarshal(data, value) == nil
}

// RecallAll adds all that Remember kept under a key to a map.
func RecallAll[M ~map[string]V, V any](s *Store, key string, into M) {
	if s == nil || key == "" {
		return
	}
	for _, name := range slices.Backward(s.names(key)) { // what this machine found alone counts
		var more M
		if data, ok := s.cache.Kept(cache.Answers, name); ok && gojson.Unmarshal(data, &more) == nil {
			maps.Copy(into, more)
		}
	}
}

// Remember keeps a value under a key, in the place of the one that was there.
func (s *Store) Remember(key string, value any) error {
	if s == nil || key == "" {
		return nil
	}
	data, err := gojson.Marshal(value)
	if err != nil {
		return fmt.Errorf("remember: %w", err)
	}
	return s.cache.Keep(cache.Answers, key+s.far, data)
}

// Materialise returns a version's files, which the store holds until it is closed.
func (s *Store) Materialise(
	ctx context.Context, repo *repository.Repository, of repository.Commit,
) (*repository.Tree, error) {
	return repo.Materialise(ctx, of, s.cache)
}

// whole reports whether another run would say no more: nothing was ended early, lost to a limit on time, or could not
// be run for a reason that may be gone.
func whole(r *report.Report) bool {
	if slices.Contains(r.Lacks, report.LackTests) || slices.Contains(r.Lacks, report.LackCommands) {
		return false
	}
	for _, m := range r.Modules {
		if m.Failed != "" || m.Partial != nil {
			return false
		}
	}
	return r.Partial == nil && r.Verdict != report.Incomplete
}
