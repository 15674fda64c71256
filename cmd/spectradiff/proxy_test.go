package main

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/mod/module"
	modzip "golang.org/x/mod/zip"
)

// makeProxy is the command "mkproxy PROXY MODULES". It makes a folder that GOPROXY can name of a folder with modules,
// as in example.com/m@v1.0.0.
func makeProxy(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: mkproxy PROXY MODULES")
	}
	proxy, root := ts.MkAbs(args[0]), ts.MkAbs(args[1])
	found, err := filepath.Glob(filepath.Join(root, "*", "*@v*"))
	ts.Check(err)
	for _, folder := range found {
		rel, err := filepath.Rel(root, folder)
		ts.Check(err)
		path, version, _ := strings.Cut(filepath.ToSlash(rel), "@")
		ts.Check(addToProxy(proxy, folder, module.Version{Path: path, Version: version}))
	}
}

func addToProxy(proxy, folder string, m module.Version) error {
	home := filepath.Join(proxy, filepath.FromSlash(m.Path), "@v")
	if err := os.MkdirAll(home, 0o777); err != nil {
		return err
	}
	mod, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	if err != nil {
		return err
	}
	for suffix, text := range map[string][]byte{".mod": mod, ".info": []byte(`{"Version":"` + m.Version + `"}`)} {
		if err := os.WriteFile(filepath.Join(home, m.Version+suffix), text, 0o666); err != nil {
			return err
		}
	}
	archive, err := os.Create(filepath.Join(home, m.Version+".zip"))
	if err != nil {
		return err
	}
	defer archive.Close()
	return modzip.CreateFromDir(archive, m, folder)
}
