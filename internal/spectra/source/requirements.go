package source

import (
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/semver"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

const goMod = "go.mod"

// modules records the requirements that differ.
func (c *comparison) modules() {
	var required spectra.Pair[map[string]requirement]
	for _, s := range []*side{c.Old, c.New} {
		all, err := s.requirements()
		if err != nil {
			c.changes.Problems = append(c.changes.Problems, Problem{s.name, goMod, err.Error()})
		}
		*required.Of(s.name) = all
	}
	old, new := required.Old, required.New
	for _, path := range keysOfEither(old, new) {
		before, after := old[path], new[path]
		if before.version == after.version {
			continue
		}
		c.changes.Modules = append(c.changes.Modules, ModuleChange{
			Path: path, Old: before.version, New: after.version, Packages: differingPackages(path, before, after),
		})
		c.changes.Declarations = append(c.changes.Declarations, Change{
			Symbol: spectra.Symbol(path), Kind: Required, What: what(before.version != "", after.version != ""),
			Package: c.New.module.Path, File: goMod, Old: before.span, New: after.span,
		})
	}
}

// requirement is the version of a module that is built, and its place in go.mod.
type requirement struct {
	version string
	least   string // the version that go.mod asks for; "" = none
	span    spectra.Lines
	folders map[string]string // of a folder that replaces the module: slash-separated path below → hash of its files
}

// differingPackages returns the packages of a module that differ where a folder replaces it in both versions, else nil.
func differingPackages(path string, before, after requirement) []string {
	if before.folders == nil || after.folders == nil || before.folders[goMod] != after.folders[goMod] {
		return nil
	}
	list := []string{}
	for _, folder := range keysOfEither(before.folders, after.folders) {
		if before.folders[folder] != after.folders[folder] {
			list = append(list, PackagePath(path, folder+"/"))
		}
	}
	return list
}

// requirements returns what go.mod requires, by module path, with replacements applied, and what is in the place of a
// module without being required: a replacement, or a folder of the workspace. The lines about Go itself count as
// requirements.
func (s *side) requirements() (map[string]requirement, error) {
	all := map[string]requirement{}
	if _, ok := s.files[goMod]; !ok {
		return all, nil
	}
	text, err := s.content(goMod)
	if err != nil {
		return all, err
	}
	mod, err := modfile.Parse(goMod, text, nil)
	if err != nil {
		return all, err
	}
	work, err := s.workspace()
	if err != nil {
		return all, err
	}
	aboutGo(all, mod, work)
	for _, r := range mod.Require {
		all[r.Mod.Path] = requirement{version: r.Mod.Version, least: r.Mod.Version, span: inGoMod(r.Syntax)}
	}
	s.replace(all, mod.Replace, s.module.Dir, inGoMod)
	if work != nil {
		s.use(all, work)
	}
	return all, nil
}

// inGoMod returns the place of a line in go.mod.
func inGoMod(line *modfile.Line) spectra.Lines {
	return spectra.Lines{File: goMod, Line: line.Start.Line, EndLine: line.End.Line}
}

// aboutGo adds what go.mod and go.work say about Go itself.
func aboutGo(all map[string]requirement, mod *modfile.File, work *workspace) {
	add := func(name, version string, line *modfile.Line) {
		of := all[name]
		of.version = strings.TrimPrefix(of.version+", "+version, ", ")
		if line != nil {
			of.span = inGoMod(line)
		}
		all[name] = of
	}
	if mod.Go != nil {
		add("go", mod.Go.Version, mod.Go.Syntax)
	}
	if mod.Toolchain != nil {
		add("toolchain", mod.Toolchain.Name, mod.Toolchain.Syntax)
	}
	for _, d := range mod.Godebug {
		add("godebug", d.Key+"="+d.Value, d.Syntax)
	}
	if work == nil {
		return
	}
	if work.file.Go != nil {
		add("go", work.file.Go.Version+" in go.work", nil)
	}
	if work.file.Toolchain != nil {
		add("toolchain", work.file.Toolchain.Name+" in go.work", nil)
	}
	for _, d := range work.file.Godebug {
		add("godebug", d.Key+"="+d.Value+" in go.work", nil)
	}
}

// replace applies the replacements of a file in a folder. Where a higher version than the required one is replaced, or
// one of a module that is not required, others may require it. At returns their places in go.mod.
func (s *side) replace(
	all map[string]requirement, list []*modfile.Replace, dir string, at func(*modfile.Line) spectra.Lines,
) {
	for _, r := range list {
		required := all[r.Old.Path]
		if r.Old.Version != "" && semver.Compare(r.Old.Version, required.least) < 0 {
			continue
		}
		by := requirement{
			version: "=> " + strings.TrimSpace(r.New.Path+" "+r.New.Version), least: required.least, span: at(r.Syntax),
		}
		if by.span == (spectra.Lines{}) {
			by.span = required.span
		}
		if r.New.Version == "" {
			by = by.in(s.folders(dir, r.New.Path))
		}
		if r.Old.Version != "" && r.Old.Version != required.least && required.version != "" {
			by.version, by.folders = required.version+", "+r.Old.Version+" "+by.version, nil
		}
		all[r.Old.Path] = by
	}
}

// in returns the requirement with the content of the folder in the place of the module; nil = it is not known.
func (r requirement) in(folders map[string]string) requirement {
	if r.folders = folders; folders != nil {
		r.version += " " + hashOf(folders)
	}
	return r
}
