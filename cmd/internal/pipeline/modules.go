package pipeline

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/versions"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/accepted"
)

// compare compares the modules that the change touches, and makes the report of what was found. If the run has to end
// early, the report is partial.
func compare(ctx context.Context, t *task) (*report.Report, error) {
	running, end := watch(ctx, t.env, t.cfg.Timeout, t.cfg.End)
	defer end.stop()
	if err := t.choose(running); err != nil {
		if errors.Is(context.Cause(running), errEarly) {
			return nil, fmt.Errorf("%w in stage %s, before anything was known", errEarly, t.env.CurrentStage())
		}
		return nil, err
	}
	r, err := t.modules(running, end)
	if err != nil {
		return nil, err
	}
	if _, err := accepted.Apply(r, t.accepted); err != nil {
		return nil, err
	}
	reportStages(r, t.env)
	return r, nil
}

// choose finds the two versions.
func (t *task) choose(ctx context.Context) error {
	e := t.env
	e.Stage("load")
	// Before anything is read, so that a machine which can't confine is refused at once.
	layers, err := e.Confine(ctx)
	if err != nil {
		return err
	}
	t.layers, t.confined = layers.String(), slices.Concat(layers.Missing(), layers.Weak())
	t.versions, err = versions.Choose(ctx, versions.Config{
		Dir: t.cfg.Dir, Args: t.cfg.Args, Outside: t.cfg.Outside, Go: e.Go, Store: e.Store, Report: e.Report,
	})
	if err != nil {
		return err
	}
	t.accepted, err = acceptedBy(t.versions)
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
func (t *task) modules(ctx context.Context, end *early) (*report.Report, error) {
	touched := t.versions.Touched()
	if t.cfg.Deps { // the module at the root records what it takes from folders
		touched.Folders = slices.DeleteFunc(touched.Folders, func(folder string) bool { return touched.Within[folder] })
	}
	if len(touched.Folders) == 0 || slices.Equal(touched.Folders, []string{"."}) {
		r, err := t.module(ctx, end, "")
		if err == nil {
			r.Warnings = append(r.Warnings, touched.Warnings...)
		}
		return r, err
	}
	parts, err := t.each(ctx, end, touched.Folders)
	if err != nil {
		return nil, err
	}
	parts = slices.DeleteFunc(parts, func(p report.Part) bool {
		part := p.Failed != "" && touched.Within[p.Folder] // nobody may want it to stand alone
		if part {
			const text = "module %s is compared only as part of the module at the root: %s"
			touched.Warnings = append(touched.Warnings, fmt.Sprintf(text, p.Folder, p.Failed))
		}
		return part
	})
	return report.Merge(parts, touched.Warnings)
}

// each compares the modules in some folders. If none can be compared, that is the error.
func (t *task) each(ctx context.Context, end *early, folders []string) (parts []report.Part, err error) {
	begun := time.Now()
	var failed error
	for i, folder := range folders {
		if end.partly() != nil && i > 0 {
			parts = append(parts, report.Part{Folder: folder, Failed: errEarly.Error()})
			continue
		}
		if len(folders) > 1 {
			t.env.Logf("module %s, %d of %d", folder, i+1, len(folders))
		}
		of := *t
		if left := t.cfg.Timeout - time.Since(begun); t.cfg.Timeout > 0 {
			of.cfg.Timeout = max(left/time.Duration(len(folders)-i), time.Second)
		}
		of.cfg.Emit, of.cfg.Keep = in(t.cfg.Emit, folder), in(t.cfg.Keep, folder)
		of.cfg.Corpus = in(t.cfg.Corpus, folder)
		part := report.Part{Folder: folder}
		if part.Report, err = of.module(ctx, end, folder); err != nil {
			if ctx.Err() != nil && !errors.Is(context.Cause(ctx), errEarly) {
				return nil, err
			}
			part.Failed, failed = err.Error(), errors.Join(failed, fmt.Errorf("module %s: %w", folder, err))
		}
		parts = append(parts, part)
	}
	if !slices.ContainsFunc(parts, func(p report.Part) bool { return p.Report != nil }) {
		return nil, failed
	}
	return parts, nil
}

// in returns the folder of a module below a folder that the user named; "" = he named none.
func in(named, module string) string {
	if named == "" {
		return ""
	}
	return filepath.Join(named, filepath.FromSlash(module))
}
