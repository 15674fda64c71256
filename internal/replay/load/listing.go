package load

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
)

// listVariable is the environment variable with the mode of a process that lists packages.
const listVariable = "SPECTRADIFF_LIST"

// flagsVariable is the environment variable with the build flags of that process, as JSON.
const flagsVariable = "SPECTRADIFF_LIST_FLAGS"

// Modes of listing.
const (
	ofImports  = "imports"  // packages and what they import
	ofExports  = "exports"  // the same, with the export data of what they import
	ofCompiled = "compiled" // packages and what they import, all with their export data
)

// What go/packages is asked for.
const (
	listImports = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
		packages.NeedModule | packages.NeedEmbedFiles
	listExports = packages.NeedName | packages.NeedImports | packages.NeedExportFile // this compiles
)

// A listing is the output of a process that lists packages.
type listing struct {
	Roots    []string // IDs
	Packages []listed // the roots and their imports, imports before importers
	Failed   string   // the error, if there are none
	Missing  bool     // some dependencies have no export data although it was asked for
}

// A listed is one package of a listing, without the unused fields of the library's form.
type listed struct {
	ID, Name, PkgPath, Dir string

	Errors          []packages.Error  `json:",omitempty"`
	GoFiles         []string          `json:",omitempty"`
	CompiledGoFiles []string          `json:",omitempty"`
	OtherFiles      []string          `json:",omitempty"`
	EmbedFiles      []string          `json:",omitempty"`
	IgnoredFiles    []string          `json:",omitempty"`
	ExportFile      string            `json:",omitempty"`
	Imports         map[string]string `json:",omitempty"` // path → ID
	Module          *packages.Module  `json:",omitempty"`
}

// Child lists packages if this process was started for that, and then returns true. Main must call it first, beside
// sandbox.Child, and return if it returns true.
func Child() bool {
	mode := os.Getenv(listVariable)
	if mode == "" {
		return false
	}
	var flags []string
	err := json.Unmarshal([]byte(os.Getenv(flagsVariable)), &flags)
	var l *listing
	if err == nil {
		l, err = list(context.Background(), "", os.Environ(), mode, flags, os.Args[1:])
	}
	if err != nil {
		l = &listing{Failed: err.Error()}
	}
	if err := json.NewEncoder(os.Stdout).Encode(l); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	return true
}

// list runs the go command through the library. What is compiled is compiled with the flags.
func list(ctx context.Context, dir string, env []string, mode string, flags, patterns []string) (*listing, error) {
	cfg := &packages.Config{Context: ctx, Mode: listImports, Dir: dir, Env: env}
	if mode == ofCompiled {
		cfg.Mode, cfg.BuildFlags = listExports, flags
	}
	roots, err := packages.Load(cfg, patterns...)
	if err != nil {
		return nil, err
	}
	if mode != ofExports {
		return listingOf(roots), nil
	}
	return withExports(roots, func(paths []string) ([]*packages.Package, error) {
		exporting := *cfg
		exporting.Mode, exporting.BuildFlags = listExports, flags
		return packages.Load(&exporting, paths...)
	})
}

// listingOf returns the listing of packages and of all that they import.
func listingOf(roots []*packages.Package) *listing {
	l, initial := &listing{}, map[*packages.Package]bool{}
	for _, p := range roots {
		l.Roots = append(l.Roots, p.ID)
		initial[p] = true
	}
	checked := map[*packages.Package]bool{}
	packages.Visit(roots, nil, func(p *packages.Package) {
		checked[p] = initial[p] || p.ExportFile == "" && p.PkgPath != "unsafe"
		for _, imported := range p.Imports {
			checked[p] = checked[p] || checked[imported]
		}
		l.add(p, checked[p])
	})
	return l
}

// add adds a package. If its types come from export data, it leaves out the files.
func (l *listing) add(p *packages.Package, files bool) {
	of := listed{
		ID: p.ID, Name: p.Name, PkgPath: p.PkgPath, Dir: p.Dir, Errors: p.Errors, ExportFile: p.ExportFile,
		Module: p.Module, Imports: map[string]string{},
	}
	for path, imported := range p.Imports {
		of.Imports[path] = imported.ID
	}
	if files {
		of.GoFiles, of.CompiledGoFiles, of.OtherFiles = p.GoFiles, p.CompiledGoFiles, p.OtherFiles
		of.EmbedFiles, of.IgnoredFiles = p.EmbedFiles, p.IgnoredFiles
	}
	l.Packages = append(l.Packages, of)
}

// list lists the packages that match and their imports. If the sandbox confines commands, a process of its own does it,
// because the library starts the go command by itself: the tool's own executable, confined with all that it starts.
func (v *Version) list(ctx context.Context, mode string, patterns []string) (*listing, error) {
	if !v.runner.Confines() {
		return list(ctx, v.Dir, v.Env, mode, v.exports.Flags, patterns)
	}
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find our own program: %w", err)
	}
	flags, err := json.Marshal(v.exports.Flags)
	if err != nil {
		return nil, fmt.Errorf("list packages: %w", err)
	}
	command := gocommand.Command{Path: self, Dir: v.Dir, Env: append(v.Env[:len(v.Env):len(v.Env)],
		listVariable+"="+mode, flagsVariable+"="+string(flags)), Folders: v.Folders.With(v.exports.Folders)}
	stdout, stderr, err := v.runner.Run(ctx, command, patterns...)
	if err != nil {
		if text := strings.TrimSpace(stderr); text != "" {
			err = errors.New(text)
		}
		return nil, err
	}
	l := &listing{}
	if err := json.Unmarshal([]byte(stdout), l); err != nil {
		return nil, fmt.Errorf("read the list of packages: %w", err)
	}
	if l.Failed != "" {
		return nil, errors.New(l.Failed)
	}
	return l, nil
}

// graph links the packages of a listing to their imports.
func (l *listing) graph() (roots, all []*packages.Package, err error) {
	byID := map[string]*packages.Package{}
	for _, of := range l.Packages {
		p := &packages.Package{
			ID: of.ID, Name: of.Name, PkgPath: of.PkgPath, Dir: of.Dir, Errors: of.Errors, GoFiles: of.GoFiles,
			CompiledGoFiles: of.CompiledGoFiles, OtherFiles: of.OtherFiles, EmbedFiles: of.EmbedFiles,
			IgnoredFiles: of.IgnoredFiles, ExportFile: of.ExportFile, Module: of.Module,
			Imports: map[string]*packages.Package{},
		}
		for path, id := range of.Imports {
			imported := byID[id] // imports come first, so there are no cycles
			if imported == nil {
				return nil, nil, fmt.Errorf("read the list of packages: %s imports %s, which is not there", of.ID, id)
			}
			p.Imports[path] = imported
		}
		if byID[of.ID] == nil {
			all = append(all, p)
		}
		byID[of.ID] = p
	}
	for _, id := range l.Roots {
		if byID[id] == nil {
			return nil, nil, fmt.Errorf("read the list of packages: %s is not there", id)
		}
		roots = append(roots, byID[id])
	}
	return roots, all, nil
}
