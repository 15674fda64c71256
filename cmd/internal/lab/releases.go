package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
)

// commitReleases makes a repository of one or two releases of a module, tagged old and new.
func commitReleases(ctx context.Context, dir, module string, versions ...string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if err := git(ctx, dir, "init", "-q"); err != nil {
		return err
	}
	for i, version := range versions {
		if i > 0 {
			if err := git(ctx, dir, "rm", "-rqf", "."); err != nil {
				return err
			}
		}
		if err := unpack(ctx, module+"@"+version, dir); err != nil {
			return err
		}
		if err := commit(ctx, dir, []string{"old", "new"}[i]); err != nil {
			return err
		}
	}
	return nil
}

// commit commits all files, and tags that.
func commit(ctx context.Context, dir, tag string) error {
	for _, args := range [][]string{{"add", "-A", "-f"}, {"commit", "-q", "--allow-empty", "-m", tag}, {"tag", tag}} {
		if err := git(ctx, dir, args...); err != nil {
			return err
		}
	}
	return nil
}

func git(ctx context.Context, dir string, args ...string) error {
	_, err := gitOutput(ctx, dir, args...)
	return err
}

func gitOutput(ctx context.Context, dir string, args ...string) (string, error) {
	return gitInput(ctx, dir, nil, args...)
}

// gitInput runs git with a standard input.
func gitInput(ctx context.Context, dir string, in io.Reader, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{
		"-c", "user.name=lab", "-c", "user.email=lab@localhost", "-c", "commit.gpgsign=false",
		"-c", "core.autocrlf=false",
	}, args...)...)
	cmd.Dir, cmd.Stdin = dir, in
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %.300s", args[0], err, stderr.Bytes())
	}
	return string(out), nil
}

// unpack fetches a release, and copies its files into a folder.
func unpack(ctx context.Context, release, dir string) error {
	out, err := goCommand(ctx, filepath.Dir(dir), "mod", "download", "-json", release)
	if err != nil {
		return err
	}
	var got struct{ Dir string }
	if err := json.Unmarshal(out, &got); err != nil {
		return fmt.Errorf("download %s: %w", release, err)
	}
	if err := os.CopyFS(dir, os.DirFS(got.Dir)); err != nil {
		return fmt.Errorf("copy %s: %w", release, err)
	}
	return nil
}

func goCommand(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=-buildvcs=false")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w: %.3000s%.3000s", strings.Join(args, " "), err, stderr.Bytes(), out)
	}
	return out, nil
}

// errUncompared says that a comparison ended without a report.
var errUncompared = errors.New("spectradiff has no report")

// A tool is the built command.
type tool struct {
	path string
	env  []string // beside that of this process
}

// find makes the path absolute. It is an error if there is no such file.
func (t *tool) find() error {
	if _, err := os.Stat(t.path); err != nil {
		return fmt.Errorf("%w; make build builds it", err)
	}
	path, err := filepath.Abs(t.path)
	if err != nil {
		return err
	}
	t.path = path
	return nil
}

// compare compares what some arguments name in a repository. What a comparison found is no error, whatever it is.
func (t tool) compare(ctx context.Context, repository string, args ...string) (*report.Report, error) {
	return t.run(ctx, "compare", repository, args...)
}

// run runs a subcommand in a repository that prints a report.
func (t tool) run(ctx context.Context, name, repository string, args ...string) (*report.Report, error) {
	own := []string{name, "-C", repository, "--no-progress", "--format", "json"}
	cmd := exec.CommandContext(ctx, t.path, append(own, args...)...)
	cmd.Env = append(os.Environ(), t.env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		return nil, err
	}
	r := &report.Report{}
	if unread := json.Unmarshal(out.Bytes(), r); unread != nil {
		return nil, fmt.Errorf("%w: %s", errUncompared, cmp.Or(strings.TrimSpace(errs.String()), unread.Error()))
	}
	return r, nil
}
