package build

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// variantsOfOne is the number of variants of one driver. Each is as large as the driver.
const variantsOfOne = 8

// variants are the existing variant files of one driver, by number.
type variants struct {
	mu   sync.Mutex
	made map[uint64]string
}

// Variant returns the file to run under a seed. For the main seed it is the driver itself. For other seeds it is a copy
// with other bytes at the end, made on demand in the given folder. Programs that read their own executable to get a
// number for their build vary with it, as protobuf varies its texts. Values that depend on it are then seen to vary and
// are not compared.
func (b *Binary) Variant(seed uint64, folder string) (string, error) {
	if seed <= wire.MainSeed || runtime.GOOS != "linux" { // elsewhere a signature may cover all bytes
		return b.Path, nil
	}
	n := (seed-wire.MainSeed-1)%variantsOfOne + 1
	b.variants.mu.Lock()
	defer b.variants.mu.Unlock()
	if path := b.variants.made[n]; path != "" {
		return path, nil
	}
	path, err := b.vary(n, folder)
	if err != nil {
		return "", fmt.Errorf("vary the bytes of the driver: %w", err)
	}
	if b.variants.made == nil {
		b.variants.made = map[uint64]string{}
	}
	b.variants.made[n] = path
	return path, nil
}

// vary writes the n-th variant. Variants differ in size too.
func (b *Binary) vary(n uint64, folder string) (string, error) {
	from, err := os.Open(b.Path)
	if err != nil {
		return "", err
	}
	defer from.Close()
	dir, err := os.MkdirTemp(folder, "variant-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, filepath.Base(b.Path))
	to, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return "", err
	}
	if _, err = io.Copy(to, from); err == nil {
		_, err = to.Write(bytes.Repeat([]byte{byte(n)}, int(64*n)))
	}
	if failed := to.Close(); err == nil {
		err = failed
	}
	return path, err
}
