package load

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
)

// keep returns the listing that an earlier run kept, or makes one and keeps it. A version's files never change, and
// the files that a listing names outside the version have names by content; they may be gone, then it is made again.
// Listings with errors are not kept: the reason may be outside the version.
func (v *Version) keep(cfg Config, mode string, list func() (*listing, error)) (*listing, error) {
	if cfg.ModFolder == "" || len(cfg.Outside) > 0 {
		return list()
	}
	name := filepath.Join(cfg.ModFolder, "listings-"+v.GoVersion, v.listingKey(cfg, mode)+".json")
	if l := readListing(name); l != nil {
		return l, nil
	}
	l, err := list()
	if err != nil || !l.reusable(v.Folders.Read[0]) {
		return l, err
	}
	if err := l.write(name); err != nil {
		v.Warnings = append(v.Warnings, fmt.Sprintf("the list of packages is not kept: %v", err))
	}
	return l, nil
}

// write writes a listing in place of one that is of no use any more.
func (l *listing) write(name string) error {
	text, err := json.Marshal(l)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(name), 0o777)
	}
	if err != nil {
		return err
	}
	return replaceFile(name, text)
}

// listingKey returns a hash of all that a listing depends on beside the files of the version.
func (v *Version) listingKey(cfg Config, mode string) string {
	h := sha256.New()
	version := []any{v.Dir, v.GoVersion, v.toolchain.root, v.toolchain.settings, cfg.patterns(), cfg.Included}
	fmt.Fprintf(h, "%q %q %q\n", mode, v.exports.Flags, version)
	fmt.Fprint(h, v.runner.Deciding(v.Env))
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// readListing returns nil if there is no listing of that name, or if something that it names is gone.
func readListing(name string) *listing {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	l := &listing{}
	if json.Unmarshal(text, l) != nil || !l.present() {
		return nil
	}
	return l
}

// reusable reports whether a listing stays true as long as what it names is present. Root is the folder of the copy.
func (l *listing) reusable(root string) bool {
	return l.Failed == "" && !l.Missing && !slices.ContainsFunc(l.Packages, func(p listed) bool {
		if p.Module == nil {
			return len(p.Errors) > 0
		}
		replaced := p.Module.Replace != nil && p.Module.Replace.Version == "" && !within(root, p.Module.Replace.Dir)
		generated := slices.ContainsFunc(p.CompiledGoFiles, func(name string) bool {
			return !slices.Contains(p.GoFiles, name) // by the C compiler, from headers that no listing names
		})
		return len(p.Errors) > 0 || replaced || generated
	})
}

func within(folder, name string) bool {
	rest, err := filepath.Rel(folder, name)
	return err == nil && filepath.IsLocal(rest)
}

// present reports whether the folders and files of a listing exist.
func (l *listing) present() bool {
	gone := func(name string) bool {
		_, err := os.Stat(name)
		return err != nil
	}
	return !slices.ContainsFunc(l.Packages, func(p listed) bool {
		return p.Module != nil && p.Dir != "" && gone(p.Dir) || p.ExportFile != "" && gone(p.ExportFile) ||
			slices.ContainsFunc(p.CompiledGoFiles, gone)
	})
}
