package spectradiff_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fakeCommand stands for spectradiff. It notes its arguments, writes the files of --out, and ends as it is told.
const fakeCommand = `#!/usr/bin/env bash
case $1 in
cache) printf 'folder  %s\nsize    0B\n' /var/cache/spectradiff; exit ;;
version) echo 'spectradiff v0.1.0'; exit ;;
esac
printf '[%s]' "$@" >>"$CALLS"; echo >>"$CALLS"
[[ $FAKE_STATUS == 2 ]] && exit 2
while (($#)); do
	if [[ $1 == --out ]]; then printf '<!-- spectradiff -->\n%s\n' "${2%%=*}" >"${2#*=}"; fi
	shift
done
exit "$FAKE_STATUS"
`

// fakeGH stands for gh. It notes its arguments and the text that it is handed, and knows the comments that it is told.
const fakeGH = `#!/usr/bin/env bash
printf '[%s]' "$@" >>"$CALLS"; echo >>"$CALLS"
[[ $FAKE_GH == fails ]] && exit 1
for a; do if [[ $a == body=@* ]]; then cat "${a#body=@}" >>"$CALLS"; fi; done
[[ " $* " == *" --paginate "* ]] && printf '%s' "$FAKE_GH"
exit 0
`

// An action runs the steps of the action with commands that are not the real ones.
type action struct {
	t                       *testing.T
	script, folder, clone   string
	calls, outputs, summary string
	env                     []string
}

func newAction(t *testing.T, env ...string) *action {
	t.Helper()
	script, err := filepath.Abs("scripts/action.sh")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	a := &action{
		t: t, script: script, folder: folder, clone: folder, calls: filepath.Join(folder, "calls"),
		outputs: filepath.Join(folder, "outputs"), summary: filepath.Join(folder, "summary"),
	}
	bin := filepath.Join(folder, "bin")
	if err := os.Mkdir(bin, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"spectradiff": fakeCommand, "gh": fakeGH} {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	a.env = append([]string{
		"PATH=" + bin + string(filepath.ListSeparator) + os.Getenv("PATH"), "HOME=" + folder, "CALLS=" + a.calls,
		"RUNNER_TEMP=" + folder, "GITHUB_OUTPUT=" + a.outputs, "GITHUB_STEP_SUMMARY=" + a.summary,
		"GITHUB_REPOSITORY=o/r", "GITHUB_RUN_ID=5", "GITHUB_EVENT_NAME=pull_request", "GITHUB_REF=refs/pull/7/merge",
		"FAKE_STATUS=0", "FAKE_GH=", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
	}, env...)
	return a
}

// step runs a step, and returns what it prints and its status.
func (a *action) step(name string, env ...string) (string, int) {
	a.t.Helper()
	command := exec.Command("bash", a.script, name)
	command.Dir, command.Env = a.clone, append(slices.Clone(a.env), env...)
	out, err := command.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		a.t.Fatal(err)
	}
	return string(out), command.ProcessState.ExitCode()
}

// text returns what a file holds; "" if there is none.
func (a *action) text(file string) string {
	text, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		a.t.Fatal(err)
	}
	return string(text)
}

// output returns what a step handed to later ones.
func (a *action) output(name string) string {
	value := ""
	for line := range strings.Lines(a.text(a.outputs)) {
		if rest, found := strings.CutPrefix(line, name+"="); found {
			value = strings.TrimSuffix(rest, "\n")
		}
	}
	return value
}

func (a *action) git(folder string, args ...string) string {
	a.t.Helper()
	who := []string{"-C", folder, "-c", "user.name=n", "-c", "user.email=e", "-c", "protocol.file.allow=always"}
	command := exec.Command("git", append(who, args...)...)
	command.Env = a.env
	out, err := command.CombinedOutput()
	if err != nil {
		a.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// checkOut makes a repository in which a branch left main some commits ago, and a clone of depth commits of the branch;
// 0: of all. It returns where the branch left main.
func (a *action) checkOut(depth int) (base string) {
	a.t.Helper()
	origin := filepath.Join(a.folder, "origin")
	a.clone = filepath.Join(a.folder, "clone")
	a.git(a.folder, "init", "-q", "-b", "main", origin)
	commits := func(of string, n int) {
		for i := range n {
			a.git(origin, "commit", "-q", "--allow-empty", "-m", fmt.Sprint(of, i))
		}
	}
	commits("before", 3)
	base = a.git(origin, "rev-parse", "HEAD")
	a.git(origin, "checkout", "-q", "-b", "topic")
	commits("topic", 4)
	a.git(origin, "checkout", "-q", "main")
	commits("main", 5)
	args := []string{"clone", "-q", "--single-branch", "--branch", "topic"}
	if depth > 0 {
		args = append(args, fmt.Sprintf("--depth=%d", depth))
	}
	a.git(a.folder, append(args, "file://"+origin, a.clone)...)
	return base
}

// TestActionPrepare: the versions are found in clones with and without history.
func TestActionPrepare(t *testing.T) {
	for _, depth := range []int{0, 1, 3} {
		a := newAction(t, "GITHUB_BASE_REF=main")
		base := a.checkOut(depth)
		if out, status := a.step("prepare"); status != 0 {
			t.Errorf("depth %d: status %d: %s", depth, status, out)
		}
		if old, head := a.output("old"), a.git(a.clone, "rev-parse", "HEAD"); old != base || a.output("new") != head {
			t.Errorf("depth %d: old is %q, want %q; new is %q, want %q", depth, old, base, a.output("new"), head)
		}
		if a.output("cache") != "/var/cache/spectradiff" || !strings.HasPrefix(a.output("key"), "spectradiff-") {
			t.Errorf("depth %d: cache %q, key %q", depth, a.output("cache"), a.output("key"))
		}
	}
	for _, c := range []struct {
		reason, want string
		status       int
		env          []string
	}{
		{"old is given", "", 0, []string{"ACTION_OLD=HEAD", "GITHUB_BASE_REF=main"}},
		{"no pull request", "set the input old", 2, nil},
		{"old is not in the clone", "The clone is shallow: use actions/checkout", 2, []string{"ACTION_OLD=HEAD~3"}},
		{"new is not in the clone", "input new names no commit", 2, []string{"ACTION_OLD=HEAD", "ACTION_NEW=gone"}},
		{"an option is no revision", "input old names no commit", 2, []string{"ACTION_OLD=--all"}},
		{"a branch that is gone", "the branch gone cannot be fetched", 2, []string{"GITHUB_BASE_REF=gone"}},
		{"a saved report", "", 0, []string{"ACTION_REPORT=report.json"}},
	} {
		a := newAction(t, c.env...)
		a.checkOut(1)
		if out, status := a.step("prepare"); status != c.status || !strings.Contains(out, c.want) {
			t.Errorf("%s: status %d, want %d; %q, want %q", c.reason, status, c.status, out, c.want)
		}
	}
	a := newAction(t, "GITHUB_BASE_REF=other")
	a.checkOut(1)
	a.git(filepath.Join(a.folder, "origin"), "checkout", "-q", "--orphan", "other")
	a.git(filepath.Join(a.folder, "origin"), "commit", "-q", "--allow-empty", "-m", "c")
	if out, status := a.step("prepare"); status != 2 || !strings.Contains(out, "no commit in common") {
		t.Errorf("a branch without a common commit: status %d, %q", status, out)
	}
}

// TestActionCompare: the status is handed on, and inputs are arguments and nothing else.
func TestActionCompare(t *testing.T) {
	const versions = "[1111][2222]\n"
	for _, c := range []struct {
		reason, call, status string
		env                  []string
	}{
		{"no deviations", "[--fail-on][any]" + versions, "0", []string{"ACTION_FAIL_ON=any"}},
		{"deviations", versions, "1", []string{"FAKE_STATUS=1"}},
		{"trouble", versions, "2", []string{"FAKE_STATUS=2"}},
		{"flags are split and not expanded", "[--seed][7][--run][^T$(id)*]" + versions, "0",
			[]string{"ACTION_FLAGS=--seed  7\n--run ^T$(id)*\n"}},
		{"SARIF", "[--out][sarif=f.sarif]" + versions, "0", []string{"ACTION_SARIF=f.sarif"}},
		{"a saved report", "[show][--out]", "1", []string{"ACTION_REPORT=r.json", "FAKE_STATUS=1"}},
	} {
		a := newAction(t, append(c.env, "ACTION_OLD=1111", "ACTION_NEW=2222")...)
		out, status := a.step("compare")
		if status != 0 || a.output("status") != c.status || !strings.Contains(a.text(a.calls), c.call) {
			t.Errorf("%s: status %d and %q, want %q\n%s%s", c.reason, status, a.output("status"), c.status,
				a.text(a.calls), out)
		}
		written := a.output("markdown") != "" && a.output("report") != "" && a.text(a.summary) != ""
		if written != (c.status != "2") {
			t.Errorf("%s: outputs are\n%s", c.reason, a.text(a.outputs))
		}
	}
}

// TestActionComment: there is one comment, it is edited, and where none can be written, the run says why and goes on.
func TestActionComment(t *testing.T) {
	const list = "[api][--paginate][repos/o/r/issues/7/comments?per_page=100]"
	for _, c := range []struct {
		reason, says, call, body string
		status                   string // of the comparison; "": none
		env                      []string
	}{
		{reason: "the first one", status: "1", call: "[--method][POST][repos/o/r/issues/7/comments]",
			body: "<!-- spectradiff -->\nmarkdown\n\n[The run](https://github.com/o/r/actions/runs/5)\n"},
		{reason: "a later one", status: "0", call: "[--method][PATCH][repos/o/r/issues/comments/91]",
			env: []string{"FAKE_GH=91\n92\n"}},
		{reason: "no report", status: "2", call: "[--method][POST]",
			body: "no report, the comparison ended in trouble"},
		{reason: "a number that is named", status: "0", call: "[repos/o/r/issues/8/comments]",
			env: []string{"ACTION_PULL_REQUEST=8", "GITHUB_EVENT_NAME=workflow_run", "GITHUB_REF=refs/heads/main"}},
		{reason: "its own repository", status: "0", call: list, env: []string{"ACTION_HEAD_REPOSITORY=o/r"}},
		{reason: "a fork", says: "::notice title=spectradiff::no comment is written: the pull request comes from a f",
			env: []string{"ACTION_HEAD_REPOSITORY=evil/r"}},
		{reason: "a push", says: "not for a pull request", env: []string{"GITHUB_REF=refs/heads/main"}},
		{reason: "no number", says: "not for a pull request", env: []string{"ACTION_PULL_REQUEST=7/../8"}},
		{reason: "no permission", says: "::warning title=spectradiff::no comment is written", call: list,
			env: []string{"FAKE_GH=fails"}},
	} {
		a := newAction(t, c.env...)
		if c.status != "" {
			out, status := a.step("compare", "FAKE_STATUS="+c.status, "ACTION_OLD=1111", "ACTION_NEW=2222")
			if status != 0 {
				t.Fatalf("%s: compare: status %d: %s", c.reason, status, out)
			}
		}
		out, status := a.step("comment")
		calls := a.text(a.calls)
		if status != 0 || !strings.Contains(out, c.says) || !strings.Contains(calls, c.call) ||
			!strings.Contains(calls, c.body) || c.call == "" && strings.Contains(calls, "[api]") {
			t.Errorf("%s: status %d, prints %q, want %q; calls are\n%s", c.reason, status, out, c.says, calls)
		}
	}
}

// TestActionFinish: the job fails as the comparison does.
func TestActionFinish(t *testing.T) {
	for of, want := range map[string]int{"0": 0, "1": 1, "2": 2, "": 2, "139": 2} {
		if out, status := newAction(t).step("finish", "ACTION_STATUS="+of); status != want {
			t.Errorf("status %q becomes %d, want %d: %s", of, status, want, out)
		}
	}
}

// TestActionInstalls: the command comes from the action's own tree, or is there.
func TestActionInstalls(t *testing.T) {
	for _, c := range []struct {
		reason, version, path, want string
		status                      int
	}{
		{"the one on the PATH", "installed", "", "", 0},
		{"none is there", "installed", "PATH=/usr/bin:/bin", "there is no spectradiff on the PATH", 2},
		{"no Go", "", "PATH=/usr/bin:/bin", "there is no Go", 2},
	} {
		if _, err := exec.LookPath("/usr/bin/go"); err == nil && c.version == "" {
			continue // here the usual folders have a Go
		}
		out, status := newAction(t).step("install", "ACTION_VERSION="+c.version, c.path)
		if status != c.status || !strings.Contains(out, c.want) {
			t.Errorf("%s: status %d, want %d: %s", c.reason, status, c.status, out)
		}
	}
}

// TestActionFits: action.yml sets the variables that its script reads, and hands on what steps put out.
func TestActionFits(t *testing.T) {
	yaml, script, document := read(t, "action.yml"), read(t, "scripts/action.sh"), read(t, "docs/ci.md")
	const declared = `(?m)^  ([a-z-]+):\n    description`
	for _, c := range []struct{ reason, in, made, from, used string }{
		{"variables that are read are set", yaml, `(ACTION_[A-Z_]+): `, script, `\$\{?(ACTION_[A-Z_]+)`},
		{"variables that are set are read", script, `\$\{?(ACTION_[A-Z_]+)`, yaml, `(ACTION_[A-Z_]+): `},
		{"inputs that are used are declared", yaml, declared, yaml, `inputs\.([a-z-]+)`},
		{"inputs that are declared are used", yaml, `inputs\.([a-z-]+)|steps\.compare\.outputs\.([a-z]+) `, yaml,
			declared},
		{"inputs that are declared are in the manual", document, "`([a-z-]+)`", yaml, declared},
		{"inputs of recipes are declared", yaml, declared, recipes(document), `(?m)^ +([a-z-]+):`},
		{"outputs that are used are made", script, `\boutput ([a-z]+) `, yaml, `steps\.[a-z]+\.outputs\.([a-z]+)`},
		{"steps that are named exist", script, `(?m)^([a-z]+)\(\) \{`, yaml, `action\.sh" ([a-z]+)`},
	} {
		made := regexp.MustCompile(c.made).FindAllStringSubmatch(c.in, -1)
		used := regexp.MustCompile(c.used).FindAllStringSubmatch(c.from, -1)
		for _, u := range used {
			if !slices.ContainsFunc(made, func(m []string) bool { return slices.Contains(m[1:], u[1]) }) {
				t.Errorf("%s: not %q", c.reason, u[1])
			}
		}
		if len(used) == 0 {
			t.Errorf("%s: nothing is found", c.reason)
		}
	}
	if found := regexp.MustCompile(`(?m)run: .*\$\{\{.*`).FindString(yaml); found != "" {
		t.Errorf("an expression in a script is code that others write: %s", found)
	}
}

// recipes returns the inputs that the recipes of a document give the action, each in its line.
func recipes(document string) string {
	uses := regexp.MustCompile(`uses: spectradiff/spectradiff@\S+\n +with:\n((?: {14}\S.*\n)+)`)
	var lines strings.Builder
	for _, found := range uses.FindAllStringSubmatch(document, -1) {
		lines.WriteString(found[1])
	}
	return lines.String()
}

// TestShellcheck holds the scripts to what shellcheck knows, where there is one.
func TestShellcheck(t *testing.T) {
	tool, err := exec.LookPath("shellcheck")
	if err != nil {
		t.Skip("there is no shellcheck")
	}
	if out, err := exec.Command(tool, "scripts/action.sh", ".ci/run").CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
