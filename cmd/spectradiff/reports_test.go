package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/cmd/internal/lab/known"
)

// reportsFolder is the environment variable with the folder for the reports. If it is empty, nothing is
// saved.
const reportsFolder = "SPECTRADIFF_REPORTS"

// saved runs the command as a script does. A command that compares also saves its text and its JSON in
// the folder for reports, and the demo saves its output. The files are named after the script and
// numbered.
func saved(args []string, in io.Reader, out, errs io.Writer) int {
	folder := os.Getenv(reportsFolder)
	if folder == "" || len(args) == 0 || args[0] != "compare" && args[0] != "demo" {
		return run(args, in, out, errs)
	}
	script := strings.TrimPrefix(filepath.Base(os.Getenv("WORK")), "script-")
	var name string
	for n := 1; ; n++ {
		name = filepath.Join(folder, fmt.Sprintf("%s-%d", script, n))
		if _, err := os.Stat(name + ".exit"); err != nil {
			break
		}
	}
	var printed bytes.Buffer
	if args[0] == "compare" {
		args = append([]string{args[0], "--out", "json=" + name + ".json", "--out", "text=" + name + ".txt"},
			args[1:]...)
	} else {
		out = io.MultiWriter(out, &printed)
	}
	exit := run(args, in, out, errs)
	if printed.Len() > 0 {
		if err := os.WriteFile(name+".txt", printed.Bytes(), 0o666); err != nil {
			panic(err)
		}
	}
	if err := os.WriteFile(name+".exit", fmt.Appendln(nil, exit), 0o666); err != nil {
		panic(err)
	}
	for _, extension := range []string{".json", ".txt"} {
		if err := withoutPlace(name + extension); err != nil && !os.IsNotExist(err) {
			panic(err)
		}
	}
	return exit
}

// withoutPlace removes from a report what differs in every run: durations and folders.
func withoutPlace(name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	text = durations.ReplaceAll(text, []byte(`"seconds": 0`))
	if work := os.Getenv("WORK"); work != "" {
		text = bytes.ReplaceAll(text, []byte(work), []byte("$WORK"))
	}
	return os.WriteFile(name, text, 0o666)
}

// TestSavePairs saves the reports of the known pairs. It also saves those of the repositories with the
// tags old and new that SPECTRADIFF_REPOSITORIES lists, separated by colons.
func TestSavePairs(t *testing.T) {
	folder := os.Getenv(reportsFolder)
	if folder == "" {
		t.Skip("saves reports: testdata/same-reports")
	}
	for _, repository := range filepath.SplitList(os.Getenv("SPECTRADIFF_REPOSITORIES")) {
		savePair(t, filepath.Join(folder, filepath.Base(repository)), func(*testing.T) string { return repository })
	}
	for _, p := range known.Pairs() {
		if wanted(p.Module) {
			name := strings.ReplaceAll(p.Module+"@"+p.New, "/", "_")
			savePair(t, filepath.Join(folder, name),
				func(t *testing.T) string { return releases(t, p.Module, p.Old, p.New) })
		}
	}
}

func savePair(t *testing.T, name string, repository func(*testing.T) string) {
	t.Run(filepath.Base(name), func(t *testing.T) {
		_, out := compareReleases(t, repository(t), "--seed", "1", "--sequences", "300", "--out", "text="+name+".txt")
		if err := os.WriteFile(name+".json", out, 0o666); err != nil {
			t.Fatal(err)
		}
	})
}
