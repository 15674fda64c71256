// Package build writes and builds the drivers of both versions. A driver is the program that contains the instrumented
// packages of one version and runs sequences on them.
//
// Input: a type-checked version, the common surface of both versions, the package names that instrumenting gave to main
// packages, overlay files, and the environment of the go command.
//
// Output: Write returns overlay files. In each driven package they add a table of its operations and types; a main
// package imports them all and calls the executor (spectra/rt/driver). Build returns an executable in the cache. It is
// built again if anything in its key has changed: the content of the overlay, the module's folder, the folders outside
// the version that the build may read, the toolchain, the compilers of cgo, what else of the environment decides what
// is built (gocommand.Runner.Deciding), or this program.
//
// The same input gives the same source, formatted by gofmt. A package gets nothing but init functions and, for a type
// that states show by its observers, one unexported method. A binary keeps all its warnings, even when it comes from
// the cache. Write never touches the disk. Build never writes into the module's folder.
package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A Builder builds drivers.
type Builder struct {
	Cache *cache.Cache // holds overlays and binaries
	Go    *gocommand.Runner
	Salt  string // stands for the tool's program, part of every key
	Log   func(format string, args ...any)

	Selections *Selections // which toolchains were found; nil: each is asked for

	// Linking is held alone while a large program is linked, see turn; nil: nothing waits.
	Linking *sync.RWMutex

	compiling sync.Mutex // held while packages are compiled, see compilePackages
}

// A Request describes the driver to build.
type Request struct {
	Name    string            // name in errors of BuildBoth, such as "old version (v1.2.0)"
	Dir     string            // the module's folder
	Package string            // the driver's main package: a path relative to Dir ("./main"), or an import path
	Overlay map[string][]byte // absolute path → content
	Samples string            // a Go file with further types for the driver's package, without its head; "": none
	Env     []string          // environment of the go command
	Folders gocommand.Folders // what the go command may use besides its usual folders
	Outside []string          // folders outside the version that the build may read; part of the key
	Sources string            // the module's folder in which tests run and look for their files; "": there are no tests
	Module  string            // path of the module in that folder
	Parts   map[string]string // packages of the version with files in the overlay, by import path → their folders
	Natives []Native          // packages that are not Go alone, sorted by path

	LowPriority bool // it is built beside what is more urgent

	beside bool     // the other version is built at the same time
	large  []string // packages of Parts with much source, in one of the versions that are built together
}

// A Binary is a built driver.
type Binary struct {
	Path      string
	GoVersion string   // of the toolchain that built it
	GoRoot    string   // its folder
	Patched   bool     // the runtime was extended, so map order, select and rand repeat under one seed
	Warnings  []string // all warnings about this binary, built now or earlier

	variants variants
}

// Zones returns the file of time zones that comes with the toolchain; "" if it comes without, as some distributions
// have it.
func (b *Binary) Zones() string {
	name := filepath.Join(b.GoRoot, "lib", "time", "zoneinfo.zip")
	if _, err := os.Stat(name); err != nil {
		return ""
	}
	return name
}

// BuildBoth builds the drivers of both versions at the same time. Both get the same kind of runtime, because different
// runtimes would cause differences. If one runtime can't be extended, neither is. The warning belongs to the binary
// whose runtime could not be extended. If only packages with generated files don't compile, or can't be linked, the
// error is a fault.List of those packages in both versions.
func (b *Builder) BuildBoth(ctx context.Context, r spectra.Pair[Request]) (spectra.Pair[*Binary], error) {
	var built spectra.Pair[*Binary]
	var faults spectra.Pair[fault.List]
	group, both := errgroup.WithContext(ctx)
	large := slices.Concat(r.Old.largeParts(), r.New.largeParts())
	r.Old.large, r.New.large = large, large
	for _, side := range spectra.Sides() {
		group.Go(func() error {
			request := *r.Of(side)
			request.beside = true
			err := b.buildSide(both, request, built.Of(side), b.Build)
			if errors.As(err, faults.Of(side)) {
				return nil // the other side may have some, too
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return built, err
	}
	if err := fault.Together(faults); err != nil || built.Old.Patched == built.New.Patched {
		return built, err
	}
	for _, side := range spectra.Sides() {
		if (*built.Of(side)).Patched {
			err := b.buildSide(ctx, *r.Of(side), built.Of(side), b.buildPlain)
			return built, err
		}
	}
	return built, nil
}

// buildSide builds the driver of one version with the given method of the builder.
func (b *Builder) buildSide(ctx context.Context, r Request, built **Binary,
	build func(context.Context, Request) (*Binary, error),
) (err error) {
	if *built, err = build(ctx, r); err != nil {
		return fmt.Errorf("%s: %w", r.Name, err)
	}
	return nil
}

// Build builds the driver. If that fails with the extended runtime, it builds with the plain one.
func (b *Builder) Build(ctx context.Context, r Request) (*Binary, error) {
	if !r.beside { // else BuildBoth has asked both versions
		r.large = r.largeParts()
	}
	t, err := b.findToolchain(ctx, r)
	if err != nil {
		return nil, err
	}
	built, err := b.build(ctx, r, t, true)
	if err == nil || !built.Patched || ctx.Err() != nil || errors.As(err, new(fault.List)) {
		return built, err
	}
	if again, failed := b.build(ctx, r, t, true); failed == nil {
		return again, nil // the runtime is not the cause
	}
	plain, failed := b.build(ctx, r, t, false)
	if failed != nil {
		return nil, failed
	}
	b.Log("with the extended runtime: %v", err)
	plain.Warnings = append(plain.Warnings, unextended(t.version, err))
	return plain, nil
}

// buildPlain builds the driver with the unchanged runtime of the Go release.
func (b *Builder) buildPlain(ctx context.Context, r Request) (*Binary, error) {
	t, err := b.findToolchain(ctx, r)
	if err != nil {
		return nil, err
	}
	return b.build(ctx, r, t, false)
}

func unextended(version string, err error) string {
	const text = "the runtime of %s could not be extended, so map order and random numbers differ from run to run, " +
		"and more values count as noise: %s"
	return fmt.Sprintf(text, version, firstLines(err.Error(), 3))
}

// build builds the driver, with the extended runtime if that is wanted and possible. On an error it also returns the
// failed binary with its warnings.
func (b *Builder) build(ctx context.Context, r Request, t toolchain, extend bool) (*Binary, error) {
	built := &Binary{GoVersion: t.version, GoRoot: t.root}
	files, err := overlay(r, t.root, extend, built)
	if err != nil {
		return built, err
	}
	return built, b.compile(ctx, r, t, files, built)
}

// compile runs go build, unless the cache has the binary.
func (b *Builder) compile(ctx context.Context, r Request, t toolchain, files map[string][]byte, built *Binary) error {
	flags := flagsFor(t, built, slices.Clone(r.large))
	if r.Sources != "" {
		flags = withSources(flags, gocommand.Flags(t.env), r.Module, r.Sources)
	}
	dir := b.Cache.Hold(cache.Drivers, b.key(r, files, built, flags))
	built.Path = filepath.Join(dir, "driver")
	if _, ok := b.Cache.Sealed(built.Path); ok {
		b.Log("driver from the cache, %s", built.Path)
		return nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	part, err := os.MkdirTemp(dir, "part-")
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	defer os.RemoveAll(part)
	output := filepath.Join(part, "driver")
	if err := b.goBuild(ctx, r, t, files, dir, output, flags); err != nil {
		return fmt.Errorf("go build of the driver: %w", err)
	}
	if err := os.Chmod(output, 0o755); err != nil { // the sandbox runs it as another user
		return fmt.Errorf("cache: %w", err)
	}
	return cache.Place(output, built.Path)
}

// flagsFor returns the build flags for the extended or the plain runtime. Nobody debugs a driver, so it is built
// without what debuggers need, unless the user has flags of his own for that. Dependencies, which most programs have
// many of and run little of, are compiled without inlining: that takes a quarter less time. So are large packages:
// that takes a quarter less memory.
func flagsFor(t toolchain, built *Binary, large []string) []string {
	flags, given := []string{"-trimpath", "-buildvcs=false", "-buildmode=pie"}, gocommand.Flags(t.env)
	if _, had := gocommand.WithoutFlags(given, "-gcflags", "-ldflags"); len(had) == 0 {
		flags = append(flags, "-gcflags=all=-dwarf=false -l", linkerFlags)
		for _, inlined := range []string{"std", spectra.RuntimePath + "/...", "./..."} {
			flags = append(flags, "-gcflags="+inlined+"=-dwarf=false")
		}
		slices.Sort(large)
		for _, pkg := range slices.Compact(large) {
			flags = append(flags, "-gcflags="+pkg+"=-dwarf=false -l")
		}
	}
	if built.Patched {
		tags := append(gocommand.Tags(given), "zspectra_runtime")
		flags = append(flags, "-tags", strings.Join(tags, ","))
	}
	return flags
}

// muchSource is from how many bytes of instrumented source on a package is large. The compiler takes some 250 times as
// much.
const muchSource = 3 << 20

// largeParts returns the packages of the version with much source in the overlay, as those have that come with long
// tests.
func (r *Request) largeParts() (large []string) {
	sizes := map[string]int{}
	for name, source := range r.Overlay {
		sizes[filepath.Dir(name)] += len(source)
	}
	for pkg, folder := range r.Parts {
		if sizes[folder] >= muchSource {
			large = append(large, pkg)
		}
	}
	return large
}

// linkerFlags is the flag of go build with those of the linker.
const linkerFlags = "-ldflags=-s -w"

// withSources has tests run in a folder, and runtime.Caller say that the sources of a module are there. The flags
// that the user gives the linker are kept. Those without a pattern are for the driver.
func withSources(flags []string, given, module, folder string) []string {
	own := gocommand.Join([]string{
		"-X=testing.testBinary=1", "-X=runtime.zspectra_module=" + module, "-X=runtime.zspectra_folder=" + folder,
		"-X=" + spectra.RuntimePath + "/suite.module=" + folder,
	})
	flags = slices.Clone(flags)
	if i := slices.Index(flags, linkerFlags); i >= 0 {
		flags[i] += " " + own
		return flags
	}
	for _, value := range gocommand.Values(given, "ldflags") {
		if flags = append(flags, "-ldflags="+value); strings.HasPrefix(value, "-") {
			own = value + " " + own
		}
	}
	return append(flags, "-ldflags="+own)
}

// goBuild runs go build with files laid over the version. It leaves these files in a folder. Its error is the list of
// faults in the command's output. If there are none, it contains the output.
func (b *Builder) goBuild(
	ctx context.Context, r Request, t toolchain, files map[string][]byte, dir, output string, flags []string,
) error {
	if ctx.Err() != nil { // a run may end early, and files of large programs take seconds to write
		return ctx.Err()
	}
	laid, err := writeOverlay(dir, files)
	if err != nil {
		return err
	}
	command := gocommand.Command{
		Path: t.command, Dir: r.Dir, Env: bounded(t.env), Folders: t.folders, LowPriority: r.LowPriority,
	}
	command.Folders.Write = append(slices.Clone(command.Folders.Write), dir)
	args := append([]string{"build", "-o", output, "-overlay", laid}, flags...)
	args = append(args, r.Package)
	if r.beside {
		b.compilePackages(ctx, command, append([]string{"-overlay", laid}, flags...), r.Package)
		defer b.turn()() // what is left is to link
	}
	b.Log("go %s", strings.Join(args, " "))
	out, errs, err := b.Go.Run(ctx, command, args...)
	if err == nil {
		return nil
	}
	printed := r.original(out+errs, files)
	if found := r.faults(printed); len(found) > 0 && ctx.Err() == nil {
		b.Log("go build: %v\n%s", err, firstLines(printed, 50))
		return found
	}
	return fmt.Errorf("%w\n%s", err, firstLines(printed, 20))
}

// muchHeld is from how many bytes on that the tool holds builds take turns, with what it will give back.
const muchHeld = 300 << 20

// turn waits until no other program is linked, where the tool holds much itself: then they are large, and each linker
// takes as much once more. What the tool does not use it gives back first. The function that it returns ends the turn.
func (b *Builder) turn() func() {
	if b.Linking == nil {
		return func() {}
	}
	var m runtime.MemStats
	if runtime.ReadMemStats(&m); m.Sys-m.HeapReleased < muchHeld {
		b.Linking.RLock()
		return b.Linking.RUnlock
	}
	b.Linking.Lock()
	debug.FreeOSMemory()
	return b.Linking.Unlock
}

// Compilers and linkers may leave twice as much garbage as Go's default says, which saves a seventh of their time, and
// spend more on collecting it from a size on, each of them, unless the user decides with GOMEMLIMIT or GOGC.
const (
	compilerGarbage = "GOGC=200"
	compilerMemory  = "GOMEMLIMIT=700MiB"
)

// bounded returns an environment in which compilers are quick where they are small, and take little more memory than
// they need where they are large.
func bounded(env []string) []string {
	decided := func(entry string) bool {
		return strings.HasPrefix(entry, "GOMEMLIMIT=") || strings.HasPrefix(entry, "GOGC=")
	}
	if slices.ContainsFunc(env, decided) {
		return env
	}
	return append(slices.Clone(env), compilerGarbage, compilerMemory)
}

// compilePackages compiles the packages of a driver, without linking it. Nearly all of them are the same in both
// versions: one build at a time finds what the other one compiled, two would compile it twice. What does not compile is
// reported by go build.
func (b *Builder) compilePackages(ctx context.Context, command gocommand.Command, flags []string, pkg string) {
	b.compiling.Lock()
	defer b.compiling.Unlock()
	args := append([]string{"list", "-e", "-deps", "-export", "-f", "{{.Name}}"}, flags...)
	if _, _, err := b.Go.Run(ctx, command, append(args, pkg)...); err != nil {
		b.Log("go list of the driver: %v", err)
	}
}

func firstLines(s string, n int) string {
	lines := strings.SplitAfterN(strings.TrimSpace(s), "\n", n+1)
	if len(lines) > n {
		lines[n] = "…"
	}
	return strings.Join(lines, "")
}

// key returns a hash of all inputs of a binary.
func (b *Builder) key(r Request, files map[string][]byte, built *Binary, flags []string) string {
	h := sha256.New()
	fmt.Fprintln(h, b.Salt, r.Dir, r.Package, built.GoVersion, built.Patched, flags)
	for _, folder := range r.Outside { // copies; their names identify content and origin
		fmt.Fprintf(h, "%q\n", folder)
	}
	fmt.Fprint(h, b.Go.Deciding(r.Env))
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintln(h, name, len(files[name]))
		h.Write(files[name])
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}
