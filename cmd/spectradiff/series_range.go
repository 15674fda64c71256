package main

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/replay/tags"
)

// seriesNames returns the revisions that an argument of series stands for: those of a range, or one.
func seriesNames(repo *repository.Repository, set *settings, arg string) ([]string, error) {
	first, last, isRange := strings.Cut(arg, "..")
	switch {
	case !isRange:
		return []string{arg}, nil
	case strings.HasPrefix(last, "."):
		return nil, errors.New(arg + ": want two dots, as in v1.0.0..v1.9.0")
	}
	of := tags.Range{First: first, Last: last, Folder: moduleFolder(repo), Pre: set.pre}
	return of.Of(repo.Tags())
}

// moduleFolder returns the folder of the module that the user is in, slash-separated; "." without one.
func moduleFolder(repo *repository.Repository) string {
	for at := repo.Sub; at != "."; at = path.Dir(at) {
		if _, err := os.Stat(filepath.Join(repo.Root, filepath.FromSlash(at), "go.mod")); err == nil {
			return at
		}
	}
	return "."
}
