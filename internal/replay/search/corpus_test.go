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

// known says that some operations have one parameter and one result.
func known(op string) (params, results int, ok bool) {
	return 1, 1, slices.Contains([]string{"m.F", "m.G", "m/p.(*T).G"}, op)
}

func read(t *testing.T, folder string) (texts []string) {
	list, err := search.ReadCorpus(folder, known)
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

// TestFit checks that sequences that no driver would play are not read.
func TestFit(t *testing.T) {
	folder := t.TempDir()
	list := sequences(t, "v0 := m.F(1)", "v0 := m.F(1, 2)", "v0 := m.Gone(1)", "v0 := m.Gone(1)\nv1 := m.F(v0)",
		"v0 := m.F(v0)", "v0 := m.F(v0.1)")
	if err := search.WriteCorpus(folder, list); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"itself": "v0 := v0()", "nothing": "v0 := (nil)()"} {
		text = sequence.Header + "\n" + text + "\n"
		if err := os.WriteFile(filepath.Join(folder, name+".txt"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got, want := read(t, folder), []string{"v0 := m.F(1)", "v0 := (nil)()"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestCorpusOfOthers: what a commit brings may lead anywhere.
func TestCorpusOfOthers(t *testing.T) {
	folder, private := t.TempDir(), filepath.Join(t.TempDir(), "private.txt")
	if err := os.WriteFile(private, []byte(sequence.Header+"\nv0 := m.F(1)\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(private, filepath.Join(folder, "m.F.txt")); err != nil {
		t.Fatal(err)
	}
	if list, err := search.ReadCorpus(folder, known); err == nil {
		t.Errorf("a link out of the folder is read: %v", list)
	}
	if err := search.WriteCorpus(folder, sequences(t, "v0 := m.F(2)")); err == nil {
		t.Error("a link out of the folder is written over")
	}
}

// TestLongName: an instance of a generic function is called by its type arguments, which may be long.
func TestLongName(t *testing.T) {
	folder := t.TempDir()
	long := "v0 := m.F[" + strings.Repeat("m/p.T,", 100)
	if err := search.WriteCorpus(folder, sequences(t, long+"m.A](1)", long+"m.B](1)")); err != nil {
		t.Fatal(err)
	}
	if names, err := filepath.Glob(filepath.Join(folder, "m.F*.txt")); err != nil || len(names) != 2 {
		t.Errorf("files %q, %v", names, err)
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
