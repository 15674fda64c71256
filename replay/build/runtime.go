package build

// This file extends the target's runtime: a file with the recorder's hooks is added, and the
// places where the runtime makes random or timed choices are patched by text. A release in which
// a place does not look as expected is left alone.

import (
	_ "embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

//go:embed runtime/zspectra.go.txt
var runtimeSource []byte

// A patch replaces one piece of text that must occur exactly once.
type patch struct{ file, old, new string }

var runtimePatches = []patch{
	{"rand.go", "func rand() uint64 {\n", "func rand() uint64 {\n\tif gp := getg(); gp == gp.m.curg {\n\t\treturn zspectra_rand()\n\t}\n"},
	{"rand.go", "func maps_rand() uint64 {\n\treturn rand()\n", "func maps_rand() uint64 {\n\treturn zspectra_maprand()\n"},
	{"rand.go", "\tglobalRand.state.Init(*seed)\n", "\tzspectra_randinit(seed)\n\tglobalRand.state.Init(*seed)\n"},
	{"select.go", "cheaprandn(uint32(norder + 1))", "uint32(zspectra_rand() % uint64(norder+1))"},
	{"proc.go", "const forcePreemptNS = 10 * 1000 * 1000", "const forcePreemptNS = 1 << 60"},
}

// patchRuntime returns the overlay files for the runtime below goroot, or why there are none.
func patchRuntime(goroot string) (map[string][]byte, error) {
	dir := filepath.Join(goroot, "src", "runtime")
	files := map[string]string{}
	for _, p := range runtimePatches {
		text, ok := files[p.file]
		if !ok {
			b, err := os.ReadFile(filepath.Join(dir, p.file))
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
	overlay := map[string][]byte{filepath.Join(dir, "zspectra.go"): runtimeSource}
	for name, text := range files {
		overlay[filepath.Join(dir, name)] = []byte(text)
	}
	return overlay, nil
}
