package pipeline

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/module"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/replay/versions"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// ignored is a test file that is not built.
const ignored = "//go:build ignore\n\npackage ignored\n"

// withTests returns the versions with the tests of q.tests in new, in the folders of what is asked. Other test files of
// these folders are not built.
func (q *query) withTests(given *versions.Versions) (*versions.Versions, error) {
	own := given.New.Build.Module
	var additions []repository.Addition
	var folders []string
	for _, a := range q.asks {
		if slices.Contains(folders, a.NewTest) {
			continue
		}
		folders = append(folders, a.NewTest)
		more, err := testsIn(a.NewTest, q.tests, own.Tree)
		if err != nil {
			return nil, fmt.Errorf("take the tests of new: %w", err)
		}
		additions = append(additions, more...)
	}
	with, err := own.With(additions...)
	if err != nil {
		return nil, err
	}
	return given.With(q.env.Go, spectra.Pair[module.Module]{Old: given.Old.Build.Module, New: with})
}

// testsIn returns what makes the test files and the testdata of one folder those of another tree.
func testsIn(folder, from, to string) (list []repository.Addition, err error) {
	names := map[string]string{}
	for _, tree := range []string{to, from} {
		files, err := filepath.Glob(filepath.Join(globEscape(tree), filepath.FromSlash(globEscape(folder)), "*_test.go"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			text := ignored
			if tree == from {
				data, err := os.ReadFile(file)
				if err != nil {
					return nil, err
				}
				text = string(data)
			}
			names[filepath.Base(file)] = text
		}
	}
	for name, text := range names {
		list = append(list, repository.Addition{Name: path.Join(folder, name), Text: text})
	}
	slices.SortFunc(list, func(x, y repository.Addition) int { return strings.Compare(x.Name, y.Name) })
	data := filepath.Join(from, filepath.FromSlash(folder), "testdata")
	if info, err := os.Stat(data); err == nil && info.IsDir() {
		name := path.Join(folder, "testdata")
		list = append(list, repository.Addition{Name: name, Folder: data, Text: data})
	}
	return list, nil
}

// globEscape writes a path such that Glob takes it as it is.
func globEscape(name string) string {
	return strings.NewReplacer("\\", "\\\\", "*", "\\*", "?", "\\?", "[", "\\[").Replace(name)
}
