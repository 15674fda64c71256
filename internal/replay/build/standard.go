package build

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/buildcache"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
)

// A GoTree is the go command that tests may start.
type GoTree struct {
	Root     string // GOROOT
	Standard string // a build cache, to be read only, with the standard library as that go command compiles it
}

// Environment returns the variables with which that go command runs, and what it must see. It puts what it compiles in
// the folder own. It has no network, and no C compiler: it would compile runtime/cgo again each time.
func (t *GoTree) Environment(own string) (env, seen []string) {
	through, program := buildcache.Variable(t.Standard, own)
	env = append(t.settings(), "GOCACHE="+own, through)
	return env, []string{t.Root, t.Standard, program}
}

func (t *GoTree) settings() []string {
	return []string{
		"GOROOT=" + t.Root, "GOTOOLCHAIN=local", "GOPROXY=off", "CGO_ENABLED=0",
		"TEST_TELEMETRY_DIR=/dev/null/none", // its counters would be files that the test wrote
	}
}

// GoTree returns the go command of the toolchain that a module selects. The standard library is compiled once for each
// toolchain.
func (b *Builder) GoTree(ctx context.Context, dir string, env []string, folders gocommand.Folders) (*GoTree, error) {
	said, err := b.selects(ctx, Request{Dir: dir, Env: env, Folders: folders})
	if err != nil {
		return nil, err
	}
	name := strings.Join([]string{"standard", said.version, runtime.GOOS, runtime.GOARCH}, "-")
	t := &GoTree{Root: said.root, Standard: b.Cache.Hold(cache.Toolchains, name)}
	if _, complete := b.Cache.Sealed(t.Standard); complete {
		return t, nil
	}
	if err := os.MkdirAll(t.Standard, 0o777); err != nil {
		return nil, fmt.Errorf("folder of the compiled standard library: %w", err)
	}
	command := gocommand.Command{
		Path: filepath.Join(t.Root, "bin", "go"), Dir: t.Standard,
		Env: append(gocommand.Environment(nil), append(t.settings(),
			"GOCACHE="+t.Standard, "GOFLAGS=", "GOENV=off", "GOWORK=off", "GO111MODULE=off")...),
		Folders: folders, Copied: t.Standard,
	}
	if _, errs, err := b.Go.Run(ctx, command, "build", "std"); err != nil {
		return nil, fmt.Errorf("compile the standard library: %w: %s", err, strings.TrimSpace(errs))
	}
	if err := readable(t.Standard); err != nil {
		return nil, err
	}
	return t, cache.Seal(t.Standard)
}

// readable lets the users of drivers read a folder, whatever the user's umask.
func readable(folder string) error {
	return filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return fmt.Errorf("compiled standard library: %w", err)
		}
		if entry.IsDir() {
			return os.Chmod(path, 0o755)
		}
		return os.Chmod(path, 0o644)
	})
}
