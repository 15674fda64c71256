package drivers

import (
	"os"
	"path"
	"path/filepath"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// mostKept is how many files of the tests' version may stay beside those of the other one: each is a mount.
const mostKept = 1000

// home returns the version whose tests run.
func (d *Drivers) home() spectra.Side {
	if d.NewTests {
		return spectra.New
	}
	return spectra.Old
}

// ownFiles returns the files of a version in the place of those beside which tests run; nil where these are its own, or
// no other file differs that code may read. What the tests give to the code, and what they expect, stays theirs.
func (d *Drivers) ownFiles(s spectra.Side) *replay.OwnFiles {
	home, there := d.home(), d.Plan.Sides.Of(s).Target.Dir
	if s == home || len(d.testFolders()) == 0 || d.testsBeside != d.Plan.Sides.Of(home).Target.Dir ||
		len(d.Plan.FilesOfCode(s)) == 0 || d.Tools.Workers.Sandboxes[0].Layers().Mount != "" {
		return nil
	}
	own := &replay.OwnFiles{Folder: there, At: d.testsBeside}
	for _, name := range d.Plan.FilesOfTests() {
		if regular(there, name) && regular(d.testsBeside, name) {
			own.Kept = append(own.Kept, filepath.Join(d.testsBeside, filepath.FromSlash(name)))
		}
	}
	if len(own.Kept) > mostKept {
		return nil
	}
	return own
}

// FilesOfCode returns the files that differ and that code may read which runs beside the other version's.
func (d *Drivers) FilesOfCode() map[string]bool {
	names := map[string]bool{}
	for _, name := range d.Plan.FilesOfCode(d.home().Other()) {
		names[name] = true
	}
	return names
}

// regular reports whether a file is there, and no link leads to it.
func regular(dir, name string) bool {
	for at := name; at != "."; at = path.Dir(at) {
		info, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(at)))
		if err != nil || !info.Mode().IsRegular() && !info.IsDir() || info.IsDir() == (at == name) {
			return false
		}
	}
	return true
}
