// Package goldentest runs golden-file tests whose cases are txtar archives.
//
// In: a pattern of files, and a function that tests an archive or makes text of it. Out: one subtest for each file,
// with the file's name.
//
// The comment of an archive is the reason for the case. Compare takes the archive's last file as the golden text, and
// rewrites that file if update is set. A pattern that matches no file fails the test.
package goldentest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

// Each runs a test for each archive.
func Each(t *testing.T, pattern string, test func(t *testing.T, file string, archive *txtar.Archive)) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			test(t, file, archive)
		})
	}
}

// Compare compares what is made of each archive with its golden text, or writes that anew.
func Compare(t *testing.T, pattern string, update bool, made func(t *testing.T, archive *txtar.Archive) string) {
	t.Helper()
	Each(t, pattern, func(t *testing.T, file string, archive *txtar.Archive) {
		got, last := made(t, archive), &archive.Files[len(archive.Files)-1]
		if update {
			last.Data = []byte(got)
			if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if want := string(last.Data); got != want {
			t.Errorf("%s\ngot:\n%s\nwant:\n%s", archive.Comment, got, want)
		}
	})
}
