package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/module"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/replay/versions"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// withTests returns the versions with the tests of q.tests in new, in the folders of the asks that play these. Other
// test files of these folders are not built.
func (q *query) withTests(ctx context.Context, given *versions.Versions) (*versions.Versions, error) {
	if !q.plays(means{driver: DriveTests, new: true}) {
		return given, nil
	}
	own := given.New.Build.Module
	var additions []repository.Addition
	var folders []string
	for _, a := range q.asks {
		if a.NewTest == "" || slices.Contains(folders, a.NewTest) {
			continue
		}
		folders = append(folders, a.NewTest)
		more, err := testsIn(a.NewTest, q.tests, own.Tree)
		if err != nil {
			return nil, fmt.Errorf("take the tests of new: %w", err)
		}
		additions = append(additions, more...)
	}
	with, err := own.With(ctx, additions...)
	if err != nil {
		return nil, err
	}
	return given.With(q.env.Go, spectra.Pair[module.Module]{Old: given.Old.Build.Module, New: with})
}

// testsIn returns what makes the test files of one folder, what these embed and the testdata those of another tree.
func testsIn(folder, from, to string) (list []repository.Addition, err error) {
	wanted, err := testFiles(from, folder)
	if err != nil {
		return nil, err
	}
	others, err := testFiles(to, folder)
	if err != nil {
		return nil, err
	}
	for _, name := range others {
		if !slices.Contains(wanted, name) {
			list = append(list, repository.Addition{Name: path.Join(folder, name), Text: suite.Ignored})
		}
	}
	for _, name := range append(wanted, suite.EmbeddedIn(filepath.Join(from, filepath.FromSlash(folder)))...) {
		text, err := repository.ReadFile(from, filepath.Join(filepath.FromSlash(folder), filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		list = append(list, repository.Addition{Name: path.Join(folder, name), Text: string(text)})
	}
	data := filepath.Join(from, filepath.FromSlash(folder), "testdata")
	if info, err := os.Stat(data); err == nil && info.IsDir() {
		name := path.Join(folder, "testdata")
		list = append(list, repository.Addition{Name: name, Folder: data, Text: data})
	}
	return list, nil
}

// testFiles lists the test files of a folder of a tree, none if there is no such folder.
func testFiles(tree, folder string) (names []string, err error) {
	entries, err := os.ReadDir(filepath.Join(tree, filepath.FromSlash(folder)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), "_test.go") && e.Type().IsRegular() {
			names = append(names, e.Name())
		}
	}
	return names, nil
}
