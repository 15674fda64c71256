package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/group"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/replay/shard"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/emit"
	"github.com/spectradiff/spectradiff/internal/report/shards"
	"github.com/spectradiff/spectradiff/internal/report/summary"
)

// module compares a module: that of a folder of the repository, without one that where the user is. It returns what
// each shard found; all have the same versions, builds and package variables.
func (t *task) module(ctx context.Context, end *early, folder string) (list []shards.Module, err error) {
	m := t.common(ctx, end, folder)
	defer func() { t.keep(ctx, m, err) }()
	for i, of := range t.shards {
		if i > 0 && end.partly() != nil {
			list = append(list, shards.Module{Folder: folder, Failed: ErrEarly.Error()})
			continue
		}
		done, err := m.flow.shard(ctx, i, of, m.undone, m.ended)
		if err != nil {
			return nil, err
		}
		list = append(list, done)
	}
	t.env.Store.SealModuleFiles()
	return list, nil
}

// A begun is a module after the stages that all shards have in common.
type begun struct {
	flow   *flow
	undone []string // if these stages ended the run
	ended  error
}

// A session is what one shard leaves for further ones.
type session struct {
	module *begun // nil: nothing
	over   bool   // the run had to end early, so nothing more plays
}

// common does the stages that all shards have in common, unless the module was left for further ones.
func (t *task) common(ctx context.Context, end *early, folder string) *begun {
	if m := t.session.take(); m != nil && m.flow.folder == folder {
		m.flow.task, m.flow.end, m.flow.begun = t, end, time.Now()
		m.flow.limitPlaying()
		return m
	} else if m != nil {
		m.flow.ahead.End()
	}
	m := &begun{flow: &flow{task: t, folder: folder, sandbox: "none", begun: time.Now(), end: end}}
	t.env.Unlimited()
	m.undone, m.ended = m.flow.run(ctx, 0, common)
	return m
}

// keep leaves a module for further shards. After an error none of it is used again.
func (t *task) keep(ctx context.Context, m *begun, err error) {
	if t.session != nil && err == nil && ctx.Err() == nil {
		t.session.module = m
		return
	}
	m.flow.ahead.End()
}

// take returns the module that was left, nil if there is none.
func (s *session) take() (m *begun) {
	if s != nil {
		m, s.module = s.module, nil
	}
	return m
}

// shard does what a shard has for itself after the common stages, unless these ended the run, and makes its report. In
// a run with a limit each shard has an equal share of the time that is left.
func (f *flow) shard(ctx context.Context, i int, of shard.Shard, undone []string, ended error) (shards.Module, error) {
	task, own := *f.task, *f
	own.task, task.cfg.Shard = &task, of
	if ended == nil {
		if n := max(len(f.shards), f.rounds); n > 1 {
			if f.cfg.Timeout > 0 {
				task.cfg.Timeout = max((f.cfg.Timeout-time.Since(f.begun))/time.Duration(n-i), time.Second)
			}
			own.begun = time.Now()
			own.limitPlaying()
			f.env.Logf("shard %s", of)
		}
		undone, ended = own.run(ctx, common, len(own.stages()))
		f.ahead = own.ahead
	}
	return own.finish(ctx, undone, ended)
}

// finish makes the report of a run that came to its end, or was ended: then with what was not done.
func (f *flow) finish(ctx context.Context, undone []string, err error) (shards.Module, error) {
	partial := f.end.partly()
	if errors.Is(err, judge.ErrTimeUp) && partial == nil {
		partial = &report.Partial{Reason: report.TimedOut, Stage: f.env.CurrentStage()}
	}
	switch cancelled := errors.Is(context.Cause(ctx), ErrEarly) && f.found.Plan != nil; {
	case errors.Is(context.Cause(ctx), ErrEarly) && !cancelled:
		const text = "%w in stage %s, before anything was known; give it more time with --timeout, or name packages"
		return shards.Module{}, fmt.Errorf(text, ErrEarly, partial.Stage)
	case err != nil && !errors.Is(err, plan.ErrOver) && !errors.Is(err, judge.ErrTimeUp) && !cancelled:
		return shards.Module{}, err
	case partial != nil:
		if partial.Undone = undone; f.cut && !slices.Contains(undone, testsBring) {
			partial.Undone = append([]string{testsBring}, undone...)
		}
		if f.found.Findings == nil && (f.found.Calls.Judged != nil || len(f.source.Calls) > 0) {
			f.group()
		}
	}
	return f.report(partial)
}

// report makes the report of what was found.
func (f *flow) report(partial *report.Partial) (m shards.Module, err error) {
	f.env.Stage("report")
	r := f.cfg.report(f.sandbox)
	r.Partial, r.Settings.Packages = partial, f.versions.Patterns()
	f.found.Shard = f.cfg.Shard
	f.found.NoProof = f.cfg.NoProof
	summary.Report(r, f.found)
	if err := r.Finish(report.FailOn(f.cfg.FailOn)); err != nil {
		return m, err
	}
	*f.asks = append(*f.asks, f.asked(r)...)
	if j := f.found.Calls.Judged; j != nil {
		if err := f.found.Calls.Generated.KeepCorpus(f.cfg.Corpus, j.Examples()); err != nil {
			return m, err
		}
	}
	if m = (shards.Module{Report: r}); f.cfg.Shard.Of > 0 {
		m = summary.Module(r, f.found)
	}
	m.Folder = f.folder
	return m, nil
}

// group groups the findings. What tests of new alone show comes last, so that of equals others lead.
func (f *flow) group() {
	last := func(of *diff.Finding) int {
		if of.Only {
			return 1
		}
		return 0
	}
	slices.SortStableFunc(f.source.Calls, func(x, y *diff.Finding) int { return cmp.Compare(last(x), last(y)) })
	f.found.Findings = group.Shown(f.found.Drivers, f.source)
}

// emit writes tests for the findings.
func (f *flow) emit(ctx context.Context) (err error) {
	if f.cfg.Emit == "" || len(f.found.Findings) == 0 {
		return nil
	}
	f.env.Stage("emit")
	d := f.found.Drivers
	f.found.Findings, err = emit.Tests(ctx, f.env.Workers, emit.Config{
		Go: f.env.Go, Loaded: d.Plan.Targets(), Surface: d.Plan.Callable, Samples: d.Declared.Named,
		Folder: f.cfg.Emit, Revision: d.Plan.Given.Revisions(),
	}, f.found.Findings)
	return err
}
