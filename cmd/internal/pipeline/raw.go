package pipeline

// This file leaves what --keep asks for of the runs: raw spectra of all kept sequences, with digests,
// and of those that deviate, with values and as text.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/archive"
)

// A keeper writes raw spectra of both versions; nil writes nothing.
type keeper struct {
	run    *run
	name   string
	values bool
	kept   [2]keptFile // old, new
}

type keptFile struct {
	file   *os.File
	writer *archive.Writer
}

// keepRaw begins a file with raw spectra for each version.
func (r *run) keepRaw(name string, values bool) (*keeper, error) {
	if r.cfg.Keep == "" {
		return nil, nil
	}
	k := &keeper{run: r, name: name, values: values}
	for i, s := range []*side{r.old, r.new} {
		path := k.path(s)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return nil, errors.Join(fmt.Errorf("keep spectra: %w", err), k.close())
		}
		file, err := os.Create(path)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("keep spectra: %w", err), k.close())
		}
		k.kept[i].file = file
	}
	return k, nil
}

func (k *keeper) path(s *side) string {
	return filepath.Join(k.run.cfg.Keep, s.name, "spectra", k.name+".spectra")
}

// sequence adds what was played of a sequence.
func (k *keeper) sequence(index int, q sequence.Sequence, old, new *replay.Played) error {
	if k == nil {
		return nil
	}
	for i, played := range []*replay.Played{old, new} {
		if err := k.kept[i].add(k.header(i), index, q, played); err != nil {
			return fmt.Errorf("keep spectra: %w", err)
		}
	}
	return nil
}

func (k *keeper) header(i int) archive.Header {
	s := []*side{k.run.old, k.run.new}[i]
	return archive.Header{
		Module: s.module.Path, Side: s.name, Commit: s.commit.Hash, Go: s.build.binary.GoVersion, Seed: mainSeed, Values: k.values,
	}
}

func (f *keptFile) add(h archive.Header, index int, q sequence.Sequence, played *replay.Played) (err error) {
	if f.writer == nil {
		if f.writer, err = archive.NewWriter(f.file, h, played.Points(), played.Variables()); err != nil {
			return err
		}
	}
	return f.writer.Sequence(&archive.Sequence{Index: index, Text: q.String(), Outcome: played.Spectrum}, played.Events())
}

// close ends the files. Those without a sequence are removed.
func (k *keeper) close() error {
	if k == nil {
		return nil
	}
	var failed error
	for i, s := range []*side{k.run.old, k.run.new} {
		f := &k.kept[i]
		if f.file == nil {
			continue
		}
		if f.writer != nil {
			failed = errors.Join(failed, f.writer.Close(), f.file.Close())
		} else {
			failed = errors.Join(failed, f.file.Close(), os.Remove(k.path(s)))
		}
	}
	if failed != nil {
		return fmt.Errorf("keep spectra: %w", failed)
	}
	return nil
}

// keepSpectra leaves the spectra of the sequences that were confirmed, as they are when each is
// played alone.
func (r *run) keepSpectra(ctx context.Context) error {
	if r.cfg.Keep == "" {
		return nil
	}
	return r.each(ctx, len(r.verdicts), "", func(ctx context.Context, worker, i int) error {
		v := &r.verdicts[i]
		if !v.confirmed() {
			return nil
		}
		name := fmt.Sprintf("sequence-%d", v.suspect.index)
		for s, spectrum := range map[*side]*spectra.Spectrum{r.old: v.old, r.new: v.new} {
			text := r.kept[v.suspect.index].sequence.String() + "\n" + spectrumText(spectrum)
			path := filepath.Join(r.cfg.Keep, s.name, "spectra", name+".txt")
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				return fmt.Errorf("keep spectra: %w", err)
			}
		}
		return r.keepOne(ctx, worker, name, v)
	})
}

// keepOne plays a sequence alone once more to leave its raw spectra.
func (r *run) keepOne(ctx context.Context, worker int, name string, v *verdict) error {
	k, err := r.keepRaw(name, v.mode == replay.Values)
	if err != nil {
		return err
	}
	q := r.kept[v.suspect.index].sequence
	var played [2][]replay.Played
	for i, s := range []*side{r.old, r.new} {
		player := r.player(s, worker)
		if v.mode == replay.Values {
			player.Limits.EventBytes = valueBytes
		}
		if played[i], err = player.Play(ctx, []sequence.Sequence{q}, v.mode, mainSeed); err != nil {
			return errors.Join(err, k.close())
		}
	}
	err = k.sequence(v.suspect.index, q, &played[0][0], &played[1][0])
	return errors.Join(err, k.close())
}

// spectrumText prints every execution with the values of its states.
func spectrumText(s *spectra.Spectrum) string {
	var b strings.Builder
	var visit func(list []*spectra.Execution, depth int)
	visit = func(list []*spectra.Execution, depth int) {
		indent := strings.Repeat("  ", depth)
		for _, e := range list {
			fmt.Fprintf(&b, "%s%s %s\n", indent, e.Symbol, e.How)
			for at, state := range []spectra.State{e.Entry, e.Exit} {
				for _, leaf := range spectra.Flatten(state.Slots) {
					fmt.Fprintf(&b, "%s  %s %s = %s\n", indent, [2]string{"entry", "exit"}[at], leaf.Path, leaf.Text)
				}
			}
			visit(e.Children, depth+1)
		}
	}
	for i, step := range s.Steps {
		fmt.Fprintf(&b, "step %d %s\n", i, step.Panic)
		visit(step.Calls, 1)
	}
	visit(s.Stray, 0)
	fmt.Fprintf(&b, "end %s\n", s.End)
	return b.String()
}
