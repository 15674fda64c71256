package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/spectradiff/spectradiff/replay/gocommand"
	"github.com/spectradiff/spectradiff/replay/repository"
)

// open finds out about a folder without loading packages: the module's path, its toolchain, and how the go
// command has to be called there.
func open(ctx context.Context, cfg Config) (*Version, error) {
	dir, err := filepath.Abs(cfg.Dir)
	if err != nil {
		return nil, fmt.Errorf("locate module folder: %w", err)
	}
	// The go command answers with resolved paths, and positions are cut by prefix.
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, fmt.Errorf("locate module folder: %w", err)
	}
	text, err := repository.ReadFile(dir, "go.mod")
	if err != nil {
		return nil, fmt.Errorf("read module file: %w", err)
	}
	v := &Version{Dir: dir, Module: modfile.ModulePath(text)}
	if v.Module == "" {
		return nil, fmt.Errorf("read %s: no module line; add one", filepath.Join(dir, "go.mod"))
	}
	env := cfg.Env
	if env == nil {
		env = os.Environ()
	}
	v.Env = append(gocommand.Environment(env), "GOPACKAGESDRIVER=off", "PWD="+dir)
	if err := v.chooseMode(ctx, cfg); err != nil {
		return nil, err
	}
	version, err := v.run(ctx, "env", "GOVERSION")
	if err != nil {
		return nil, fmt.Errorf("ask for the Go version of %s: %w", v.Module, err)
	}
	v.GoVersion = strings.TrimSpace(version)
	return v, nil
}

// chooseMode decides where dependencies come from: a workspace, the vendor folder, or module files that the
// go command completes.
func (v *Version) chooseMode(ctx context.Context, cfg Config) error {
	work, err := v.run(ctx, "env", "GOWORK")
	if err != nil {
		return fmt.Errorf("ask for the workspace of %s: %w", v.Module, err)
	}
	switch file := strings.TrimSpace(work); {
	case file == "off":
	case file != "" && v.inWorkspace(file, cfg.Root):
		return nil // the go command takes neither -mod=mod nor a foreign vendor folder there
	default:
		v.Env = append(v.Env, "GOWORK=off")
	}
	if v.vendored() {
		if _, err := v.withFlag("-mod=vendor").run(ctx, "list", "-e", "-f", "{{.ImportPath}}", "./..."); err == nil {
			v.Env = v.withFlag("-mod=vendor").Env
			return nil
		}
		v.Warnings = append(v.Warnings,
			"the vendor folder does not agree with go.mod: dependencies are taken from the module cache")
	}
	v.Env = v.withFlag("-mod=mod").Env
	return v.ownModuleFile(ctx, cfg)
}

// ownModuleFile makes the go command complete copies of go.mod and go.sum, so that the version's own files
// stay as they are.
func (v *Version) ownModuleFile(ctx context.Context, cfg Config) error {
	if cfg.ModFolder == "" {
		return nil
	}
	version, err := v.run(ctx, "env", "GOVERSION")
	if err != nil {
		return fmt.Errorf("ask for the Go version of %s: %w", v.Module, err)
	}
	// An older toolchain may not be able to read what another one completed.
	folder := filepath.Join(cfg.ModFolder, strings.TrimSpace(version))
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("copy module files: %w", err)
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := repository.ReadFile(v.Dir, name)
		if name == "go.sum" && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil {
			err = createOnce(filepath.Join(folder, name), withGoLine(name, text))
		}
		if err != nil {
			return fmt.Errorf("copy module files: %w", err)
		}
	}
	v.Env = append(v.Env, "GOFLAGS="+gocommand.WithFlag(v.flags(), "-modfile="+filepath.Join(folder, "go.mod")))
	return nil
}

// withGoLine adds the go line that a go.mod without one stands for. Else the go command would add its own
// version when it completes the file.
func withGoLine(name string, text []byte) []byte {
	if name != "go.mod" {
		return text
	}
	if parsed, err := modfile.ParseLax(name, text, nil); err != nil || parsed.Go != nil {
		return text
	}
	return append(bytes.Clone(text), "\ngo 1.16\n"...)
}

// createOnce writes a file unless it exists: an earlier run may have completed it.
func createOnce(name string, text []byte) error {
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	part, err := os.CreateTemp(filepath.Dir(name), "part-")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name())
	if _, err := part.Write(text); err != nil {
		return err
	}
	if err := part.Close(); err != nil {
		return err
	}
	return os.Rename(part.Name(), name)
}

// flags returns the value of GOFLAGS for go commands.
func (v *Version) flags() string {
	flags := ""
	for _, entry := range v.Env {
		if value, ok := strings.CutPrefix(entry, "GOFLAGS="); ok {
			flags = value
		}
	}
	return flags
}

// inWorkspace reports whether a workspace file is in the copy of the version and uses the module.
func (v *Version) inWorkspace(file, root string) bool {
	if root == "" {
		root = v.Dir
	}
	if resolved, err := filepath.EvalSymlinks(root); err == nil {
		root = resolved
	}
	rel, err := filepath.Rel(root, file)
	if err != nil || strings.HasPrefix(rel, "..") {
		return false
	}
	text, err := repository.ReadFile(root, rel)
	if err != nil {
		return false
	}
	parsed, err := modfile.ParseWork(file, text, nil)
	if err != nil {
		return false
	}
	for _, use := range parsed.Use {
		if filepath.Join(filepath.Dir(file), filepath.FromSlash(use.Path)) == v.Dir {
			return true
		}
	}
	return false
}

func (v *Version) vendored() bool {
	_, err := os.Stat(filepath.Join(v.Dir, "vendor", "modules.txt"))
	return err == nil
}

// withFlag returns a version that calls the go command with the -mod flag, replacing an earlier one.
func (v *Version) withFlag(flag string) *Version {
	changed := *v
	changed.Env = append(slices.Clone(v.Env), "GOFLAGS="+gocommand.WithFlag(v.flags(), flag))
	return &changed
}

// run calls the go command in the module's folder.
func (v *Version) run(ctx context.Context, args ...string) (string, error) {
	stdout, stderr, err := gocommand.Command{Dir: v.Dir, Env: v.Env}.Run(ctx, args...)
	if err != nil {
		return stdout, fmt.Errorf("go %s: %w: %s", args[0], err, v.relative(firstLines(stderr, 10)))
	}
	return stdout, nil
}

// relative makes paths inside the module relative to it.
func (v *Version) relative(text string) string {
	return strings.ReplaceAll(text, v.Dir+string(filepath.Separator), "")
}

func firstLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	if len(lines) > n {
		lines = append(lines[:n], "…")
	}
	return strings.Join(lines, "\n")
}

// firstLine returns the first line that holds a message: the compiler's output begins with "# package".
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return strings.TrimSpace(text)
}
