package main

// This file defines the commands of scripts that concern the cache.

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/spectradiff/spectradiff/replay/cache"
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

// damage is the command "damage FOLDER HOW": every file in the folder is replaced by a folder, or by
// text.
func damage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: damage FOLDER folder|text")
	}
	names, err := filepath.Glob(filepath.Join(ts.MkAbs(args[0]), "*"))
	ts.Check(err)
	if len(names) == 0 {
		ts.Fatalf("%s holds nothing", args[0])
	}
	for _, name := range names {
		if args[1] == "folder" {
			ts.Check(os.Remove(name))
			ts.Check(os.MkdirAll(filepath.Join(name, "folder"), 0o777))
		} else {
			ts.Check(os.WriteFile(name, []byte("no number"), 0o666))
		}
	}
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
