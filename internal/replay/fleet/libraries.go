package fleet

import (
	"crypto/sha256"
	"debug/elf"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sync"
)

// Drivers that use cgo are linked with the C library. So it is a part of the kind, and drivers that need more than it
// are not handed out.

// libraryFolders are where the loader looks.
var libraryFolders = []string{
	"/lib64", "/lib", "/lib/x86_64-linux-gnu", "/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib",
	"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
}

// libraryNames are the files of the C library that drivers may need.
var libraryNames = []string{
	"ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "ld-musl-x86_64.so.1", "ld-musl-aarch64.so.1",
	"libc.so.6", "libdl.so.2", "libm.so.6", "libpthread.so.0", "libresolv.so.2",
}

// Libraries returns a hash of the C library of this machine.
var Libraries = sync.OnceValue(func() string {
	sum := sha256.New()
	for _, name := range libraryNames {
		for _, folder := range libraryFolders {
			file, err := os.Open(filepath.Join(folder, name))
			if err != nil {
				continue
			}
			fmt.Fprintln(sum, name)
			_, err = io.Copy(sum, file)
			_ = file.Close()
			if err != nil {
				fmt.Fprintln(sum, err)
			}
			break
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
})

// errLibraries is the error for a driver that another machine may load with other libraries.
var errLibraries = errors.New("it needs libraries beside that of C")

// loads returns an error for a program that needs other libraries than that of C.
func loads(path string) error {
	program, err := elf.Open(path)
	if err != nil {
		return err
	}
	defer program.Close()
	needed, err := program.ImportedLibraries()
	if err != nil && !errors.Is(err, elf.ErrNoSymbols) {
		return err
	}
	for _, name := range needed {
		if !slices.Contains(libraryNames, name) {
			return fmt.Errorf("%w: %s", errLibraries, name)
		}
	}
	return nil
}
