package judge

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/archive"
)

// Spectra writes raw spectra of both versions. A nil Spectra writes nothing.
type Spectra struct {
	headers spectra.Pair[archive.Header]
	files   spectra.Pair[spectraFile]
}

// A spectraFile gets its writer with the first sequence, which has the points that the file begins with.
type spectraFile struct {
	file   *os.File
	writer *archive.Writer
}

// KeepSpectra begins a file with raw spectra for each version below a folder; in "" nothing is kept. The name has no
// extension.
func KeepSpectra(folder, name string, headers spectra.Pair[archive.Header]) (*Spectra, error) {
	if folder == "" {
		return nil, nil
	}
	k := &Spectra{headers: headers}
	for _, s := range spectra.Sides() {
		path := filepath.Join(folder, string(s), "spectra", name+".spectra")
		err := os.MkdirAll(filepath.Dir(path), 0o777)
		if err == nil {
			k.files.Of(s).file, err = os.Create(path)
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("keep spectra: %w", err), k.Close())
		}
	}
	return k, nil
}

// Sequence adds the recordings of a sequence on both versions.
func (k *Spectra) Sequence(index int, q sequence.Sequence, pair spectra.Pair[*replay.Played]) error {
	if k == nil {
		return nil
	}
	for _, s := range spectra.Sides() {
		if err := k.files.Of(s).add(*k.headers.Of(s), index, q, *pair.Of(s)); err != nil {
			return fmt.Errorf("keep spectra: %w", err)
		}
	}
	return nil
}

func (f *spectraFile) add(h archive.Header, index int, q sequence.Sequence, played *replay.Played) (err error) {
	if f.writer == nil {
		if f.writer, err = archive.NewWriter(f.file, h, played.Points(), played.Variables()); err != nil {
			return err
		}
	}
	return f.writer.Sequence(&archive.Sequence{Index: index, Text: q.String(), Outcome: played.Spectrum},
		played.Events())
}

// Close ends the files. Those without a sequence are removed.
func (k *Spectra) Close() error {
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
			failed = errors.Join(failed, f.file.Close(), os.Remove(f.file.Name()))
		}
	}
	if failed != nil {
		return fmt.Errorf("keep spectra: %w", failed)
	}
	return nil
}
