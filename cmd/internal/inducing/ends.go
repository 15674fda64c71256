package inducing

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/replay/build"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/report"
	reportjson "github.com/spectradiff/spectradiff/internal/report/json"
)

// compared is what is kept of the comparison of the ends.
type compared struct {
	Report json.RawMessage
	Asks   []pipeline.Ask
}

// compare compares the ends, or returns what an earlier run found of the same with the same settings.
func (r *run) compare(ctx context.Context) (*report.Report, []pipeline.Ask, error) {
	key, err := r.key("ends", r.settings())
	if err != nil {
		return nil, nil, err
	}
	var before compared
	if r.remembers() && r.kept.ReadValue(cache.Answers, key, &before) {
		if of, err := reportjson.Read(bytes.NewReader(before.Report)); err == nil {
			r.logf("%s and %s were compared before", r.ends.Old.Revision, r.ends.New.Revision)
			return of, before.Asks, nil
		}
	}
	of, asks, err := pipeline.RunAsking(ctx, r.Config)
	if err != nil || of.Partial != nil || !r.remembers() {
		return of, asks, err
	}
	var text bytes.Buffer
	if err := reportjson.Write(&text, of); err != nil {
		return nil, nil, err
	}
	if err := r.kept.WriteValue(cache.Answers, key, compared{text.Bytes(), asks}); err != nil {
		r.detailf("the comparison of the ends is not kept: %v", err)
	}
	return of, asks, nil
}

// remembers reports whether a comparison of the ends may be taken from an earlier run: both are commits, and the run
// writes nothing but its report.
func (r *run) remembers() bool {
	c := r.Config
	return !r.ends.New.Worktree && c.Emit == "" && c.Keep == "" && c.Corpus == "" && len(c.Outside) == 0
}

// settings are those that decide what a comparison finds.
func (r *run) settings() []any {
	c := r.Config
	return []any{
		c.Args, c.Seed, c.Sequences, c.Budget, c.Auto, c.Explore, c.Redundant, c.Drive, c.Run, c.All, c.Renames, c.FailOn,
		c.Deps, c.NoProof, c.Timeout,
	}
}

// key returns a name for what is kept: that of the tool, the contents of old and the given parts decide.
func (r *run) key(kind string, parts ...any) (string, error) {
	all := []any{kind, build.Salt(r.Config.Tool), r.repo.Sub, r.ends.Old.Hash, r.Config.NoSandbox}
	if kind == "ends" {
		all = append(all, r.ends.New.Hash)
	}
	return nameOf(kind, append(all, parts...))
}

// nameOf returns a name for what is kept, which is another one for other parts.
func nameOf(kind string, parts []any) (string, error) {
	text, err := json.Marshal(parts)
	if err != nil {
		return "", fmt.Errorf("name what is kept: %w", err)
	}
	sum := sha256.Sum256(text)
	return kind + "-" + hex.EncodeToString(sum[:16]), nil
}
