package inducing

import (
	"context"

	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// compare compares the ends, or returns what an earlier run found of the same with the same settings.
func (r *run) compare(ctx context.Context) (*report.Report, []pipeline.Ask, error) {
	ends := spectra.Pair[repository.Commit]{Old: r.ends.Old, New: r.ends.New}
	key := ""
	if r.remembers() {
		key = r.kept.Key(r.Config, r.repo, ends, r.patterns...)
	}
	if before := r.kept.Read(key, ends, r.Config.FailOn); before != nil {
		var asks []pipeline.Ask
		if r.kept.Recall(asked(key), &asks) {
			r.logf("%s and %s were compared before", r.ends.Old.Revision, r.ends.New.Revision)
			return before, asks, nil
		}
	}
	of, asks, err := pipeline.RunAsking(ctx, r.Config)
	if err != nil || of.Partial != nil {
		return of, asks, err
	}
	if err := r.kept.Remember(asked(key), asks); err != nil {
		r.detailf("what the ends ask is not kept: %v", err)
	}
	if err := r.kept.Write(key, of); err != nil {
		r.detailf("the comparison of the ends is not kept: %v", err)
	}
	return of, asks, nil
}

// asked returns the key of what the ends ask, beside that of their report.
func asked(key string) string {
	if key == "" {
		return ""
	}
	return "asks-" + key
}

// remembers reports whether a comparison of the ends may be taken from an earlier run: it writes only its report.
func (r *run) remembers() bool {
	return r.Config.Emit == "" && r.Config.Keep == "" && r.Config.Corpus == ""
}
