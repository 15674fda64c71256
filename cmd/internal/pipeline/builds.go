package pipeline

// This file instruments both versions, writes their drivers and builds them.

import (
	"context"
	"fmt"
	"maps"
	"runtime/debug"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/replay/build"
	"github.com/spectradiff/spectradiff/replay/harness"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/instrument"
	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// buildResult is what the build of one version gave.
type buildResult struct {
	instrumented []*instrument.Package // sorted by path
	touches      map[spectra.Symbol][]string
	binary       *build.Binary
	compare      replay.Comparison
	observed     []harness.Observed // types with another representation
	constants    map[string]bool    // package variables that never change
	watched      map[uint32]bool    // numbers of the blocks in changed code
	warnings     []string
}

func (r *run) builds(ctx context.Context) error {
	r.progress("instrumenting", 0, 0)
	if err := r.bothSides(ctx, r.instrument); err != nil {
		return err
	}
	r.match()
	r.compareWhat()
	if err := r.opaqueTypes(); err != nil {
		return err
	}
	r.observe()
	r.progress("building", 0, 0)
	if err := r.bothSides(ctx, r.build); err != nil {
		return err
	}
	if r.old.build.binary.Patched != r.new.build.binary.Patched {
		// Both run on the same kind of runtime, or what differs would be ours.
		r.plain = true
		if err := r.bothSides(ctx, r.build); err != nil {
			return err
		}
	}
	r.observedLines()
	r.warn(r.old.build.warnings...)
	r.warn(r.new.build.warnings...)
	return nil
}

// instrument adds probes to the selected packages of one version.
func (r *run) instrument(_ context.Context, s *side) error {
	var pkgs []*packages.Package
	for _, path := range r.recorded {
		if p := s.target.Package(symbol.Rebase(path, r.old.target.Module, s.target.Module)); p != nil {
			pkgs = append(pkgs, p)
		}
	}
	options := instrument.Options{
		Dir: s.target.Dir, Runtime: spectra.RuntimePath, Written: instrument.Writes(s.target.Packages), Canonical: symbol.Type,
	}
	for _, p := range pkgs {
		out, err := instrument.Instrument(p, options)
		if err != nil {
			return err
		}
		for _, skipped := range out.Skipped {
			r.detail("%s version: %s:%d: %s is not recorded: %s", s.name, skipped.File, skipped.Line, skipped.Symbol, skipped.Reason)
		}
		s.build.instrumented = append(s.build.instrumented, out)
	}
	var err error
	if s.build.touches, err = instrument.Touches(pkgs); err != nil {
		r.detail("%s version: %v; all of them are compared at every call", s.name, err)
	}
	s.build.constants = map[string]bool{}
	for _, p := range s.build.instrumented {
		for _, v := range p.Vars {
			if v.Constant {
				s.build.constants[v.Name] = true
			}
		}
	}
	return nil
}

// build writes the driver of one version and compiles it.
func (r *run) build(ctx context.Context, s *side) error {
	names := map[string]string{}
	overlay := map[string][]byte{}
	for _, p := range s.build.instrumented {
		names[p.Path] = p.Name
		maps.Copy(overlay, p.Files)
	}
	h, err := harness.Source(harness.Config{
		Target: s.target, Surface: r.common, Packages: r.packages, Names: names, Runtime: spectra.RuntimePath,
		Observed: s.build.observed,
	})
	if err != nil {
		return err
	}
	for _, skipped := range h.Skipped {
		s.build.warnings = append(s.build.warnings, fmt.Sprintf("%s version: package %s is not driven: %s", s.name, skipped.Package, skipped.Reason))
	}
	maps.Copy(overlay, h.Files)
	if err := r.keepSources(s, overlay); err != nil {
		return err
	}
	maker := &build.Maker{Cache: r.cache, Salt: salt(r.cfg.Tool), Log: r.detail}
	s.build.binary, err = maker.Build(ctx, build.Request{
		Dir: s.target.Dir, Package: h.Driver, Overlay: overlay, Env: s.target.Env, Plain: r.plain,
	})
	if err != nil {
		return err
	}
	s.build.warnings = append(s.build.warnings, s.build.binary.Warnings...)
	return r.keepBuild(s)
}

// salt is what makes binaries of another build of this tool different.
func salt(tool string) string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" || s.Key == "vcs.modified" {
				tool += " " + s.Value
			}
		}
	}
	return tool
}

// table lists the points and blocks of a version for its players.
func (s *side) table() replay.Table {
	var t replay.Table
	for _, p := range s.build.instrumented {
		t = append(t, replay.PackageTable{Path: p.Path, Points: p.Points, Blocks: len(p.Blocks)})
	}
	return t
}

// player makes a player for one version in the sandbox with that number.
func (r *run) player(s *side, worker int) *replay.Player {
	return &replay.Player{
		Binary: s.build.binary, Table: s.table(), Compare: s.build.compare, Limits: replay.DefaultLimits(),
		Sandbox: r.sandboxes[worker%len(r.sandboxes)], Scratch: r.temp, Root: s.build.binary.GoRoot, Side: s.name,
	}
}
