package outside

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A place is a file or folder in a territory. It need not exist.
type place struct {
	in  *territory
	rel string // slash-separated; "." = the territory's root
}

// path returns the place's path on disk.
func (p place) path() string { return filepath.Join(p.in.dir, filepath.FromSlash(p.rel)) }

// A departure describes a path that leads out of all territories.
type departure struct {
	link string // the link that leads out, "" = the path itself does
	to   string // target of the path on the user's machine
}

func (d *departure) String() string {
	if d.link == "" {
		return "leads out of the repository, to " + d.to
	}
	return fmt.Sprintf("leads out of the repository by the symbolic link %s, to %s", d.link, d.to)
}

// maxLinks is the maximum number of links in a path. The kernel follows fewer.
const maxLinks = 255

// A walk follows one path.
type walk struct {
	allowed *Allowed
	at      place
	pending []string // elements that were not followed yet
	links   int
	last    departure // through the last link
}

// follow returns the target of a path that starts in a folder. First the path is joined to the folder and cleaned, like
// the go command does it. Then links are resolved, like the system does it. The part of the path that does not exist is
// taken literally.
func (a *Allowed) follow(from place, name string) (place, *departure) {
	w := &walk{allowed: a, at: place{from.in, "."}}
	name = filepath.ToSlash(name)
	if path.IsAbs(name) {
		if out := w.leave(name); out != nil {
			return place{}, out
		}
	} else {
		w.pending = strings.Split(path.Join(from.rel, name), "/")
	}
	for len(w.pending) > 0 && w.links < maxLinks {
		next := w.pending[0]
		w.pending = w.pending[1:]
		if out := w.step(next); out != nil {
			return place{}, out
		}
	}
	return w.at, nil
}

// step follows one element of a path.
func (w *walk) step(element string) *departure {
	switch {
	case element == "" || element == ".":
		return nil
	case element == ".." && w.at.rel == ".":
		return w.leave(filepath.Dir(w.at.in.origin))
	case element == "..":
		w.at.rel = path.Dir(w.at.rel)
		return nil
	}
	next := place{w.at.in, path.Join(w.at.rel, element)}
	target, err := os.Readlink(next.path())
	if err != nil { // no link, or it does not exist
		w.at = next
		return nil
	}
	w.links++
	w.last.link = next.rel
	if slices.Contains(w.allowed.territories, next.in) {
		w.last.link = filepath.Join(next.in.origin, filepath.FromSlash(next.rel))
	}
	target = filepath.ToSlash(target)
	if path.IsAbs(target) {
		return w.leave(target)
	}
	w.pending = append(strings.Split(target, "/"), w.pending...)
	return nil
}

// leave continues at a path on the user's machine, which must be in an allowed folder.
func (w *walk) leave(name string) *departure {
	name = resolved(filepath.Join(append([]string{name}, w.pending...)...))
	for _, t := range w.allowed.territories {
		if rel, ok := within(t.origin, name); ok {
			w.at, w.pending = place{t, "."}, strings.Split(rel, "/")
			return nil
		}
	}
	w.last.to = name
	return &w.last
}

// resolved resolves the links in the existing part of a path.
func resolved(name string) string {
	rest := ""
	for at := filepath.Clean(name); ; at = filepath.Dir(at) {
		if real, err := filepath.EvalSymlinks(at); err == nil {
			return filepath.Join(real, rest)
		}
		if at == filepath.Dir(at) {
			return filepath.Clean(name)
		}
		rest = filepath.Join(filepath.Base(at), rest)
	}
}
