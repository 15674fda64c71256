package driver

// This file builds the programs of a version's tests, with probes in its packages.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Tests are the tests of a package, as they would be built on the extended runtime.
type Tests struct {
	Key    string // a hash of everything that the program is made of
	GoRoot string // folder of the toolchain that builds it

	builder   *Builder
	request   Request
	toolchain toolchain
	files     map[string][]byte
	flags     []string
}

// Tests prepares the tests of the package that a request names. Where the runtime can't be extended, there are none.
func (b *Builder) Tests(ctx context.Context, r Request) (*Tests, error) {
	t, err := b.findToolchain(ctx, r)
	if err != nil {
		return nil, err
	}
	of := &Binary{GoVersion: t.version, GoRoot: t.root}
	files, err := overlay(r, t.root, true, of)
	if err == nil && !of.Patched {
		err = errors.New("the runtime could not be extended")
	}
	if err != nil {
		return nil, err
	}
	flags := append([]string{"test", "-c", "-vet=off"}, flagsFor(t, of)...)
	return &Tests{
		Key: b.key(r, files, of, flags), GoRoot: t.root,
		builder: b, request: r, toolchain: t, files: files, flags: flags,
	}, nil
}

// Build builds the program in a folder and returns its path. Nothing of it is kept for later runs.
func (t *Tests) Build(ctx context.Context, dir string) (string, error) {
	output := filepath.Join(dir, "tests")
	args := append(t.flags, "-o", output)
	if err := t.builder.goBuild(ctx, t.request, t.toolchain, t.files, dir, args); err != nil {
		return "", fmt.Errorf("go test -c: %w", err)
	}
	if err := os.Chmod(output, 0o755); err != nil { // the sandbox runs it as another user; without tests there is none
		return "", fmt.Errorf("tests: %w", err)
	}
	return output, nil
}
