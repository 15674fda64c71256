package repository

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// converting makes a repository whose checkout writes other bytes than its commit has.
func converting(t *testing.T) fixture {
	f := newFixture(t)
	f.write("unnormal.txt", "kept\r\nas it was\r\n")
	f.commit("before there were attributes")
	programs := t.TempDir()
	for name, text := range map[string]string{
		"clean": `f=$(mktemp); cat >$f; sum=$(sha256sum <$f | cut -d' ' -f1); cp $f ` + programs + `/$sum
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %s\n' $sum $(wc -c <$f)`,
		"smudge": `cat ` + programs + `/$(grep oid | cut -d: -f2)`,
	} {
		must(t, os.WriteFile(filepath.Join(programs, name), []byte(text), 0o644))
		f.git("config", "filter.lfs."+name, "sh "+filepath.Join(programs, name))
	}
	f.git("config", "filter.odd.clean", "tr A-Z a-z")
	f.git("config", "filter.odd.smudge", "tr a-z A-Z")
	f.write(".gitattributes", "*.txt text eol=crlf\n*.id ident\n*.odd filter=odd\n*.bin filter=lfs -text\n"+
		"*.wide text working-tree-encoding=UTF-16LE\n*.none filter=unset-up\n")
	for _, name := range []string{"a.txt", "deep/b.txt", "a.odd", "b.odd", "a.bin", "a.none"} {
		f.write(name, "of "+name+"\nand more\n")
	}
	f.write("a.id", "before $Id$ after\n")
	f.write("a.wide", "w\x00i\x00d\x00e\x00\n\x00")
	f.git("add", "-A", "--", ".", ":!unnormal.txt")
	f.git("commit", "-q", "-m", "with attributes")
	for _, name := range f.gitFiles() {
		must(t, os.Remove(filepath.Join(f.dir, name)))
	}
	f.git("checkout", "--", ".")
	later := time.Now().Add(time.Minute) // what git wrote in the same moment as its index it would read again
	must(t, os.Chtimes(filepath.Join(f.dir, ".git/index"), later, later))
	return f
}

// TestConvertedWorktree: a working tree that git calls clean has the files of its commit.
func TestConvertedWorktree(t *testing.T) {
	f := converting(t)
	if text, _ := os.ReadFile(filepath.Join(f.dir, "a.txt")); string(text) != "of a.txt\r\nand more\r\n" {
		t.Fatalf("git has written %q", text)
	}
	long := time.Now().Add(-time.Hour)
	for _, state := range []string{"checked out", "touched"} {
		apart := map[string]bool{}
		if state == "touched" { // git would have to run programs
			apart = map[string]bool{"a.odd": true, "b.odd": true, "a.wide": true, "unnormal.txt": true}
			for _, name := range f.gitFiles() {
				must(t, os.Chtimes(filepath.Join(f.dir, name), long, long))
			}
		}
		r := f.open()
		head, tree := materialise(t, r, "HEAD", t.TempDir()), materialise(t, r, worktree, t.TempDir())
		want, got := snapshot(t, head.Dir), snapshot(t, tree.Dir)
		delete(apart, "unnormal.txt") // it is the same byte for byte
		for name := range want {
			if got[name] != want[name] != apart[name] {
				t.Errorf("%s: %s is %q, in HEAD %q", state, name, got[name], want[name])
			}
		}
		at, err := r.Resolve("HEAD")
		must(t, err)
		changes, err := r.ChangedFiles(t.Context(), at, r.Worktree())
		must(t, err)
		if len(changes) != len(apart) {
			t.Errorf("%s: changed files %v", state, changes)
		}
		warnings := slices.DeleteFunc(slices.Clone(tree.Warnings), func(w string) bool {
			return slices.Contains(head.Warnings, w)
		})
		if wanted := 2 * min(len(apart), 1); len(warnings) != wanted {
			t.Errorf("%s: warnings %q, want %d", state, warnings, wanted)
		}
		const told = "a.odd and 1 more are compared as on disk"
		if state == "touched" && !strings.HasPrefix(strings.Join(warnings, "\n"), told) {
			t.Errorf("warnings %q", warnings)
		}
	}
}

// TestEditedConverted: an edited file is what git would commit of it, also where it looks at what is committed.
func TestEditedConverted(t *testing.T) {
	contents := []string{
		"", "text\n", "text\r\n", "lone\rreturn\r\n", "mixed\r\nlines\n", "zero\x00byte\r\n", "\x01\x02\x03 few\r\n",
		strings.Repeat("printable ", 40) + "\x01\r\n", "dos\r\n\x1a", "$Id: 1234 $ $Id$ $Id: a\n$ $Ids$\r\n", "\r\n",
	}
	rules := []string{
		"", "text", "-text", "text=auto", "text=auto eol=crlf", "eol=lf", "eol=crlf", "crlf", "-crlf", "crlf=input",
		"text=odd", "text=auto !text", "binary", "ident", "text ident", "binary text", "filter=none eol=crlf",
	}
	for _, auto := range []string{"false", "true", "input"} {
		f := newFixture(t)
		f.git("config", "core.autocrlf", "false")
		attributes := ""
		each := func(do func(name string, content string)) {
			for i, content := range contents {
				for j := range rules {
					for _, before := range []string{"none", "lf", "crlf"} {
						do(fmt.Sprintf("%s/%d/r%d", before, i, j), content)
					}
				}
			}
		}
		each(func(name, _ string) {
			if end, ok := map[byte]string{'l': "\n", 'c': "\r\n"}[name[0]]; ok {
				f.write(name, "before"+end)
			}
		})
		f.commit("before")
		for j, rule := range rules {
			attributes += fmt.Sprintf("r%d %s\n", j, rule)
		}
		f.write(".gitattributes", attributes)
		f.git("config", "core.autocrlf", auto)
		f.git("config", "core.safecrlf", "false")
		each(func(name, content string) { f.write(name, content) })
		got := map[string]string{}
		files, err := f.open().hashedWorktree(t.Context())
		must(t, err)
		for _, file := range files {
			got[file.path] = file.hash.String()
		}
		f.git("add", "-A")
		want := map[string]string{}
		for line := range strings.SplitSeq(f.git("ls-files", "-s"), "\n") {
			fields := strings.Fields(line)
			want[fields[3]] = fields[1]
		}
		for _, name := range slices.Sorted(maps.Keys(want)) {
			if got[name] != want[name] {
				t.Errorf("autocrlf=%s: %s is not as git adds it", auto, name)
			}
		}
	}
}

// TestModelessWorktree: where the file system keeps no modes, the index says what is executable.
func TestModelessWorktree(t *testing.T) {
	f := newFixture(t)
	f.write("run.sh", "#!/bin/sh\n")
	must(t, os.Chmod(filepath.Join(f.dir, "run.sh"), 0o755))
	f.commit("one")
	must(t, os.Chmod(filepath.Join(f.dir, "run.sh"), 0o644))
	f.write("new.sh", "")
	must(t, os.Chmod(filepath.Join(f.dir, "new.sh"), 0o755))
	f.git("config", "core.fileMode", "false")
	got := snapshot(t, materialise(t, f.open(), worktree, t.TempDir()).Dir)
	if !strings.HasPrefix(got["run.sh"], "-rwxr-xr-x") || !strings.HasPrefix(got["new.sh"], "-rw-r--r--") {
		t.Errorf("modes: %q", got)
	}
}
