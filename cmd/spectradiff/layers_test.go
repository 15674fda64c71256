package main

// This file says which scripts belong to which layer of the tests. With -short, as in make test, one or a few run for
// each feature; without, as in make test-all, all of them.

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/build"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// featureMark begins the line of a script's first comment that names the feature for which the script stands.
const featureMark = "# Feature: "

// scriptsIn returns the scripts in a folder of testdata.
func scriptsIn(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "testdata", folder, "*.txtar"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts in testdata/%s: %v", folder, err)
	}
	return files
}

// featureOf returns the feature for which a script stands, or "".
func featureOf(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "#") {
			break
		}
		if feature, ok := strings.CutPrefix(line, featureMark); ok {
			return strings.TrimSpace(feature)
		}
	}
	return ""
}

// forFeatures returns those scripts that stand for a feature.
func forFeatures(t *testing.T, files []string) []string {
	t.Helper()
	chosen := slices.DeleteFunc(slices.Clone(files), func(file string) bool { return featureOf(t, file) == "" })
	t.Logf("%d of %d scripts: make test-all runs the others", len(chosen), len(files))
	return chosen
}

// onlyInAll skips a test that is too slow for make test.
func onlyInAll(t *testing.T, reason string) {
	t.Helper()
	if testing.Short() {
		t.Skip("only in make test-all: " + reason)
	}
}

// buildShared builds what all drivers have in common, and leaves it in the cache of the go command: the extended
// standard library with the recorder. Where nothing is in that cache, builds that start together, as those of old and
// new do, would each build it.
func buildShared(t *testing.T) {
	t.Helper()
	folder := t.TempDir()
	store, err := cache.Open(cache.Settings{Folder: filepath.Join(folder, "cache")}, t.Logf)
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "go.mod"), []byte("module example.com/shared\n\ngo 1.24\n"), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
	builder := build.Builder{Cache: store, Go: gocommand.Unconfined(), Log: t.Logf}
	shared := build.Request{
		Dir: folder, Package: spectra.RuntimePath + "/driver", Env: gocommand.Environment(os.Environ()),
	}
	if _, err := builder.Build(t.Context(), shared); err != nil {
		t.Fatal(err)
	}
}

// TestFeatures checks that testdata/README.md lists the features with their scripts, in the order of their names.
func TestFeatures(t *testing.T) {
	byFeature := map[string][]string{}
	for _, file := range scriptsIn(t, "script") {
		if feature := featureOf(t, file); feature != "" {
			name := strings.TrimSuffix(filepath.Base(file), ".txtar")
			byFeature[feature] = append(byFeature[feature], "`"+name+"`")
		}
	}
	var marked, listed []string
	for feature, names := range byFeature {
		marked = append(marked, "| "+feature+" | "+strings.Join(names, ", ")+" |")
	}
	slices.Sort(marked)
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n| feature | scripts |\n|---|---|\n")
	for line := range strings.Lines(table) {
		if !strings.HasPrefix(line, "| ") {
			break
		}
		listed = append(listed, strings.TrimSpace(line))
	}
	if !slices.Equal(marked, listed) {
		t.Errorf("testdata/README.md lists the features\n%s\nbut the scripts have\n%s",
			strings.Join(listed, "\n"), strings.Join(marked, "\n"))
	}
}
