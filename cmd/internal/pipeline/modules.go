package pipeline

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/versions"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/accepted"
	"github.com/spectradiff/spectradiff/internal/report/shards"
)

// compare compares the modules that the change touches, and makes the report of what was found. If the run has to end
// early, the report is partial.
func compare(ctx context.Context, t *task) (*report.Report, error) {
	parts, err := t.parts(ctx)
	if err != nil {
		return nil, err
	}
	return parts[0].Report()
}

// parts compares the modules that the change touches, and returns what each shard found.
func (t *task) parts(ctx context.Context) ([]*shards.Part, error) {
	running, end := watch(ctx, t.env, t.cfg.Timeout, t.cfg.End)
	defer t.stop(end)
	if err := t.choose(running); err != nil {
		if errors.Is(context.Cause(running), ErrEarly) {
			const text = "%w in stage %s, before anything was known; give it more time with --timeout"
			return nil, fmt.Errorf(text, ErrEarly, t.env.CurrentStage())
		}
		return nil, err
	}
	if err := t.checkShards(); err != nil {
		return nil, err
	}
	parts, err := t.modules(running, end)
	if err != nil {
		return nil, err
	}
	for i, p := range parts {
		p.Shard = t.shards[i]
		p.Accept(t.accepted)
	}
	parts[0].Stages, parts[0].Workers = costs(t.env), workers(t.env)
	return parts, nil
}

// stop stops to watch. Whether the run had to end early concerns what is left for further shards.
func (t *task) stop(end *early) {
	if t.session == nil {
		end.stop()
		return
	}
	end.unwatch()
	t.session.over = end.partly() != nil
}

// choose finds the two versions, unless it is a session that has.
func (t *task) choose(ctx context.Context) error {
	if t.versions != nil {
		return nil
	}
	e := t.env
	e.Stage("load")
	// Before anything is read, so that a machine which can't confine is refused at once.
	layers, err := e.Confine(ctx)
	if err != nil {
		return err
	}
	t.layers, t.confined = layers.String(), slices.Concat(layers.Missing(), layers.Weak())
	found, err := versions.Choose(ctx, versions.Config{
		Dir: t.cfg.Dir, Args: t.cfg.Args, Commits: t.cfg.Commits, Outside: t.cfg.Outside, Go: e.Go, Store: e.Store,
		Report: e.Report,
	})
	if err != nil {
		return err
	}
	if t.accepted, err = acceptedBy(found); err == nil {
		t.versions = found
	}
	return err
}

// acceptedBy reads which findings the new version accepts: a change brings what is accepted of it. It is read before
// anything is run, because a list that can't be read would make the run useless.
func acceptedBy(versions *versions.Choice) (accepted.List, error) {
	data, err := versions.ReadNew(accepted.File)
	if err != nil || data == nil {
		return nil, err
	}
	return accepted.Read(accepted.File, data)
}

// modules compares one module after the other. One that can't be compared is named, unless none can. In a run with a
// limit each has an equal share of the time that is left.
func (t *task) modules(ctx context.Context, end *early) ([]*shards.Part, error) {
	touched, err := t.versions.Touched()
	if err != nil {
		return nil, err
	}
	if t.cfg.Deps { // the module at the root records what it takes from folders
		touched.Folders = slices.DeleteFunc(touched.Folders, func(folder string) bool { return touched.Within[folder] })
	}
	parts := make([]*shards.Part, len(t.shards))
	for i := range parts {
		parts[i] = &shards.Part{Warnings: slices.Clone(touched.Warnings)}
	}
	if len(touched.Folders) == 0 || slices.Equal(touched.Folders, []string{"."}) {
		list, err := t.module(ctx, end, "")
		for i, m := range list {
			parts[i].Modules = []shards.Module{m}
		}
		return parts, err
	}
	if err := t.each(ctx, end, &touched, parts); err != nil {
		return nil, err
	}
	for _, p := range parts {
		p.Modules = slices.DeleteFunc(p.Modules, func(m shards.Module) bool {
			part := m.Failed != "" && touched.Within[m.Folder] // nobody may want it to stand alone
			if part {
				const text = "module %s is compared only as part of the module at the root: %s"
				p.Warnings = append(p.Warnings, fmt.Sprintf(text, m.Folder, m.Failed))
			}
			return part
		})
	}
	return parts, nil
}

// each compares the modules that the change touches. If none can be compared, that is the error.
func (t *task) each(ctx context.Context, end *early, touched *versions.Touched, parts []*shards.Part) error {
	begun, compared, folders := time.Now(), false, touched.Folders
	var failed error
	for i, folder := range folders {
		aside := touched.Uses && i == len(folders)-1
		if aside && t.settled(parts) {
			const text = "module %s was not compared: nothing in it changed, and all of the change ran in the " +
				"modules that it uses; --all compares it"
			parts[0].Warnings = append(parts[0].Warnings, fmt.Sprintf(text, folder))
			break
		}
		list := slices.Repeat([]shards.Module{{Folder: folder, Failed: ErrEarly.Error()}}, len(parts))
		if end.partly() == nil || i == 0 {
			of := t.within(folder, begun, len(folders)-i)
			of.aside = aside
			if len(folders) > 1 {
				t.env.Logf("module %s, %d of %d", folder, i+1, len(folders))
			}
			made, err := of.module(ctx, end, folder)
			if err != nil && ctx.Err() != nil && !errors.Is(context.Cause(ctx), ErrEarly) {
				return err
			}
			if err != nil {
				list = slices.Repeat([]shards.Module{{Folder: folder, Failed: err.Error()}}, len(parts))
				failed = errors.Join(failed, fmt.Errorf("module %s: %w", folder, err))
				lack(parts, err)
			} else {
				list, compared = made, true
			}
		}
		for k, m := range list {
			parts[k].Modules = append(parts[k].Modules, m)
		}
	}
	if !compared {
		return failed
	}
	return nil
}

// lack notes in all parts what they lack where an error ended a module.
func lack(parts []*shards.Part, err error) {
	if !errors.As(err, new(*load.UnfetchedError)) {
		return
	}
	for _, p := range parts {
		p.Lacks = append(p.Lacks, report.LackDependencies)
	}
}

// settled reports whether each module that was compared ran all of its change, so that those which only use them need
// not be looked at. Each shard of a run may have run another part of it.
func (t *task) settled(parts []*shards.Part) bool {
	return !t.cfg.All && len(parts) == 1 && t.shards[0].Of <= 1 &&
		!slices.ContainsFunc(parts[0].Modules, func(m shards.Module) bool {
			return m.Failed != "" || !m.Report.ReachedAll()
		})
}

// within returns the task for the module of a folder, one of some that are left since the begin.
func (t *task) within(folder string, begun time.Time, left int) *task {
	of := *t
	elapsed, parts := time.Since(begun), time.Duration(left)
	if t.cfg.Timeout > 0 {
		of.cfg.Timeout = max((t.cfg.Timeout-elapsed)/parts, time.Second)
	}
	of.share = max((testsOver-elapsed)/parts, leastShare)
	of.cfg.Emit, of.cfg.Keep, of.cfg.Corpus = in(t.cfg.Emit, folder), in(t.cfg.Keep, folder), in(t.cfg.Corpus, folder)
	return &of
}

// in returns the folder of a module below a folder that the user named; "" = he named none.
func in(named, module string) string {
	if named == "" {
		return ""
	}
	return filepath.Join(named, filepath.FromSlash(module))
}
