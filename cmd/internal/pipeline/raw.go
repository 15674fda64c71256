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
	built  *built
	folder string
	name   string
	values bool
	files  spectra.Pair[keptFile]
}

type keptFile struct {
	file   *os.File
	writer *archive.Writer
}

// keepRaw begins a file with raw spectra for each version.
func keepRaw(env *environment, b *built, name string, values bool) (*keeper, error) {
	if env.Keep == "" {
		return nil, nil
	}
	k := &keeper{built: b, folder: env.Keep, name: name, values: values}
	for _, s := range spectra.Sides() {
		path := k.path(s)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return nil, errors.Join(fmt.Errorf("keep spectra: %w", err), k.close())
		}
		file, err := os.Create(path)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("keep spectra: %w", err), k.close())
		}
		k.files.Of(s).file = file
	}
	return k, nil
}

func (k *keeper) path(s spectra.Side) string {
	return filepath.Join(k.folder, string(s), "spectra", k.name+".spectra")
}

// sequence adds what was played of a sequence.
func (k *keeper) sequence(index int, q sequence.Sequence, pair spectra.Pair[*replay.Played]) error {
	if k == nil {
		return nil
	}
	for _, s := range spectra.Sides() {
		if err := k.files.Of(s).add(k.header(s), index, q, *pair.Of(s)); err != nil {
			return fmt.Errorf("keep spectra: %w", err)
		}
	}
	return nil
}

func (k *keeper) header(s spectra.Side) archive.Header {
	of := k.built.sides.Of(s)
	return archive.Header{
		Module: of.module.Path, Side: string(s), Commit: of.commit.Hash, Go: k.built.drivers.Of(s).binary.GoVersion,
		Seed: mainSeed, Values: k.values,
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
	for _, s := range spectra.Sides() {
		f := k.files.Of(s)
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
func keepSpectra(ctx context.Context, env *environment, p *played, list []*verdict) error {
	if env.Keep == "" {
		return nil
	}
	return env.each(ctx, len(list), "", func(ctx context.Context, worker, i int) error {
		v := list[i]
		if !v.confirmed() {
			return nil
		}
		name := fmt.Sprintf("sequence-%d", v.suspect.index)
		for _, s := range spectra.Sides() {
			text := p.kept[v.suspect.index].sequence.String() + "\n" + spectrumText(*v.recorded.Of(s))
			path := filepath.Join(env.Keep, string(s), "spectra", name+".txt")
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				return fmt.Errorf("keep spectra: %w", err)
			}
		}
		return keepOne(ctx, env, p, worker, name, v)
	})
}

// keepOne plays a sequence alone once more to leave its raw spectra.
func keepOne(ctx context.Context, env *environment, p *played, worker int, name string, v *verdict) error {
	k, err := keepRaw(env, p.built, name, v.mode == replay.Values)
	if err != nil {
		return err
	}
	q := p.kept[v.suspect.index].sequence
	again, err := p.players.both(ctx, worker, []sequence.Sequence{q}, v.mode, mainSeed, limitValues(v.mode))
	if err == nil {
		err = k.sequence(v.suspect.index, q, playedPair(again, 0))
	}
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
