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
		key = r.kept.Key(ctx, r.Config, r.repo, ends, r.patterns...)
	}
	if before, asks := r.compared(key, ends); before != nil {
		r.logf("%s and %s were compared before", r.ends.Old.Revision, r.ends.New.Revision)
		return before, asks, nil
	}
	cfg := r.Config
	cfg.Commits, cfg.Args = &r.ends, r.patterns // a branch may move on
	of, asks, err := pipeline.RunAsking(ctx, cfg)
	if err != nil || of.Partial != nil {
		return of, asks, err
	}
	if err := r.kept.Write(key, of); err != nil {
		r.detailf("the comparison of the ends is not kept: %v", err)
	}
	if r.kept.Read(key, ends, r.Config.FailOn) == nil {
		return of, asks, nil // it is worth no more than this run
	}
	if err := r.kept.Remember(asked(key), asks); err != nil {
		r.detailf("what the ends ask is not kept: %v", err)
	}
	if kept, asks := r.compared(key, ends); kept != nil { // which holds nothing of the recordings
		return kept, asks, nil
	}
	return of, asks, nil
}

// compared returns what is kept of a comparison of the ends, nil if nothing is.
func (r *run) compared(key string, ends spectra.Pair[repository.Commit]) (*report.Report, []pipeline.Ask) {
	var asks []pipeline.Ask
	if before := r.kept.Read(key, ends, r.Config.FailOn); before != nil && r.kept.Recall(asked(key), &asks) {
		return before, asks
	}
	return nil, nil
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
