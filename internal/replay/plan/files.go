package plan

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// FilesOfCode returns the files that differ and that code of a version may read while it runs, such as templates:
// beside the other version's files it has another one, or none.
func (p *Plan) FilesOfCode(s spectra.Side) (names []string) {
	for i := range p.Changes.Files {
		if f := &p.Changes.Files[i]; readByCode(f, s) {
			names = append(names, f.Path)
		}
	}
	return names
}

// FilesOfTests returns the files that differ and that tests give to the code or compare with: testdata, golden files.
func (p *Plan) FilesOfTests() (names []string) {
	for i := range p.Changes.Files {
		if f := &p.Changes.Files[i]; ofTests(f) {
			names = append(names, f.Path)
		}
	}
	return names
}

// Embeds reports whether a file of a version differs that its code embeds.
func (p *Plan) Embeds(s spectra.Side, file string) bool {
	name, err := filepath.Rel(p.Sides.Of(s).Target.Dir, file)
	return err == nil && slices.ContainsFunc(p.Changes.Files, func(f source.FileChange) bool {
		return f.Embedded && f.Path == filepath.ToSlash(name)
	})
}

func readByCode(f *source.FileChange, s spectra.Side) bool {
	switch f.Kind {
	case source.OtherFile, source.EmbeddedFile:
		return !ofTests(f)
	case source.TestdataFile:
		return f.What != spectra.ChangeModified && (f.What == spectra.ChangeAdded) == (s == spectra.New)
	case source.GoFile, source.ModuleFile, source.NativeFile:
	}
	return false
}

func ofTests(f *source.FileChange) bool {
	base := strings.ToLower(path.Base(f.Path))
	return f.Kind == source.TestdataFile || strings.Contains(base, "golden") || path.Ext(base) == ".snap"
}
