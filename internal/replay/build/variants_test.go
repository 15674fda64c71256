package build

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// TestVariant checks that the main seed runs the driver itself, and that each other seed runs one fixed variant, which
// begins like the driver and is executable.
func TestVariant(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux runs programs with other bytes behind them")
	}
	folder := t.TempDir()
	content := []byte("a driver")
	binary := &Binary{Path: filepath.Join(folder, "driver")}
	if err := os.WriteFile(binary.Path, content, 0o755); err != nil {
		t.Fatal(err)
	}
	files := map[string]int64{}
	for seed := uint64(wire.MainSeed); seed < wire.MainSeed+20; seed++ {
		path, err := binary.Variant(seed, folder)
		if err != nil {
			t.Fatal(err)
		}
		if again, err := binary.Variant(seed, folder); again != path || err != nil {
			t.Errorf("seed %d: %s, then %s (%v)", seed, path, again, err)
		}
		got, err := os.ReadFile(path)
		if err != nil || !bytes.HasPrefix(got, content) || (seed == wire.MainSeed) != (path == binary.Path) {
			t.Errorf("seed %d: %s with %q (%v)", seed, path, got, err)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm()&0o111 != 0o111 {
			t.Errorf("seed %d: %v (%v), want what everybody may execute", seed, info, err)
		}
		files[path] = info.Size()
	}
	sizes := map[int64]bool{}
	for _, size := range files {
		sizes[size] = true
	}
	if len(files) != 1+variantsOfOne || len(sizes) != len(files) {
		t.Errorf("files %v: want %d of different sizes", files, 1+variantsOfOne)
	}
	if _, err := (&Binary{Path: filepath.Join(folder, "missing")}).Variant(wire.MainSeed+1, folder); err == nil {
		t.Error("a driver that is gone has a variant")
	}
}
