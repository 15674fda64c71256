package source

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A workspace is the go.work that uses a module, and the other modules that it uses.
type workspace struct {
	file    *modfile.WorkFile
	dir     string
	members []member
}

type member struct {
	named string // as go.work names its folder
	dir   string
	mod   *modfile.File
}

// workspace reads the go.work that uses the module, nil if there is none. Without its go.mod a folder is no module.
func (s *side) workspace() (*workspace, error) {
	if s.module.Workspace == "" {
		return nil, nil
	}
	text, err := readText(s.module.Workspace)
	if err != nil {
		return nil, fmt.Errorf("read workspace: %w", err)
	}
	w := &workspace{dir: filepath.Dir(s.module.Workspace)}
	if w.file, err = modfile.ParseWork("go.work", text, nil); err != nil {
		return nil, fmt.Errorf("read workspace: %w", err)
	}
	for _, use := range w.file.Use {
		dir := joined(w.dir, use.Path)
		if dir == filepath.Clean(s.module.Dir) {
			continue
		}
		at := s.inTree(dir)
		if at == "" {
			continue
		}
		name := filepath.Join(at, goMod)
		if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
			continue
		}
		text, err := readText(name)
		if err != nil {
			return nil, fmt.Errorf("read workspace: %w", err)
		}
		mod, err := modfile.Parse(use.Path+"/"+goMod, text, nil)
		if err != nil {
			return nil, fmt.Errorf("read workspace: %w", err)
		}
		if mod.Module != nil {
			w.members = append(w.members, member{use.Path, dir, mod})
		}
	}
	return w, nil
}

// use applies a workspace: what go.work and its modules replace, the former before the latter, and its modules, which
// are in the place of any version of them.
func (s *side) use(all map[string]requirement, w *workspace) {
	inNoModFile := func(*modfile.Line) spectra.Lines { return spectra.Lines{} }
	for _, m := range w.members {
		s.replace(all, m.mod.Replace, m.dir, inNoModFile)
	}
	s.replace(all, w.file.Replace, w.dir, inNoModFile)
	for _, m := range w.members {
		of := requirement{version: "=> " + m.named, span: all[m.mod.Module.Mod.Path].span}
		all[m.mod.Module.Mod.Path] = of.in(s.folders(w.dir, m.named))
	}
	if filepath.Clean(s.module.Dir) != w.dir { // else they are files of the module
		s.vendored(all, w.dir)
	}
	delete(all, s.module.Path)
}

// vendored adds the content of the modules that a workspace has vendored beside the module.
func (s *side) vendored(all map[string]requirement, dir string) {
	const list = "vendor/modules.txt"
	if at := s.inTree(filepath.Join(dir, filepath.FromSlash(list))); at == "" {
		return
	}
	text, err := readText(filepath.Join(dir, filepath.FromSlash(list)))
	if err != nil {
		return
	}
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0] != "#" {
			continue
		}
		of := all[fields[1]]
		if of.version == "" {
			of.version = strings.Join(fields[2:], " ")
		}
		if folders := s.folders(dir, "vendor/"+fields[1]); folders != nil {
			all[fields[1]] = of.in(folders)
		}
	}
}
