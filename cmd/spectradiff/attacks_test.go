//go:build linux

package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/spectradiff/spectradiff/internal/report"
)

var slack = flag.Int("slack", 1, "how many times longer than promised an attack may run, for a busy machine")

var attacksFolder = filepath.Join("..", "..", "testdata", "attacks")

// A standing is who the user of an attacked command is, and what the machine allows him.
type standing struct {
	name      string
	root      bool // he is root
	container bool // no namespaces; root has the few rights that a container leaves him
}

var standings = []standing{
	{"root", true, false},
	{"root in a container", true, true},
	{"user", false, false},
	{"user in a container", false, true},
}

// quick are the attacks that every run of the tests tries, as the user who runs them.
var quick = map[bool][]string{
	false: {"version_control", "link_opaque", "cgo_incbin", "replace_outside", "run_files"},
	true:  {"run_processes", "run_files"},
}

// ordinaryUser is a user without any rights or files. Root takes him for the attacks on ordinary users.
const ordinaryUser = 64321

// TestAttacks runs the attacks: a few of them, or all in every standing with SPECTRADIFF_LONG.
func TestAttacks(t *testing.T) {
	onlyInAll(t, "it builds and runs many programs")
	caches := publicFolder(t)
	for _, s := range standings {
		t.Run(s.name, func(t *testing.T) {
			isRoot := os.Geteuid() == 0
			if s.root && !isRoot {
				t.Skip("needs root")
			}
			if os.Getenv("SPECTRADIFF_LONG") != "" {
				files, err := filepath.Glob(filepath.Join(attacksFolder, "*.txtar"))
				if err != nil {
					t.Fatal(err)
				}
				runAttacks(t, s, caches, files)
				return
			}
			if s.root != isRoot {
				t.Skip("SPECTRADIFF_LONG=1 attacks ordinary users too: make test-long")
			}
			var files []string
			for _, name := range quick[s.container] {
				files = append(files, filepath.Join(attacksFolder, name+".txtar"))
			}
			runAttacks(t, s, caches, files)
		})
	}
}

// TestAttacksSay checks that every script says what each of its attacks tries and what must hold, and that there are
// as many as were promised.
func TestAttacksSay(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(attacksFolder, "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	number := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(text), "\n")
		if !strings.HasPrefix(lines[0], "# Tries: ") {
			t.Errorf("%s does not begin with what it tries", file)
		}
		for i, line := range lines {
			if !strings.HasPrefix(line, "# Tries: ") {
				continue
			}
			number++
			if !strings.HasPrefix(lines[i+1], "# Holds: ") {
				t.Errorf("%s:%d does not say what must hold", file, i+2)
			}
		}
	}
	if number < 60 {
		t.Errorf("there are %d attacks, want 60", number)
	}
}

// One at a time, because attacks use up what they can get, and each has a limit on its time.
type oneAtATime struct{ *testing.T }

func (oneAtATime) Parallel()     {}
func (oneAtATime) Verbose() bool { return testing.Verbose() }
func (o oneAtATime) Run(name string, f func(testscript.T)) {
	o.T.Run(name, func(t *testing.T) { f(oneAtATime{t}) })
}

// publicFolder returns a folder to which ordinary users come too.
func publicFolder(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "attacks")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(folder) })
	if err := os.Chmod(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	return folder
}

// runAttacks runs scripts in a standing. The folder caches is for the go command of a user who has none.
func runAttacks(t *testing.T, s standing, caches string, files []string) {
	t.Helper()
	folder := publicFolder(t)
	uid := os.Geteuid()
	if !s.root && uid == 0 {
		uid = ordinaryUser
	}
	binary, err := copyOfThisBinary(folder)
	if err != nil {
		t.Fatal(err)
	}
	environment := attackEnvironment(t, caches, uid)
	nothing := filepath.Join(attacksFolder, "nothing.txtar")
	if uid != os.Geteuid() { // his caches are empty, and this takes as long as it takes
		files = append([]string{nothing}, slices.DeleteFunc(files, func(f string) bool { return f == nothing })...)
	}
	testscript.RunT(oneAtATime{t}, testscript.Params{
		Files:       files,
		WorkdirRoot: folder,
		Setup: func(env *testscript.Env) error {
			a := &attack{standing: s, uid: uid, binary: binary, work: env.WorkDir}
			env.Values[attackKey{}] = a
			env.Vars = append(env.Vars, environment...)
			env.Defer(func() { a.end() })
			return a.setUp(env)
		},
		Condition: targetsCondition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"versions": versions,
			"attack":   attacked,
			"ended":    ended,
			"reached":  reached,
			"rename":   rename,
			"entry":    entry,
			"repeat":   repeat,
		},
	})
}

// copyOfThisBinary returns the path of a copy that every user can run.
func copyOfThisBinary(folder string) (string, error) {
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		return "", err
	}
	name := filepath.Join(folder, "spectradiff")
	return name, os.WriteFile(name, self, 0o755)
}

// attackEnvironment returns the variables for the go command. A user who is not the one of the tests has caches of
// his own. No module is fetched.
func attackEnvironment(t *testing.T, caches string, uid int) []string {
	t.Helper()
	environment := goEnvironment(t)
	if uid != os.Geteuid() {
		for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
			own := filepath.Join(caches, name)
			if err := os.MkdirAll(own, 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Chown(own, uid, uid); err != nil {
				t.Fatal(err)
			}
			environment = append(environment, name+"="+own)
		}
	}
	return append(environment, "GOPROXY=off", "GOFLAGS=", "LANG=C")
}

// An attack is a script under way.
type attack struct {
	standing
	uid       int
	binary    string
	work      string
	mark      string // a name that nobody else uses
	canary    *canary
	listeners *listeners
	exit      int
	late      bool           // it was killed, so it could not put things in order
	report    *report.Report // nil: there is none
}

type attackKey struct{}

func attackOf(ts *testscript.TestScript) *attack { return ts.Value(attackKey{}).(*attack) }

// setUp makes the surroundings of the attack.
func (a *attack) setUp(env *testscript.Env) error {
	a.mark = fmt.Sprintf("attack-mark-%d-%s", os.Getpid(), filepath.Base(a.work))
	if err := makeHome(a.work); err != nil {
		return err
	}
	for _, folder := range append([]string{"sockets"}, changing...) {
		if err := os.Mkdir(filepath.Join(a.work, folder), 0o755); err != nil {
			return err
		}
	}
	for _, name := range secretVariables {
		env.Setenv(name, secretOf(name))
	}
	env.Setenv("HOME", filepath.Join(a.work, "home"))
	env.Setenv("XDG_CACHE_HOME", filepath.Join(a.work, "cache"))
	env.Setenv("TMPDIR", filepath.Join(a.work, "temporary"))
	env.Setenv("SSH_AUTH_SOCK", filepath.Join(a.work, "sockets", "stream"))
	env.Setenv("PATH", filepath.Join(a.work, "bin")+":"+os.Getenv("PATH"))
	env.Setenv("MARK", a.mark)
	return a.begin(env.Setenv)
}

// begin makes what the attack must leave alone beside files, and names it.
func (a *attack) begin(setenv func(name, value string)) (err error) {
	if a.listeners, err = listen(filepath.Join(a.work, "sockets"), a.mark); err != nil {
		return err
	}
	if a.canary, err = newCanary(a.uid); err != nil {
		return err
	}
	setenv("CANARY", strconv.Itoa(a.canary.cmd.Process.Pid))
	for name, address := range a.listeners.addresses {
		setenv(name, address)
	}
	return nil
}

// end ends what the attack has beside itself, and returns what was done to it.
func (a *attack) end() (complaints []string) {
	if a.listeners != nil {
		complaints = append(complaints, a.listeners.end()...)
		a.listeners = nil
	}
	if a.canary != nil {
		complaints = append(complaints, a.canary.end()...)
		a.canary = nil
	}
	return complaints
}

// attacked is the command "attack [ARGUMENT...]": the command compare runs in the repository, with further flags and
// revisions, and nothing has happened that must not. In the sources, the addresses are those of the first one.
func attacked(ts *testscript.TestScript, neg bool, args []string) {
	if neg {
		ts.Fatalf("usage: attack [ARGUMENT...]")
	}
	a := attackOf(ts)
	if _, err := os.Stat(ts.MkAbs("repo")); err != nil {
		versions(ts, false, nil)
	}
	if a.canary == nil { // an attack came before
		ts.Check(a.begin(ts.Setenv))
	}
	ts.Check(giveTo(a.uid, a.work))
	before, err := takeSnapshot(a.work)
	ts.Check(err)
	begun := time.Now()
	a.exit = a.run(ts, args)
	ts.Logf("it took %.1fs", time.Since(begun).Seconds())
	complaints := a.checkEnd(ts)
	if !a.late {
		after, err := takeSnapshot(a.work)
		ts.Check(err)
		complaints = append(complaints, changes(before, after)...)
	}
	complaints = append(complaints, a.end()...)
	for _, what := range []string{"stdout", "stderr"} {
		complaints = append(complaints, checkText(what, ts.ReadFile(what))...)
	}
	inCache, err := checkFolder(filepath.Join(a.work, "cache"))
	ts.Check(err)
	complaints = append(complaints, inCache...)
	complaints = append(complaints, a.marks()...)
	if len(complaints) > 0 {
		ts.Fatalf("the attack succeeds:\n%s", strings.Join(complaints, "\n"))
	}
}

// defaults are the flags of every attack, unless it gives others.
var defaults = []string{"-C", "repo", "--no-progress", "--budget", "5s", "--sequences", "100"}

// run runs the command and returns its exit status.
func (a *attack) run(ts *testscript.TestScript, args []string) int {
	revisions := slices.ContainsFunc(args, func(arg string) bool { return arg == "old" || arg == "old..new" })
	arguments := slices.Concat([]string{"compare"}, defaults,
		[]string{"--out", "json=" + filepath.Join(a.work, "out", "report.json")}, args)
	if !revisions {
		arguments = append(arguments, "old", "new")
	}
	launch := []string{"-limit", a.limit(ts, arguments).String(), "-notes", filepath.Join(a.work, "out", "notes"),
		"--", "-uid", strconv.Itoa(a.uid), "-container=" + strconv.FormatBool(a.container), a.binary}
	launcher := filepath.Join(filepath.Dir(a.binary), launcherName)
	if _, err := os.Lstat(launcher); err != nil {
		ts.Check(os.Symlink(a.binary, launcher)) // by the name, TestMain knows which program to run
	}
	err := ts.Exec(launcher, append(launch, arguments...)...)
	if err == nil {
		return 0
	}
	exit, ok := err.(*exec.ExitError)
	if !ok {
		ts.Fatalf("run the attack: %v", err)
	}
	return exit.ExitCode()
}

// limit returns how long the command may run: twice its budget and a minute.
func (a *attack) limit(ts *testscript.TestScript, arguments []string) time.Duration {
	at := len(arguments) - 1 - slices.Index(reversed(arguments), "--budget")
	budget, err := time.ParseDuration(arguments[at+1])
	ts.Check(err)
	longest := 2*budget + time.Minute
	if os.Getenv("SPECTRADIFF_LONG") == "" {
		longest *= 5 // other tests run at the same time
	}
	return longest * time.Duration(*slack)
}

func reversed(list []string) []string {
	list = slices.Clone(list)
	slices.Reverse(list)
	return list
}
