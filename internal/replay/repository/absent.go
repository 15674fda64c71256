package repository

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// leaveOutAbsent removes the files whose contents a clone does not have, as partial ones and mirrors without large
// files. What a build may read stays, so that writing it fails with advice. It returns a hash of the removed paths, ""
// if there are none.
func (l *lister) leaveOutAbsent() (removed string) {
	absent := sha256.New()
	embeds := map[string]bool{}
	kept := l.files[:0:0]
	for _, f := range l.files {
		if l.read.objects.has(f.hash) || f.mode == modeSymlink || Builds(f.path) || l.mayEmbed(f.path, embeds) {
			kept = append(kept, f)
			continue
		}
		l.warnings = append(l.warnings,
			f.path+" is left out: this clone does not have its content, and no build reads it")
		fmt.Fprintf(absent, "%q\n", f.path)
	}
	if len(kept) == len(l.files) {
		return ""
	}
	l.files = kept
	return hex.EncodeToString(absent.Sum(nil)[:8])
}

// has reports whether the store has an object.
func (o *objects) has(h hash) bool {
	if other, ok := o.replaced[h]; ok {
		h = other
	}
	err := o.search(func(packs []pack) error {
		for _, p := range packs {
			if found, _ := p.index.Contains(h); found {
				return nil
			}
		}
		for _, folder := range o.folders {
			name := h.String()
			if _, err := os.Stat(filepath.Join(folder, name[:2], name[2:])); err == nil {
				return nil
			}
		}
		return &missingObject{h}
	})
	_, missing := errors.AsType[*missingObject](err)
	return !missing // of other errors whoever reads it hears
}

// Builds reports whether the go command, or this package, may read a file because of its name.
func Builds(name string) bool {
	base := path.Base(name)
	switch base {
	case "go.mod", "go.sum", "go.work", "go.work.sum", "modules.txt":
		return true
	}
	if strings.HasPrefix(base, ".git") {
		return true
	}
	return path.Ext(base) == ".go" || path.Ext(base) == ".pgo" || source.Native(base)
}

// mayEmbed reports whether Go code in the folder of a file, or in one above, embeds any files. The results for folders
// are kept in known.
func (l *lister) mayEmbed(name string, known map[string]bool) bool {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		embeds, ok := known[dir]
		if !ok {
			embeds = l.embeds(dir)
			known[dir] = embeds
		}
		if embeds || dir == "." {
			return embeds
		}
	}
}

// embeds reports whether a Go file of a folder has an embed directive, or can't be read.
func (l *lister) embeds(dir string) bool {
	for _, f := range l.files {
		if path.Dir(f.path) != dir || path.Ext(f.path) != ".go" {
			continue
		}
		_, text, err := l.read.content(f.hash)
		if err != nil || bytes.Contains(text, []byte("//go:embed")) {
			return true
		}
	}
	return false
}
