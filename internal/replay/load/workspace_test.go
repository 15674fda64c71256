package load

import (
	"slices"
	"testing"

	"golang.org/x/mod/modfile"
)

func TestMakeAbsolute(t *testing.T) {
	const text = `go 1.24

use (
	./a // the first
	/b
)

use ../c

replace example.com/d v1.0.0 => ./d

replace example.com/e => example.com/f v1.0.0
`
	work, err := modfile.ParseWork("go.work", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := makeAbsolute(work, "/home"); err != nil {
		t.Fatal(err)
	}
	again, err := modfile.ParseWork("go.work", modfile.Format(work.Syntax), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, use := range again.Use {
		got = append(got, use.Path)
	}
	for _, r := range again.Replace {
		got = append(got, r.Old.String()+" => "+r.New.String())
	}
	want := []string{
		"/home/a", "/b", "/c", "example.com/d@v1.0.0 => /home/d", "example.com/e => example.com/f@v1.0.0",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
