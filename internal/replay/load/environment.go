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

	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/replay/module"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
)

// open examines a folder without loading packages: the module's path, its toolchain, and the environment of go
// commands.
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
	v := &Version{Dir: dir, Module: modfile.ModulePath(text), included: cfg.Included}
	if v.Module == "" {
		return nil, fmt.Errorf("read %s: no module line; add one", filepath.Join(dir, "go.mod"))
	}
	env := cfg.Env
	if env == nil {
		env = os.Environ()
	}
	v.runner = cfg.Go
	v.Env = append(v.runner.Environment(env), "GOPACKAGESDRIVER=off", "PWD="+dir)
	v.dropFlags()
	root := cfg.Root
	if root == "" {
		root = dir
	}
	v.Folders.Read = append([]string{root}, cfg.Outside...)
	workspace, err := v.askToolchain(ctx)
	if err != nil {
		return nil, err
	}
	sources := append(v.toolchain.sources, v.Folders.Read...)
	for _, folder := range v.Folders.Read { // the go command answers with resolved paths
		if resolved, err := filepath.EvalSymlinks(folder); err == nil {
			sources = append(sources, resolved)
		}
	}
	v.toolchain.sources = sources
	return v, v.chooseMode(ctx, cfg, workspace)
}

// askToolchain finds the toolchain of the version, its folder, and the workspace file in force. It fetches a missing
// toolchain.
func (v *Version) askToolchain(ctx context.Context) (workspace string, err error) {
	args := []string{"env", "GOVERSION", "GOROOT", "GOARCH", "GOMODCACHE", "GOCACHE", "GOWORK",
		"GOOS", "GOEXPERIMENT", "CGO_ENABLED", "CC"} // go env -w may have set these
	out, err := v.run(ctx, args...)
	if err != nil && v.fetch(ctx, "env", "GOVERSION") == nil {
		out, err = v.run(ctx, args...)
	}
	if err != nil {
		return "", fmt.Errorf("ask for the Go version of %s: %w", v.Module, err)
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != len(args)-1 {
		return "", fmt.Errorf("ask for the Go version of %s: unexpected answer %q", v.Module, out)
	}
	v.GoVersion, v.toolchain = lines[0], toolchain{
		root: lines[1], arch: lines[2], sources: lines[3:5:5], settings: lines[6:],
	}
	return lines[5], nil
}

// dropFlags removes flags from GOFLAGS that name other files than those of the commit, because a version consists of
// the files of its commit.
func (v *Version) dropFlags() {
	flags, dropped := gocommand.WithoutFlags(gocommand.Flags(v.Env), "-modfile", "-overlay")
	if len(dropped) == 0 {
		return
	}
	v.Env = append(v.Env, "GOFLAGS="+flags)
	for _, name := range dropped {
		v.Warnings = append(v.Warnings, name+" in GOFLAGS is not used: a version is built of its own files")
	}
}

// chooseMode decides where dependencies come from: a workspace, the vendor folder, or module files that the go command
// completes.
func (v *Version) chooseMode(ctx context.Context, cfg Config, file string) error {
	if file != "off" {
		if cfg.WorkFile != nil {
			return v.ownWorkFile(cfg)
		}
		if work := v.readWorkspace(file, cfg.Root); file != "" && work != nil {
			// With a workspace the go command accepts neither -mod=mod nor a foreign vendor folder.
			return v.ownWorkspace(file, work, cfg)
		}
		v.Env = append(v.Env, "GOWORK=off")
	}
	if module.HasVendor(v.Dir) {
		const failures = "{{with .Error}}{{.Err}}{{end}}"
		out, err := v.withFlag("-mod=vendor").run(ctx, "list", "-e", "-deps", "-f", failures, "./...")
		if err == nil && !strings.Contains(out, "disabled by -mod=vendor") { // else packages are not in it
			v.Env = v.withFlag("-mod=vendor").Env
			return nil
		}
		if cfg.Unvendored != nil {
			return cfg.Unvendored
		}
		v.Warnings = append(v.Warnings,
			"the vendor folder does not agree with go.mod: dependencies are taken from the module cache")
	}
	v.Env = v.withFlag("-mod=mod").Env
	return v.ownModuleFile(cfg)
}

// ownModuleFile makes the go command complete copies of go.mod and go.sum, so the version's own files stay unchanged.
func (v *Version) ownModuleFile(cfg Config) error {
	if cfg.ModFolder == "" {
		v.Folders.Write = append(v.Folders.Write, v.Dir)
		return nil
	}
	folder, err := v.moduleFolder(cfg)
	if err != nil {
		return err
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := repository.ReadFile(v.Dir, name)
		if name == "go.sum" && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if name == "go.mod" && cfg.ModFile != nil {
			text = cfg.ModFile
		}
		if err == nil && name == "go.mod" {
			text, err = v.replacing(withGoLine(text))
		}
		if err == nil {
			err = createOnce(filepath.Join(folder, name), text)
		}
		if err != nil {
			return fmt.Errorf("copy module files: %w", err)
		}
	}
	flag := "-modfile=" + filepath.Join(folder, "go.mod")
	v.Env = append(v.Env, "GOFLAGS="+gocommand.WithFlag(gocommand.Flags(v.Env), flag))
	return nil
}

// moduleFolder makes the folder for copies of module files. Each toolchain has its own, because an older one may not be
// able to read what a newer one completed.
func (v *Version) moduleFolder(cfg Config) (string, error) {
	folder := filepath.Join(cfg.ModFolder, v.GoVersion)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return "", fmt.Errorf("copy module files: %w", err)
	}
	v.Folders.Write = append(v.Folders.Write, folder)
	return folder, nil
}

// withGoLine adds the default go line to a go.mod without one. Otherwise the go command would add its own version when
// it completes the file.
func withGoLine(text []byte) []byte {
	if parsed, err := modfile.ParseLax("go.mod", text, nil); err != nil || parsed.Go != nil {
		return text
	}
	return append(bytes.Clone(text), "\ngo 1.16\n"...)
}

// createOnce writes a file unless it exists: an earlier run may have completed it.
func createOnce(name string, text []byte) error {
	if _, err := os.Stat(name); err == nil {
		return nil
	}
	return replaceFile(name, text)
}

// replaceFile writes a file that readers always find complete.
func replaceFile(name string, text []byte) error {
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

// withFlag returns a version whose go commands get the -mod flag, in place of an earlier one.
func (v *Version) withFlag(flag string) *Version {
	changed := *v
	changed.Env = append(slices.Clone(v.Env), "GOFLAGS="+gocommand.WithFlag(gocommand.Flags(v.Env), flag))
	return &changed
}

// run calls the go command in the module's folder.
func (v *Version) run(ctx context.Context, args ...string) (string, error) {
	stdout, stderr, err := v.runner.Run(ctx, gocommand.Command{
		Dir: v.Dir, Env: v.Env, Folders: v.Folders.With(v.exports.Folders),
	}, args...)
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

// firstLine returns the first line with a message: the compiler's output begins with "# package".
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return line
		}
	}
	return strings.TrimSpace(text)
}
