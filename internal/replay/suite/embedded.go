package suite

import (
	"go/build"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// EmbeddedIn returns the files of a folder that its tests embed, as Embedded does, without those that its code does.
func EmbeddedIn(dir string) []string {
	found, _ := build.ImportDir(dir, 0) // what can't be read embeds nothing
	if found == nil {
		return nil
	}
	tests := &Files{patterns: slices.Concat(found.TestEmbedPatterns, found.XTestEmbedPatterns)}
	code := (&Files{patterns: found.EmbedPatterns}).Embedded(dir)
	return slices.DeleteFunc(tests.Embedded(dir), func(name string) bool { return slices.Contains(code, name) })
}

// Embedded returns the files of a folder that the tests of the package itself would embed there, with slashes, sorted.
func (f *Files) Embedded(dir string) (names []string) {
	if f == nil {
		return nil
	}
	root := os.DirFS(dir)
	for _, pattern := range f.patterns {
		pattern, all := strings.CutPrefix(pattern, "all:")
		matched, _ := fs.Glob(root, pattern)
		for _, top := range matched {
			_ = fs.WalkDir(root, top, func(name string, entry fs.DirEntry, err error) error {
				base := path.Base(name)
				hidden := name != top && !all && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_"))
				switch {
				case err != nil, hidden && entry.IsDir():
					return fs.SkipDir
				case !hidden && entry.Type().IsRegular():
					names = append(names, name)
				}
				return nil
			})
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
