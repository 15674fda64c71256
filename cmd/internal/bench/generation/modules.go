package generation

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
)

// A module is a released module.
type module struct{ name, kind string }

// modules are libraries of different kinds with few dependencies.
var modules = []module{
	{"github.com/BurntSushi/toml@v1.6.0", "encoding"},
	{"github.com/Masterminds/semver/v3@v3.4.0", "versions"},
	{"github.com/andybalholm/cascadia@v1.3.3", "HTML"},
	{"github.com/bits-and-blooms/bitset@v1.24.4", "bits"},
	{"github.com/emirpasic/gods@v1.18.1", "containers"},
	{"github.com/go-ozzo/ozzo-validation/v4@v4.3.0", "validation"},
	{"github.com/google/uuid@v1.6.0", "identifiers"},
	{"github.com/gorilla/mux@v1.8.1", "HTTP"},
	{"github.com/huandu/xstrings@v1.5.0", "text"},
	{"github.com/mitchellh/mapstructure@v1.5.0", "reflection"},
	{"github.com/montanaflynn/stats@v0.7.1", "statistics"},
	{"github.com/robfig/cron/v3@v3.0.1", "time"},
	{"github.com/russross/blackfriday/v2@v2.1.0", "Markdown"},
	{"github.com/shopspring/decimal@v1.4.0", "numbers"},
	{"github.com/spf13/pflag@v1.0.6", "command lines"},
	{"github.com/tidwall/gjson@v1.18.0", "JSON"},
}

func (of module) wanted(parts []string) bool {
	return len(parts) == 0 ||
		slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(of.name, part) })
}

// released tags the only commit of a module.
const released = "released"

// fetch makes a repository of a module.
func (m *measuring) fetch(ctx context.Context, of module, dir string) error {
	out, err := m.command(ctx, gocommand.Command{Dir: m.Dir, Network: true}, "mod", "download", "-json", of.name)
	if err != nil {
		return err
	}
	var got struct{ Dir string }
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		return fmt.Errorf("download %s: %w", of.name, err)
	}
	if err := copyTree(dir, got.Dir); err != nil {
		return err
	}
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "-A", "-f"}, {"commit", "-q", "-m", released}, {"tag", released},
	} {
		if err := git(ctx, dir, args...); err != nil {
			return err
		}
	}
	return nil
}

// command runs a go command, confined.
func (m *measuring) command(ctx context.Context, c gocommand.Command, args ...string) (string, error) {
	c.Env = append(m.run.Environment(os.Environ()), "GOWORK=off")
	out, errs, err := m.run.Run(ctx, c, args...)
	if err != nil {
		return out, fmt.Errorf("%s: %w: %.9000s%.9000s", strings.Join(args[:min(2, len(args))], " "), err, errs, out)
	}
	return out, nil
}

// copyTree copies files so that they may be changed.
func copyTree(to, from string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	return filepath.WalkDir(to, func(name string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Chmod(name, 0o777)
	})
}

func git(ctx context.Context, dir string, args ...string) error {
	cmd := exec.CommandContext(ctx, "git", append([]string{
		"-c", "user.name=bench", "-c", "user.email=bench@localhost", "-c", "commit.gpgsign=false",
		"-c", "core.autocrlf=false",
	}, args...)...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %.300s", args[0], err, out)
	}
	return nil
}

// withoutTests removes the test files below a folder.
func withoutTests(dir string) error {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		return os.Remove(name)
	})
}
