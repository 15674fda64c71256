package main

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/spectradiff/spectradiff/internal/replay/cache"
)

// holding is the key under which a script keeps the cache whose entries it holds.
type holding struct{}

// hold is the command "hold KIND": this process holds the script's cached entries of a kind.
func hold(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: hold KIND")
	}
	store, err := cache.Open(cache.Settings{Folder: ts.Getenv(cache.FolderVariable)}, ts.Logf)
	ts.Check(err)
	contents, err := store.Contents()
	ts.Check(err)
	for _, entry := range contents.Entries {
		if string(entry.Kind) == args[0] {
			store.Hold(entry.Kind, entry.Name)
		}
	}
	*ts.Value(holding{}).(**cache.Cache) = store
}

// release is the command "release": the entries that hold holds are released.
func release(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: release")
	}
	(*ts.Value(holding{}).(**cache.Cache)).Finish(context.Background())
}

// damage is the command "damage PATTERN HOW": every file or folder of that name is damaged in one of these ways.
func damage(ts *testscript.TestScript, neg bool, args []string) {
	ways := map[string]func(name string) error{
		"folder": func(name string) error {
			return errors.Join(os.Remove(name), os.MkdirAll(filepath.Join(name, "folder"), 0o777))
		},
		"text":  func(name string) error { return os.WriteFile(name, []byte("no number"), 0o666) },
		"gone":  os.RemoveAll,
		"extra": func(name string) error { return os.WriteFile(name+".extra", nil, 0o666) },
		"mode":  func(name string) error { return os.Chmod(name, 0o640) },
		"cut": func(name string) error {
			return rewrite(name, func(text []byte) []byte { return text[:len(text)/2] })
		},
		"flipped": func(name string) error {
			return rewrite(name, func(text []byte) []byte {
				text[len(text)/2] ^= 1
				return text
			})
		},
	}
	if neg || len(args) != 2 || ways[args[1]] == nil {
		ts.Fatalf("usage: damage PATTERN %s", strings.Join(slices.Sorted(maps.Keys(ways)), "|"))
	}
	names, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	if len(names) == 0 {
		ts.Fatalf("nothing is called %s", args[0])
	}
	for _, name := range names {
		ts.Check(ways[args[1]](name))
	}
}

// rewrite changes a file, and leaves its time as it was.
func rewrite(name string, change func([]byte) []byte) error {
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return errors.Join(os.WriteFile(name, change(text), 0o666), os.Chtimes(name, info.ModTime(), info.ModTime()))
}

// age is the command "age DURATION FILE...": the files seem to have been changed that long ago.
func age(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: age DURATION FILE...")
	}
	ago, err := time.ParseDuration(args[0])
	ts.Check(err)
	then := time.Now().Add(-ago)
	for _, name := range args[1:] {
		ts.Check(os.Chtimes(ts.MkAbs(name), then, then))
	}
}
