package main

import (
	"bytes"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// manual returns the comment of doc.go without comment marks and without the indent of preformatted text.
func manual(t *testing.T) string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(file.Doc.Text(), "\n\t", "\n")
}

func invoke(t *testing.T, args ...string) (exit int, out, errs string) {
	t.Helper()
	var outBuffer, errBuffer bytes.Buffer
	exit = run(args, strings.NewReader(""), &outBuffer, &errBuffer)
	return exit, outBuffer.String(), errBuffer.String()
}

// TestManual checks that doc.go contains the help of the program and of every command, word for word.
func TestManual(t *testing.T) {
	text := manual(t)
	pages := [][]string{{"help"}}
	for _, cmd := range commands() {
		pages = append(pages, []string{"help", cmd.name})
	}
	for _, page := range pages {
		exit, help, _ := invoke(t, page...)
		if exit != 0 {
			t.Errorf("%v: exit %d", page, exit)
		}
		if !strings.Contains(text, help) {
			t.Errorf("doc.go does not hold the output of spectradiff %s:\n%s", strings.Join(page, " "), help)
		}
	}
}

// TestReadme checks that the README, and what makes a release, name only commands and flags that exist.
func TestReadme(t *testing.T) {
	known := map[string]bool{"help": true}
	flags := map[string]bool{}
	for _, cmd := range commands() {
		known[cmd.name] = true
		for _, word := range regexp.MustCompile(`(?m)^  (-[-a-zC]+)`).FindAllStringSubmatch(cmd.help(), -1) {
			flags[word[1]] = true
		}
	}
	call := regexp.MustCompile(`(?m)(?:^|[ /\x60$])spectradiff ([a-z]+)([^\x60\n]*)`)
	flag := regexp.MustCompile(`(?:^| )(--[a-z-]+)`)
	for _, name := range []string{"README.md", "CONTRIBUTING.md", "docs/releasing.md", ".goreleaser.yaml"} {
		data, err := os.ReadFile(filepath.Join("..", "..", name))
		if err != nil {
			t.Fatal(err)
		}
		calls := 0
		for _, match := range call.FindAllStringSubmatch(codeOf(string(data)), -1) {
			calls++
			if !known[match[1]] {
				t.Errorf("%s names spectradiff %s, which does not exist", name, match[1])
			}
			for _, used := range flag.FindAllStringSubmatch(match[2], -1) {
				if !flags[used[1]] {
					t.Errorf("%s uses spectradiff %s %s, which does not exist", name, match[1], used[1])
				}
			}
		}
		if calls == 0 && name == "README.md" {
			t.Errorf("%s shows no call of spectradiff", name)
		}
	}
}

// codeOf returns the text in backquotes and in code blocks.
func codeOf(markdown string) string {
	var code strings.Builder
	fenced := false
	for line := range strings.Lines(markdown) {
		switch {
		case strings.HasPrefix(line, "```"):
			fenced = !fenced
		case fenced, strings.HasPrefix(line, "    "):
			code.WriteString(line)
		default:
			for i, piece := range strings.Split(line, "`") {
				if i%2 == 1 {
					code.WriteString(piece + "\n")
				}
			}
		}
	}
	return code.String()
}

func TestUsageErrors(t *testing.T) {
	for _, test := range []struct {
		args   string
		want   string
		reason string
	}{
		{"", "no command", "nothing at all"},
		{"frobnicate", `unknown command "frobnicate"`, "a word that is no command"},
		{"bisect", "bisect: no revision", "a missing argument"},
		{"bisect --emit tests main..HEAD", "bisect: unknown flag --emit", "a flag of one comparison"},
		{"bisect --commits main..HEAD", "bisect: unknown flag --commits", "it does so always"},
		{"compare --first-parent main", "compare: --first-parent: only with --commits", "nothing is searched"},
		{"compare", "compare: no revision", "a missing argument"},
		{"compare --frob main", "compare: unknown flag --frob", "long flag"},
		{"compare main -x", "compare: unknown flag -x", "short flag, behind an argument"},
		{"compare main --seed", "compare: flag --seed needs a value", "a flag without its value"},
		{"compare main --seed one", `compare: invalid value "one" for --seed`, "a flag with a wrong value"},
		{"compare main --drive api,commands", "compare: --drive api,commands: want a list of api, tests, command",
			"a driver of a later version"},
		{"compare main --format yaml", `compare: --format: unknown format "yaml": want text, json, jsonl, markdown,`,
			"a format of a later version"},
		{"compare main --out report.json", "want FORMAT=FILE", "--out without a format"},
		{"compare main --out json=", "want FORMAT=FILE", "--out without a file"},
		{"compare main --out yaml=x", `unknown format "yaml"`, "--out with a format of a later version"},
		{"compare main --out json=no/such/folder/x", "there is no folder", "seen before the run, not after it"},
		{"compare main --out json=.", "that is a folder", "seen before the run, not after it"},
		{"compare main --fail-on some", `compare: --fail-on: unknown value "some"`, "a wrong word"},
		{"compare main --sequences -1", "compare: --sequences -1", "a negative count"},
		{"compare main --jobs -1", "compare: --jobs -1", "a negative count"},
		{"compare main --budget -1s", "compare: --budget -1s", "a negative duration"},
		{"compare main --budget 0s", "nothing would be generated", "no budget of either kind"},
		{"series", "series: 0 versions to compare: want a range of tags", "a missing argument"},
		{"series HEAD", "series: 1 version to compare", "nothing to compare it with"},
		{"series HEAD HEAD", "series: 1 version to compare", "the same one twice"},
		{"series --format sarif a b", "series: format sarif is one of a single report", "a format of a comparison"},
		{"series --out junit=x a b", "series: format junit is one of a single report", "the same in a file"},
		{"series --reports main.go a b", "series: --reports main.go: that is a file", "seen before the run"},
		{"series --rename a=b a b", "series: unknown flag --rename", "a flag of one comparison"},
		{"compare main --shard 4/3", `compare: invalid value "4/3" for --shard: want K/N`, "behind the last"},
		{"compare main --shard 3", `compare: invalid value "3" for --shard: want K/N`, "of how many is not said"},
		{"compare main --shards 0", `compare: invalid value "0" for --shards: want a number from 1 to 256`, "none"},
		{"compare main --shards 300", "want a number from 1 to 256", "more than anybody starts"},
		{"compare main --shard 1/3 --shards 3", "compare: --shard 1/3 and --shards 3: want one shard, or all", "both"},
		{"compare main --out part=x", "compare: --out part=x: only with --shard K/N", "a file of no shard"},
		{"compare main --shards 2 --out part=x", "compare: --out part=x: only with --shard K/N", "a file of two"},
		{"compare main --format part", `compare: --format: unknown format "part"`, "a file, and no report"},
		{"compare main --shards 2 --emit x", "compare: --shards 2: not with --emit", "two would write one file"},
		{"compare main --shard 1/2 --commits", "compare: --shard 1/2: not with --commits", "each would ask"},
		{"compare main --shards 2 --corpus x", "compare: --shards 2: not with --corpus", "each would play it"},
		{"compare main --shards 2 --keep x", "compare: --shards 2: not with --keep", "one folder for two"},
		{"compare main --shards 3 --sequences 2", "--sequences 2 leaves none for some shards", "0 would mean by time"},
		{"bisect --shards 3 main..HEAD", "bisect: unknown flag --shards", "a flag of one comparison"},
		{"series --shard 1/3 a b", "series: unknown flag --shard", "a flag of one comparison"},
		{"merge", "merge: no file", "a missing argument"},
		{"show --out part=x r.json", "show: --out part=x: only with --shard K/N", "no run"},
		{"show", "show: want one report", "a missing argument"},
		{"show x y", "show: want one report", "one argument too many"},
		{"show --seed 1 x", "show: unknown flag --seed", "a flag of another command"},
		{"show --sequence x x", `show: invalid value "x" for --sequence`, "no number"},
		{"show --sequence -1 x", `show: invalid value "-1" for --sequence`, "sequences are counted from 0"},
		{"show --sequence 1 -", "show: --sequence is for kept spectra", "an argument that holds no spectra"},
		{"explain", "explain: want a report", "a missing argument"},
		{"explain r.json 1 2", "explain: want a report", "two ranks"},
		{"explain --color blue r.json", "explain: --color blue", "no such choice"},
		{"accept", "accept: want a report", "a missing argument"},
		{"accept r.json", "accept: which findings?", "nothing to do"},
		{"accept r.json 1", "accept: want --reason TEXT", "an acceptance that nobody understands later"},
		{"accept r.json --all", "accept: want --reason TEXT", "the same for all"},
		{"accept r.json 1 --all --reason x", "accept: --all accepts every finding: name none", "two answers"},
		{"accept r.json 1 --interactive", "accept: --interactive asks for each finding", "two answers"},
		{"accept - --interactive", "accept: --interactive reads answers from standard input", "one stream for two"},
		{"accept --list r.json 1", "accept: --list changes nothing", "a list and a change"},
		{"accept r.json 1 --date 26.11.2026", `accept: invalid value "26.11.2026" for --date`,
			"a date in another form"},
		{"demo x", "demo: takes no arguments", "one argument too many"},
		{"version x", "version: takes no arguments", "one argument too many"},
		{"help frobnicate", `unknown command "frobnicate"`, "help on nothing"},
	} {
		exit, out, errs := invoke(t, strings.Fields(test.args)...)
		first, rest, _ := strings.Cut(errs, "\n")
		if exit != 2 || out != "" || !strings.HasPrefix(first, "spectradiff: ") || !strings.Contains(first, test.want) {
			t.Errorf("spectradiff %s (%s): exit %d, output %q, error %q; want 2, nothing, one with %q", test.args,
				test.reason, exit, out, first, test.want)
		}
		if !strings.HasPrefix(rest, "run 'spectradiff help") || strings.Count(rest, "\n") != 1 {
			t.Errorf("spectradiff %s (%s): after the error %q; want one line with a hint", test.args, test.reason, rest)
		}
	}
}

func TestParse(t *testing.T) {
	for _, test := range []struct {
		args   string
		want   string
		seed   uint64
		reason string
	}{
		{"old new", "old|new", 1, "no flags"},
		{"--seed 7 old new", "old|new", 7, "before"},
		{"old -seed=7 new", "old|new", 7, "between, one dash"},
		{"old new ./... --seed 7", "old|new|./...", 7, "behind"},
		{"old -- --seed 7", "old|--seed|7", 1, "everything behind -- is an argument"},
		{"old -v new", "old|new", 1, "a boolean takes no argument"},
	} {
		set := new(settings)
		got, err := compareCommand().flags(set).parse(strings.Fields(test.args))
		if joined := strings.Join(got, "|"); err != nil || joined != test.want || set.seed != test.seed {
			t.Errorf("%s (%s): %s, seed %d, %v; want %s, seed %d", test.args, test.reason, joined, set.seed, err,
				test.want, test.seed)
		}
	}
}

func TestProgressPlain(t *testing.T) {
	var out bytes.Buffer
	clock := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	p := &progress{w: &out, now: func() time.Time { return clock }}
	p.update("building", 0, 0)
	p.update("building", 1, 2) // too soon
	clock = clock.Add(plainInterval)
	p.update("building", 2, 2)
	p.update("replaying", 5, 0)
	p.log("note %d", 1)
	p.end()
	if got, want := out.String(), "building\nbuilding: 2 of 2\nreplaying: 5\nnote 1\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestProgressLive(t *testing.T) {
	var out bytes.Buffer
	clock := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	p := &progress{w: &out, live: true, width: 12, now: func() time.Time { return clock }}
	p.update("building", 0, 0)
	p.log("note")
	p.update("replaying", 100, 200)
	p.width, p.began, p.limit = 80, clock.Add(-42*time.Second), 5*time.Minute
	p.update("judging", 0, 0)
	p.limit = 0
	p.update("proving", 1, 2)
	p.end()
	p.end()
	const clear = "\r\x1b[K"
	want := clear + "building" + clear + "note\n" + clear + "replaying: " +
		clear + "judging (42s, at most 4m18s left)" + clear + "proving: 1 of 2 (42s)" + clear
	if got := out.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
