package search

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// Limits of what is kept: sequences that end with the same operation, sequences in all, and bytes of one.
const (
	corpusMostOfOne = 10
	corpusMost      = 300
	corpusMostBytes = 4 << 10
)

const corpusExtension = ".txt"

// Read returns the sequences in a folder that call nothing but some operations, of which the numbers of parameters are
// given, in the order of the files' names. A folder that does not exist has none.
func ReadCorpus(folder string, parameters map[string]int) ([]sequence.Sequence, error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the corpus: %w", err)
	}
	var all []sequence.Sequence
	for _, entry := range entries {
		if entry.IsDir() || filepath.Ext(entry.Name()) != corpusExtension {
			continue
		}
		text, err := os.ReadFile(filepath.Join(folder, entry.Name()))
		if err != nil {
			return nil, fmt.Errorf("read the corpus: %w", err)
		}
		list := parseSequences(string(text))
		all = append(all, list[:min(len(list), corpusMostOfOne)]...)
	}
	all = all[:min(len(all), corpusMost)]
	return slices.DeleteFunc(all, func(q sequence.Sequence) bool { return !fits(q, parameters) }), nil
}

// fits reports whether all calls of a sequence are of operations, with as many arguments as they have parameters.
func fits(q sequence.Sequence, parameters map[string]int) bool {
	return !slices.ContainsFunc(q.Statements, func(st sequence.Statement) bool {
		n, ok := parameters[st.Op]
		return st.Kind == sequence.Call && (!ok || n != len(st.Args))
	})
}

// parse returns the sequences in a text, without what is none.
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

// Write keeps sequences in a folder, which is made if need be. Of those that end with the same operation the shortest
// are kept; the first ones of the list come before others of the same length.
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

// write writes a file unless it has the text already, or holds something else than sequences.
func writeCorpusFile(name, text string) error {
	found, err := os.ReadFile(name)
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

// fileName returns the file of a sequence: the operation that it calls last, without what no file can be called.
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
		return strings.TrimLeft(name, ".") + corpusExtension
	}
	return ""
}
