package build

// This file extends the target's runtime: a file with the recorder's hooks is added, and the
// places where the runtime makes random or timed choices, and where crypto/rand has its bytes
// from, are patched by text. A release in which
// a place does not look as expected is left alone.

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

//go:embed runtime
var runtimeSource embed.FS

// A patch replaces one piece of text that must occur exactly once.
type patch struct{ file, old, new string }

var runtimePatches = []patch{
	{"runtime/rand.go", "func rand() uint64 {\n", "func rand() uint64 {\n\tif gp := getg(); gp == gp.m.curg {\n\t\treturn zspectra_rand()\n\t}\n"},
	{"runtime/rand.go", "func maps_rand() uint64 {\n\treturn rand()\n", "func maps_rand() uint64 {\n\treturn zspectra_maprand()\n"},
	{"runtime/rand.go", "\tglobalRand.state.Init(*seed)\n", "\tzspectra_randinit(seed)\n\tglobalRand.state.Init(*seed)\n"},
	{"runtime/select.go", "cheaprandn(uint32(norder + 1))", "uint32(zspectra_rand() % uint64(norder+1))"},
	{"runtime/proc.go", "const forcePreemptNS = 10 * 1000 * 1000", "const forcePreemptNS = 1 << 60"},
	{"runtime/time.go", "\treturn time_now()\n", "\tif ns := zspectra_clock(); ns != 0 {\n\t\treturn ns / 1e9, int32(ns % 1e9), ns\n\t}\n\treturn time_now()\n"},
	{"runtime/time.go", "\treturn nanotime()\n", "\tif ns := zspectra_clock(); ns != 0 {\n\t\treturn ns\n\t}\n\treturn nanotime()\n"},
	{"runtime/time.go", "func timeSleep(ns int64) {\n", "func timeSleep(ns int64) {\n\tzspectra_sleep(ns)\n"},
	{"crypto/internal/sysrand/rand.go", "func Read(b []byte) {\n", `//
//go:linkname zspectra_rand runtime.zspectra_rand
func zspectra_rand() uint64

// Read fills b from the repeatable stream.
func Read(b []byte) {
	word := uint64(0)
	for i := range b {
		if i%8 == 0 {
			word = zspectra_rand()
		}
		b[i] = byte(word)
		word >>= 8
	}
}

func zspectra_read(b []byte) {
`},
}

// patchRuntime returns the overlay files for the runtime below goroot, or why there are none.
func patchRuntime(goroot string) (map[string][]byte, error) {
	dir := filepath.Join(goroot, "src")
	files := map[string]string{}
	for _, p := range runtimePatches {
		text, ok := files[p.file]
		if !ok {
			b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p.file)))
			if err != nil {
				return nil, fmt.Errorf("runtime of this Go release: %w", err)
			}
			text = string(b)
		}
		if n := strings.Count(text, p.old); n != 1 {
			return nil, fmt.Errorf("runtime of this Go release: %s has %d places like %q", p.file, n, p.old)
		}
		files[p.file] = strings.Replace(text, p.old, p.new, 1)
	}
	overlay, err := runtimeFiles(dir)
	if err != nil {
		return nil, err
	}
	for name, text := range files {
		overlay[filepath.Join(dir, filepath.FromSlash(name))] = []byte(text)
	}
	return overlay, nil
}

// runtimeFiles are the files that are added to package runtime in the folder of sources.
func runtimeFiles(dir string) (map[string][]byte, error) {
	added, err := runtimeSource.ReadDir("runtime")
	if err != nil {
		return nil, fmt.Errorf("embedded runtime: %w", err)
	}
	files := map[string][]byte{}
	for _, f := range added {
		source, err := runtimeSource.ReadFile("runtime/" + f.Name())
		if err != nil {
			return nil, fmt.Errorf("embedded runtime: %w", err)
		}
		name := "zspectra_" + strings.TrimSuffix(f.Name(), ".txt")
		files[filepath.Join(dir, "runtime", name)] = source
	}
	return files, nil
}
