package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spectradiff/spectradiff/cmd/internal/jobs"
	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/replay/shard"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/redact"
	"github.com/spectradiff/spectradiff/internal/report/shards"
)

func mergeCommand() command {
	return command{
		name:  "merge",
		args:  "FILE...",
		short: "make one report of the shards of a run",
		long: `FILEs are what compare --shard K/N --out part=FILE wrote, one for each shard, in
any order. The report is the one that compare --shards N makes of the same versions
with the same flags, but for durations. The exit status is that of the comparison,
decided anew by --fail-on where it is given.

A file of another run is refused, and so is a shard that is there twice. Where a
shard is missing the report says so, is partial, and the exit status is 2.`,
		flags: func(s *settings) *flagSet {
			f := newFlags("merge")
			f.result(s, "")
			return f
		},
		run: merge,
	}
}

func merge(std streams, set *settings, args []string) (int, error) {
	if len(args) == 0 {
		return 0, &usageError{"merge", errors.New("no file: want those that compare --shard K/N --out part=FILE wrote")}
	}
	var parts []*shards.Part
	for _, name := range args {
		p, err := readPart(name)
		if err != nil {
			return 0, err
		}
		parts = append(parts, p)
	}
	r, err := shards.Merge(parts)
	if err != nil {
		return 0, err
	}
	return printed(std, set, r)
}

func readPart(name string) (*shards.Part, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read shard: %w", err)
	}
	defer file.Close()
	return shards.Read(file, name)
}

// shards defines the flags that divide a run.
func (f *flagSet) shards(s *settings) {
	f.Func("shard", "do the Kth of N shards, which merge puts together; see --out part: `K/N`", s.setShard)
	f.Func("shards", "do N shards, one after the other, and make one report: `N`", s.setShards)
}

func (s *settings) setShard(text string) (err error) {
	s.shard, err = shard.Parse(text)
	return err
}

func (s *settings) setShards(text string) error {
	last, err := shard.Parse(text + "/" + text)
	if err != nil {
		return fmt.Errorf("want a number from 1 to %d", shard.Most)
	}
	s.shards = last.Of
	return nil
}

// partFormat is the format of --out for a shard, which is no format of a report.
const partFormat = "part"

// checkShards refuses what shards can't do.
func (s *settings) checkShards() error {
	name := fmt.Sprintf("--shards %d", s.shards)
	if s.shard.Of > 0 {
		name = "--shard " + s.shard.String()
	}
	for _, out := range s.outputs {
		if out.format == partFormat && s.shard.Of == 0 {
			return fmt.Errorf("--out part=%s: only with --shard K/N, which it is the result of", out.file)
		}
	}
	if s.shards+s.shard.Of == 0 {
		return nil
	}
	if s.shards > 0 && s.shard.Of > 0 {
		return fmt.Errorf("%s and --shards %d: want one shard, or all", name, s.shards)
	}
	for _, flag := range []struct {
		name  string
		given bool
	}{
		{"--commits", s.commits}, {"--emit", s.emit != ""}, {"--corpus", s.corpus != ""}, {"--keep", s.keep != ""},
	} {
		if flag.given {
			return fmt.Errorf("%s: not with %s: that is for a run that is not divided", name, flag.name)
		}
	}
	if of := s.shards + s.shard.Of; s.sequences > 0 && s.sequences < of {
		return fmt.Errorf("%s: --sequences %d leaves none for some shards; want at least %d", name, s.sequences, of)
	}
	return nil
}

// runShards does one shard, of which it keeps the file, or all of a run.
func (s *settings) runShards(ctx context.Context, cfg pipeline.Config) (*report.Report, error) {
	list := shard.All(s.shards)
	if s.shard.Of > 0 {
		list = []shard.Shard{s.shard}
	}
	parts, err := jobs.Shards(ctx, cfg, list)
	if err != nil {
		return nil, err
	}
	for i, p := range parts {
		var file bytes.Buffer
		if err := shards.Write(&file, s.secrets.part(p)); err != nil {
			return nil, err
		}
		s.part = file.Bytes()
		if parts[i], err = shards.Read(&file, p.Name); err != nil { // as merge does
			return nil, err
		}
	}
	if s.shard.Of > 0 {
		return parts[0].Report()
	}
	return shards.Merge(parts)
}

// part returns what a shard found as others may read it.
func (s *secrets) part(p *shards.Part) *shards.Part {
	if s.show {
		return p
	}
	prefix := fmt.Sprintf("%02x", p.Shard.Number-1) // so that no other shard has its tokens
	return p.Shown(func(reports []*report.Report) []*report.Report { return redact.All(reports, s.rules, prefix) })
}
