package search

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// Limits of a corpus: sequences that end with the same operation, sequences in total, and bytes of one sequence.
const (
	corpusMostOfOne = 10
	corpusMost      = 300
	corpusMostBytes = 4 << 10
)

const corpusExtension = ".txt"

// ReadCorpus reads the sequences in a folder, in the order of the file names. It returns those that are valid with the
// operations of sig, as in sequence.Check. Text that is no sequence is skipped. A folder that does not exist is empty.
// Whoever wrote a commit may have written the folder, so links out of it are an error.
func ReadCorpus(
	folder string, sig func(op string) (params, results int, ok bool),
) (all []sequence.Sequence, err error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the corpus: %w", err)
	}
	for _, entry := range entries {
		if len(all) >= corpusMost {
			break
		}
		if entry.IsDir() || filepath.Ext(entry.Name()) != corpusExtension {
			continue
		}
		text, err := repository.ReadFile(folder, entry.Name())
		if err != nil {
			return nil, fmt.Errorf("read the corpus: %w", err)
		}
		list := parseSequences(string(text))
		all = append(all, list[:min(len(list), corpusMostOfOne)]...)
	}
	all = all[:min(len(all), corpusMost)]
	return slices.DeleteFunc(all, func(q sequence.Sequence) bool { return sequence.Check(q, sig) != nil }), nil
}

// Missing returns the first operation of a sequence that is not known, or has another number of parameters than the
// sequence has arguments; "": there is none.
func Missing(q sequence.Sequence, parameters map[string]int) string {
	for _, st := range q.Statements {
		if n, ok := parameters[st.Op]; st.Kind == sequence.Call && (!ok || n != len(st.Args)) {
			return st.Op
		}
	}
	return ""
}

// parseSequences returns the sequences in a text and skips everything else.
func parseSequences(text string) (list []sequence.Sequence) {
	for block := range strings.SplitSeq(text, sequence.Header+"\n") {
		if strings.TrimSpace(block) == "" {
			continue
		}
		q, err := sequence.Parse(sequence.Header + "\n" + strings.TrimRight(block, "\n") + "\n")
		if err == nil {
			list = append(list, q)
		}
	}
	return list
}

// WriteCorpus keeps sequences in a folder for later runs of the tool. It writes one text file for each operation that
// is called last, with each sequence once and the short ones first. So another run that found the same writes the same.
// Of the sequences of one operation it keeps the shortest; of equally long ones, the first in the list. It makes the
// folder if need be. It writes over a file only if WriteCorpus wrote it.
func WriteCorpus(folder string, sequences []sequence.Sequence) error {
	byFile := map[string][]string{}
	for _, q := range sequences {
		name, text := corpusFile(q), q.String()
		if name == "" || len(text) > corpusMostBytes || slices.Contains(byFile[name], text) {
			continue
		}
		byFile[name] = append(byFile[name], text)
	}
	if len(byFile) == 0 {
		return nil
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("write the corpus: %w", err)
	}
	for _, name := range slices.Sorted(maps.Keys(byFile)) {
		texts := byFile[name]
		slices.SortStableFunc(texts, func(x, y string) int {
			return cmp.Or(cmp.Compare(strings.Count(x, "\n"), strings.Count(y, "\n")), cmp.Compare(len(x), len(y)),
				cmp.Compare(x, y))
		})
		texts = texts[:min(len(texts), corpusMostOfOne)]
		if err := writeCorpusFile(filepath.Join(folder, name), strings.Join(texts, "\n")); err != nil {
			return fmt.Errorf("write the corpus: %w", err)
		}
	}
	return nil
}

// writeCorpusFile writes a file unless the file has the text already or holds something other than sequences.
func writeCorpusFile(name, text string) error {
	found, err := repository.ReadFile(filepath.Dir(name), filepath.Base(name))
	switch {
	case err == nil && (string(found) == text || !strings.HasPrefix(string(found), sequence.Header)):
		return nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(name), ".part-")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name())
	_, err = part.WriteString(text)
	err = errors.Join(err, part.Chmod(0o666), part.Close())
	if err == nil {
		err = os.Rename(part.Name(), name)
	}
	return err
}

// longName is the maximum length of a file name without its extension. File systems have 255 bytes for all of it.
const longName = 200

// corpusFile returns the file name for a sequence: the operation that it calls last, without characters that no file
// name may have, and with a hash in the place of what is too long.
func corpusFile(q sequence.Sequence) string {
	for _, st := range slices.Backward(q.Statements) {
		if st.Kind != sequence.Call {
			continue
		}
		name := strings.Map(func(r rune) rune {
			switch {
			case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '.', r == '-', r == '_':
				return r
			case r == '/':
				return '+'
			}
			return -1
		}, st.Op)
		if name = strings.TrimLeft(name, "."); len(name) > longName {
			name = fmt.Sprintf("%s-%.8x", name[:longName], sha256.Sum256([]byte(st.Op)))
		}
		return name + corpusExtension
	}
	return ""
}
