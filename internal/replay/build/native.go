package build

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// natives adds a file to each package that is not Go alone, with a hash of all C code and assembly of the version. What
// a package includes may lie in any folder, but the go command looks at its own folder only, and would take the object
// of another version from its cache.
func (g *generator) natives() error {
	list := g.Target.Native(g.Tree)
	if len(list) == 0 {
		return nil
	}
	sum, err := nativeSum(g.Tree)
	if err != nil {
		return fmt.Errorf("read C code and assembly: %w", err)
	}
	for _, p := range list {
		clause := p.Name
		if name := g.Names[p.PkgPath]; name != "" {
			clause = name
		}
		text := fmt.Sprintf("package %s\n\n// C code and assembly of this version: %s\n", clause, sum)
		if err := g.place(p.PkgPath, p.Dir, "zspectra_native.go", text); err != nil {
			return err
		}
	}
	return nil
}

// nativeSum returns a hash of the files in a folder that are compiled, but are not Go, or are there to be included.
func nativeSum(tree string) (string, error) {
	sum := sha256.New()
	err := filepath.WalkDir(tree, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() || !source.Native(d.Name()) {
			return err
		}
		rel, err := filepath.Rel(tree, name)
		if err != nil {
			return err
		}
		of, err := repository.HashFile(tree, rel)
		fmt.Fprintf(sum, "%q %x\n", filepath.ToSlash(rel), of)
		return err
	})
	return hex.EncodeToString(sum.Sum(nil)[:12]), err
}
