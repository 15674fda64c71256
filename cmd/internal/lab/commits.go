package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/lab/spread"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/report"
)

// What a commit must be to be chosen: small, as a pull request that somebody reviews.
const (
	commitFiles                 = 8
	commitLeast, commitMost     = 4, 150      // lines added and removed
	historyLength               = 400         // commits of the first-parent history that are looked at
	queryBudget, queryTimeLimit = "1s", "15m" // compiling what a repository needs for the first time takes long
)

// A commits measures single commits of repositories.
type commits struct {
	tool     tool
	per      int
	only     []string
	neighbor bool
	limit    time.Duration
	dir      string
}

// A small is a small commit of a repository.
type small struct {
	hash, module string // module is the folder of the module that it changes, relative to the repository
	packages     []string
	files, lines int
}

// runCommits compares the newest small commits of clones of repositories with their parents, each with an empty cache
// of the tool, and prints a row for each.
func runCommits(ctx context.Context, dir string, args []string) error {
	c := commits{dir: dir}
	flags := flag.NewFlagSet("commits", flag.ExitOnError)
	flags.StringVar(&c.tool.path, "command", "bin/spectradiff", "the built command: `FILE`")
	flags.IntVar(&c.per, "per", 3, "commits of each repository: `N`")
	flags.DurationVar(&c.limit, "timeout", 5*time.Minute, "for a comparison: `TIME`")
	flags.BoolVar(&c.neighbor, "again", true, "compare once more after the commit before was compared")
	only := flags.String("commits", "", "these in place of the newest: `LIST` of hashes, one a repository")
	_ = flags.Parse(args) // it exits by itself
	if err := c.tool.find(); err != nil {
		return err
	}
	if flags.NArg() == 0 {
		return errors.New("no repository: want folders of clones, or of their git directories")
	}
	if *only != "" {
		c.only = strings.Split(*only, ",")
	}
	fmt.Println("| repository | commit | files | lines | verdict | tier of the first root | recorded | beyond " +
		"| functions | to the first play, s | again, s | whole run, s | tool, MB | what it starts, MB " +
		"| changed statements run | go vet, s | first play / go vet |")
	fmt.Println("|" + strings.Repeat("---|", 17))
	var all []*costs
	for _, repository := range flags.Args() {
		found, err := c.repository(ctx, repository)
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	sumUpCosts(all)
	return nil
}

// repository measures the commits of one repository.
func (c *commits) repository(ctx context.Context, of string) (all []*costs, err error) {
	name := repositoryName(of)
	clone := filepath.Join(c.dir, name)
	if err := git(ctx, c.dir, "clone", "-q", "--shared", "--no-checkout", of, clone); err != nil {
		return nil, err
	}
	defer os.RemoveAll(clone)
	chosen, err := chooseCommits(ctx, clone, c.only, c.per)
	if err != nil {
		return nil, err
	}
	for _, s := range chosen {
		cost, err := c.measure(ctx, clone, s)
		if ctx.Err() != nil {
			return all, ctx.Err()
		}
		if err != nil {
			why := firstLine(err.Error())
			fmt.Printf("| %s | %.12s | %d | %d | no report: %s |\n", name, s.hash, s.files, s.lines, why)
			continue
		}
		cost.print(name)
		all = append(all, cost)
	}
	return all, nil
}

// repositoryName returns what a repository is called that lies in a folder.
func repositoryName(folder string) string {
	name := filepath.Base(folder)
	if name == "repo" || name == ".git" {
		name = filepath.Base(filepath.Dir(folder))
	}
	return name
}

// chooseCommits returns the newest small commits, the oldest first; with only, those of these hashes that there are.
func chooseCommits(ctx context.Context, clone string, only []string, most int) (list []small, err error) {
	log := []string{"log", "--no-merges", "--first-parent", "--format=%H", "-n", strconv.Itoa(historyLength)}
	history, err := gitOutput(ctx, clone, log...)
	if err != nil {
		return nil, err
	}
	hashes := strings.Fields(history)
	if only != nil {
		hashes = slices.DeleteFunc(slices.Clone(only), func(hash string) bool {
			return git(ctx, clone, "cat-file", "-e", hash+"^{commit}") != nil
		})
	}
	for _, hash := range hashes {
		s, err := sizeOf(ctx, clone, hash)
		if err != nil {
			return nil, err
		}
		if only == nil && (s.files == 0 || s.files > commitFiles || s.lines < commitLeast || s.lines > commitMost) {
			continue
		}
		if list = append(list, s); len(list) == most && only == nil {
			break
		}
	}
	slices.Reverse(list)
	return list, nil
}

// sizeOf counts what a commit changes in Go files that are not tests.
func sizeOf(ctx context.Context, clone, hash string) (small, error) {
	s := small{hash: hash}
	out, err := gitOutput(ctx, clone, "diff", "--numstat", hash+"^", hash)
	if err != nil {
		return s, err
	}
	modules := map[string]int{}
	for line := range strings.Lines(out) {
		var added, removed int
		var file string
		if n, _ := fmt.Sscanf(line, "%d\t%d\t%s", &added, &removed, &file); n != 3 || !isCode(file) {
			continue
		}
		module := moduleOf(ctx, clone, hash, path.Dir(file))
		if module == "" {
			continue
		}
		s.files, s.lines = s.files+1, s.lines+added+removed
		if modules[module]++; modules[module] > modules[s.module] {
			s.module = module
		}
		s.packages = append(s.packages, path.Dir(file))
	}
	slices.Sort(s.packages)
	s.packages = slices.Compact(s.packages)
	return s, nil
}

// isCode reports whether a file is one of Go's that is part of the program, and written by people.
func isCode(file string) bool {
	in := "/" + file
	return strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go") &&
		!strings.HasSuffix(file, ".pb.go") && !strings.Contains(in, "/testdata/") && !strings.Contains(in, "/vendor/")
}

// moduleOf returns the folder of the module that a folder belongs to; "" = none.
func moduleOf(ctx context.Context, clone, hash, folder string) string {
	for ; ; folder = path.Dir(folder) {
		if git(ctx, clone, "cat-file", "-e", hash+":"+path.Join(folder, "go.mod")) == nil {
			return folder
		}
		if folder == "." {
			return ""
		}
	}
}

// costs are what comparing a commit took.
type costs struct {
	small

	report *report.Report
	first  float64 // seconds until sequences can be played
	whole  time.Duration
	again  float64 // as first, once the commit before was compared; negative: not measured
	vet    time.Duration
}

// firstPlay returns the seconds until sequences can be played, by the trace of a run.
func firstPlay(trace string) (float64, error) {
	r, err := fromTrace(trace, spread.Read)
	if err != nil {
		return 0, err
	}
	return r.Ready.Seconds(), nil
}

// measure compares a commit with its parent, with an empty cache of the tool but for what the go command keeps.
func (c *commits) measure(ctx context.Context, clone string, s small) (*costs, error) {
	cost := &costs{small: s, again: -1}
	folderOfCache := filepath.Join(c.dir, "cache")
	defer os.RemoveAll(folderOfCache)
	of := c.tool
	of.env = []string{cache.FolderVariable + "=" + folderOfCache}
	folder, trace := filepath.Join(clone, s.module), filepath.Join(c.dir, "trace")
	defer os.Remove(trace)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	compare := func(args ...string) (*report.Report, error) { return of.compare(ctx, folder, args...) }
	query := []string{
		"--trace", trace, "--budget", queryBudget, "--drive", "api", "--no-proof", "--timeout", queryTimeLimit,
	}
	// Only so that the go command has compiled what both need.
	if _, err := compare(append(query, s.hash+"^", s.hash)...); err != nil {
		return nil, err
	}
	err := os.RemoveAll(folderOfCache)
	if err != nil {
		return nil, err
	}
	if cost.vet, err = vet(ctx, clone, s); err != nil {
		cost.vet = 0 // a clone without all files has no work tree
	}
	began := time.Now()
	cost.report, err = compare("--trace", trace, "--timeout", c.limit.String(), s.hash+"^", s.hash)
	cost.whole = time.Since(began)
	if err != nil {
		return nil, err
	}
	if cost.first, err = firstPlay(trace); err != nil || !c.neighbor {
		return cost, err
	}
	if err := os.RemoveAll(folderOfCache); err != nil {
		return nil, err
	}
	if _, err := compare(append(query, s.hash+"^^", s.hash+"^")...); err != nil {
		return cost, nil // the history or the module begins here
	}
	if _, err := compare(append(query, s.hash+"^", s.hash)...); err != nil {
		return cost, nil
	}
	cost.again, err = firstPlay(trace)
	return cost, err
}

// vet times go vet of the packages that a commit touches, when it has vetted them in the commit before.
func vet(ctx context.Context, clone string, s small) (taken time.Duration, err error) {
	args := []string{"vet"}
	for _, p := range s.packages {
		if rel, err := filepath.Rel(s.module, p); err == nil && filepath.IsLocal(rel) {
			args = append(args, "./"+filepath.ToSlash(rel))
		}
	}
	for _, revision := range []string{s.hash + "^", s.hash} {
		if err := git(ctx, clone, "checkout", "-q", "-f", revision); err != nil {
			return 0, err
		}
		began := time.Now()
		cmd := exec.CommandContext(ctx, "go", args...)
		cmd.Dir = filepath.Join(clone, s.module)
		_ = cmd.Run() // what it finds is no error here
		taken = time.Since(began)
	}
	return taken, git(ctx, clone, "clean", "-qfdx")
}

// print prints a row.
func (c *costs) print(name string) {
	r := c.report
	verdict := string(r.Verdict)
	if r.Partial != nil {
		verdict += ", partial in " + r.Partial.Stage
	}
	tier := ""
	if len(r.Roots) > 0 {
		tier = string(r.Roots[0].Tier)
	}
	again := "–"
	if c.again >= 0 {
		again = fmt.Sprintf("%.1f", c.again)
	}
	vet, ratio := "–", "–"
	if c.vet > 0 {
		vet = fmt.Sprintf("%.1f", c.vet.Seconds())
		ratio = fmt.Sprintf("%.1f", c.first/c.vet.Seconds())
	}
	run := "–"
	if p := r.Generation.ChangedStatementCoverage; p != nil {
		run = fmt.Sprintf("%.0f %%", 100**p)
	}
	all := sum(r.Stages)
	fmt.Printf("| %s | %.12s | %d | %d | %s | %s | %d | %d | %d | %.1f | %s | %.1f | %d | %d | %s | %s | %s |\n",
		name, c.hash, c.files, c.lines, verdict, tier, r.Subject.Packages, r.Subject.Beyond, r.Subject.Functions,
		c.first, again, c.whole.Seconds(), all.PeakBytes>>20, all.StartedPeakBytes>>20, run,
		vet, ratio)
}

// sumUpCosts prints medians.
func sumUpCosts(all []*costs) {
	if len(all) == 0 {
		return
	}
	var first, again, whole []float64
	for _, c := range all {
		first, whole = append(first, c.first), append(whole, c.whole.Seconds())
		if c.again >= 0 {
			again = append(again, c.again)
		}
	}
	const text = "\n%d commits. To the first play: median %.1f s, most %.1f. "
	fmt.Printf(text, len(all), median(first), slices.Max(first))
	if len(again) > 0 {
		fmt.Printf("Again: median %.1f s, most %.1f. ", median(again), slices.Max(again))
	}
	fmt.Printf("Whole run: median %.1f s, most %.1f.\n", median(whole), slices.Max(whole))
}
