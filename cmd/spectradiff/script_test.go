package main

import (
	"errors"
	"flag"
	"fmt"
	goversion "go/version"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/spectradiff/spectradiff/internal/replay/buildcache"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

var update = flag.Bool("update", false, "write what the scripts compare with anew")

func TestMain(m *testing.M) {
	if sandbox.Child() || load.Child() || buildcache.Child() { // the sandbox starts this binary again
		return
	}
	testscript.Main(m, programs)
}

// programs are what this test binary is when it is started by another name.
var programs = map[string]func(){
	"spectradiff": func() { os.Exit(saved(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	"hanging":     hang,
}

// TestScript runs the scripts, with -short those that stand for a feature.
func TestScript(t *testing.T) {
	files := scriptsIn(t, "script")
	if testing.Short() {
		files = forFeatures(t, files)
	}
	runScripts(t, files)
}

// TestScriptReleases runs scripts whose targets are built by other Go releases.
func TestScriptReleases(t *testing.T) {
	needLong(t)
	for _, release := range olderReleases {
		t.Run(release, func(t *testing.T) {
			t.Setenv("GOTOOLCHAIN", release)
			runScripts(t, scriptsIn(t, "script"))
		})
	}
}

// TestScriptUnknownRelease runs scripts whose targets are built by a Go release with an unexpected
// runtime, which is therefore not extended.
func TestScriptUnknownRelease(t *testing.T) {
	onlyInAll(t, "it builds the standard library once more")
	unknownRelease(t)
	runScripts(t, scriptsIn(t, "unknown_release"))
}

// runScripts runs scripts.
func runScripts(t *testing.T, files []string) {
	t.Helper()
	environment := goEnvironment(t)
	buildShared(t)
	testscript.Run(t, testscript.Params{
		Files:         files,
		UpdateScripts: *update,
		Setup: func(env *testscript.Env) error {
			env.Vars = append(env.Vars, environment...)
			home := filepath.Join(env.WorkDir, ".home")
			env.Setenv("HOME", home)
			env.Setenv("XDG_CACHE_HOME", filepath.Join(home, "cache"))
			env.Values[holding{}] = new(*cache.Cache)
			env.Setenv(reportsFolder, os.Getenv(reportsFolder))
			return os.Mkdir(home, 0o777)
		},
		Condition: targetsCondition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"mkversions": makeVersions,
			"mkcommits":  makeCommits,
			"mkproxy":    makeProxy,
			"status":     status,
			"left":       left,
			"repeat":     repeat,
			"expand":     expand,
			"hold":       hold,
			"release":    release,
			"damage":     damage,
			"age":        age,
			"serve":      serveScript,
			"workers":    awaitWorkers,
			"sameruns":   sameRuns,
		},
	})
}

// goEnvironment returns the variables that keep the go command's caches. A script's HOME would hide them.
func goEnvironment(t *testing.T) []string {
	t.Helper()
	names := []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOSUMDB", "GOFLAGS", "GOTOOLCHAIN"}
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatalf("go env: %v", err)
	}
	var environment []string
	for i, value := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
		environment = append(environment, names[i]+"="+value)
	}
	if root := os.Getenv("GOROOT"); root != "" {
		environment = append(environment, "GOROOT="+root)
	}
	return environment
}

// targetsCondition is the condition "targets:goN", as in [targets:go1.25]: the targets are built by that release
// or a later one.
func targetsCondition(condition string) (bool, error) {
	wanted, ok := strings.CutPrefix(condition, "targets:")
	if !ok {
		return false, fmt.Errorf("unknown condition %q", condition)
	}
	built := os.Getenv("GOTOOLCHAIN")
	if !strings.HasPrefix(built, "go1.") {
		built = runtime.Version()
	}
	return goversion.Compare(built, wanted) >= 0, nil
}

// makeVersions is the command "mkversions REPOSITORY [FOLDER...]". It makes a git repository with the folders of the
// script as commits, which are tagged with their names: old and new, if none are named. It adds commits to one that is
// there already.
func makeVersions(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: mkversions REPOSITORY [FOLDER...]")
	}
	folder, versions := ts.MkAbs(args[0]), args[1:]
	if len(versions) == 0 {
		versions = []string{"old", "new"}
	}
	repository, err := git.PlainInit(folder, false)
	if errors.Is(err, git.ErrRepositoryAlreadyExists) {
		repository, err = git.PlainOpen(folder)
	}
	ts.Check(err)
	for i, version := range versions {
		ts.Check(emptyWorktree(folder))
		ts.Check(os.CopyFS(folder, os.DirFS(ts.MkAbs(version))))
		when := time.Date(2026, time.January, 1+i, 12, 0, 0, 0, time.UTC)
		ts.Check(commitAndTag(repository, version, version, when))
	}
}

// makeCommits is the command "mkcommits REPOSITORY". It makes a git repository with a commit for each folder below
// commits of the script, by name. Its files are laid over those of the commit before. Of its files .message holds the
// message, .tag a tag, .parents the folders of its parents if they are others than the one before, and .delete the
// names of files that it removes, a line each.
func makeCommits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: mkcommits REPOSITORY")
	}
	folder := ts.MkAbs(args[0])
	repository, err := git.PlainInit(folder, false)
	ts.Check(err)
	worktree, err := repository.Worktree()
	ts.Check(err)
	commits, err := os.ReadDir(ts.MkAbs("commits"))
	ts.Check(err)
	made := map[string]plumbing.Hash{}
	for i, commit := range commits {
		from := filepath.Join(ts.MkAbs("commits"), commit.Name())
		said := map[string]string{".message": commit.Name()}
		for _, name := range []string{".message", ".tag", ".parents", ".delete"} {
			if text, err := os.ReadFile(filepath.Join(from, name)); err == nil {
				said[name] = strings.TrimSpace(string(text))
				ts.Check(os.Remove(filepath.Join(from, name)))
			}
		}
		var parents []plumbing.Hash
		for _, name := range strings.Fields(said[".parents"]) {
			parents = append(parents, made[name])
		}
		if len(parents) > 0 {
			ts.Check(worktree.Checkout(&git.CheckoutOptions{Hash: parents[0], Force: true}))
		}
		for _, name := range strings.Fields(said[".delete"]) {
			ts.Check(os.Remove(filepath.Join(folder, filepath.FromSlash(name))))
		}
		ts.Check(overlay(folder, from))
		ts.Check(worktree.AddGlob("."))
		when := time.Date(2026, time.January, 1+i, 12, 0, 0, 0, time.UTC)
		by := &object.Signature{Name: "Ada", Email: "ada@example.com", When: when}
		hash, err := worktree.Commit(said[".message"], &git.CommitOptions{
			Author: by, AllowEmptyCommits: true, Parents: parents,
		})
		ts.Check(err)
		made[commit.Name()] = hash
		if tag := said[".tag"]; tag != "" {
			_, err := repository.CreateTag(tag, hash, nil)
			ts.Check(err)
		}
	}
}

// overlay copies files in the place of others.
func overlay(to, from string) error {
	return filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), text, 0o666)
	})
}

func emptyWorktree(folder string) error {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.Name() != git.GitDirName {
			if err := os.RemoveAll(filepath.Join(folder, entry.Name())); err != nil {
				return err
			}
		}
	}
	return nil
}

// status is the command "status N PROGRAM [ARGUMENT...]". It is exec that requires an exit status.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N PROGRAM [ARGUMENT...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("run %s: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("%s ended with status %d, want %d", args[1], got, want)
	}
}

// left is the command "left FOLDER [NAME...]". It fails unless the folder contains exactly these entries.
func left(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: left FOLDER [NAME...]")
	}
	entries, err := os.ReadDir(ts.MkAbs(args[0]))
	ts.Check(err)
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	if got, want := strings.Join(names, " "), strings.Join(args[1:], " "); got != want {
		ts.Fatalf("%s holds %q, want %q", args[0], got, want)
	}
}

// repeat is the command "repeat FILE N". It repeats the file's last line but one until it stands there N
// times.
func repeat(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: repeat FILE N")
	}
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	lines := strings.SplitAfter(ts.ReadFile(args[0]), "\n")
	last := len(lines) - 3
	text := strings.Join(lines[:last], "") + strings.Repeat(lines[last], n) + lines[last+1]
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}

// expand is the command "expand FILE...". It replaces $WORK in the files by the folder of the script.
func expand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: expand FILE...")
	}
	for _, name := range args {
		text := strings.ReplaceAll(ts.ReadFile(name), "$WORK", ts.Getenv("WORK"))
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o666))
	}
}
