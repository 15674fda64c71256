package search_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/search"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

func sequences(t *testing.T, texts ...string) (list []sequence.Sequence) {
	for _, text := range texts {
		q, err := sequence.Parse(sequence.Header + "\n" + text + "\n")
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, q)
	}
	return list
}

func read(t *testing.T, folder string) (texts []string) {
	list, err := search.ReadCorpus(folder, map[string]int{"m.F": 1, "m.G": 1, "m/p.(*T).G": 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range list {
		_, text, _ := strings.Cut(strings.TrimRight(q.String(), "\n"), "\n")
		texts = append(texts, text)
	}
	return texts
}

// TestCorpus checks that written sequences are read again, by operation, the short ones first, each once.
func TestCorpus(t *testing.T) {
	folder := filepath.Join(t.TempDir(), ".spectradiff", "corpus")
	if got := read(t, folder); got != nil {
		t.Errorf("%q in no folder", got)
	}
	long := "v0 := m.F(\"a\\nspectradiff sequence 1\")\nv1 := m/p.(*T).G(v0)"
	list := sequences(t, long, "v0 := m.F(2)", "v0 := m/p.(*T).G(nil)", "v0 := m.F(2)")
	if err := search.WriteCorpus(folder, list); err != nil {
		t.Fatal(err)
	}
	want := []string{"v0 := m/p.(*T).G(nil)", long, "v0 := m.F(2)"}
	slices.Sort(want)
	got := read(t, folder)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	names, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(names) != 2 || filepath.Base(names[0]) != "m+p.T.G.txt" {
		t.Errorf("files %q, %v", names, err)
	}
}

// TestFit checks that sequences with other operations or other numbers of arguments are not read.
func TestFit(t *testing.T) {
	folder := t.TempDir()
	list := sequences(t, "v0 := m.F(1)", "v0 := m.F(1, 2)", "v0 := m.Gone(1)", "v0 := m.Gone(1)\nv1 := m.F(v0)")
	if err := search.WriteCorpus(folder, list); err != nil {
		t.Fatal(err)
	}
	if got, want := read(t, folder), []string{"v0 := m.F(1)"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestForeignFiles checks that only sequences are read, and that foreign files are not written over.
func TestForeignFiles(t *testing.T) {
	folder := t.TempDir()
	const note = "not ours\n"
	broken := filepath.Join(folder, "m.G.txt")
	for name, text := range map[string]string{
		filepath.Join(folder, "m.F.txt"): note,
		broken:                           sequence.Header + "\nv0 := (\n\n" + sequence.Header + "\nv0 := m.G(1)\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := read(t, folder), []string{"v0 := m.G(1)"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if err := search.WriteCorpus(folder, sequences(t, "v0 := m.F(2)")); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(folder, "m.F.txt")); err != nil || string(text) != note {
		t.Errorf("the file is now %q, %v", text, err)
	}
}
