// Package source compares the source of two versions of a Go module, file by file and declaration by declaration.
//
// In: for each version its folder, its module path, and the root folder of the version's files, which may hold replaced
// modules and those of its workspace. Out: Changes: the files, declarations and required modules that differ, and the
// changed lines of files.
//
// A change of comments or layout changes no declaration. A function that moves within its package stays the same
// function, but what runs when a program starts changed where it comes in another order. All lists are sorted, and the
// same folders have the same Changes. Go files that do not parse are Problems. The package never writes, builds or
// type-checks, and never reads a repository.
package source

import (
	"cmp"
	"path"
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Changes is what differs between two modules. All lists are sorted.
type Changes struct {
	Files        []FileChange
	Declarations []Change
	Modules      []ModuleChange
	Problems     []Problem
}

// A Problem is a file that could not be read as Go, or a go.mod that could not be read.
type Problem struct {
	Side spectra.Side
	File string // module-relative, slash-separated
	Text string // names the file, and the line where it is known
}

func (p Problem) String() string { return string(p.Side) + ": " + p.Text }

// FileKind is what a file is to a build.
type FileKind string

// The kinds of files.
const (
	GoFile       FileKind = "go"
	ModuleFile   FileKind = "module"   // go.mod, go.sum, go.work, vendor/modules.txt
	NativeFile   FileKind = "native"   // C, assembly and what is linked with them
	EmbeddedFile FileKind = "embedded" // taken by a //go:embed line, and nothing else
	TestdataFile FileKind = "testdata"
	OtherFile    FileKind = "other"
)

// A FileChange is a file that is not the same on both sides.
type FileChange struct {
	Path     string // from the module's folder, slash-separated
	What     spectra.Change
	Kind     FileKind
	Embedded bool // a //go:embed line outside of tests takes it, whatever kind it is and whether or not it is built
	Test     bool // _test.go
	Vendor   bool // below a vendor folder
	Other    bool // Go file that the host's go command leaves out, of each version that has it
	Imports  bool // Go file that imports other packages than before, even if its package imports the same
	Hunks    []Hunk
}

// Compiled reports whether a file is one that is compiled outside of tests.
func (f *FileChange) Compiled() bool {
	return (f.Kind == GoFile || f.Kind == NativeFile) && !f.Test && !f.Other
}

// DeclKind is the kind of a declaration.
type DeclKind string

// The kinds of declarations.
const (
	Function DeclKind = "function"
	Variable DeclKind = "variable"
	Constant DeclKind = "constant"
	Type     DeclKind = "type"
	Import   DeclKind = "import"
	Required DeclKind = "module"

	// Directive is a comment that the compiler reads and that is not written before the function or variable it is
	// about. What it names, if that is one word, is its name.
	Directive DeclKind = "directive"
)

// A Change is a declaration that is not the same on both sides: its tokens differ, apart from comments and
// layout. A constant also differs when its iota does, and a function when a package name in it means another
// path.
//
// Symbol identifies it. For functions it is the function's symbol, for variables, constants and types
// "m/p.name", for imports the imported path, for modules the module's path. Declarations without a name of
// their own are "m/p.init.0" and "m/p._.0", numbered by file name and line, those in tests apart from others.
type Change struct {
	Symbol    spectra.Symbol
	Before    spectra.Symbol // of an init function that both versions have: its symbol in old, which has another number
	Kind      DeclKind
	What      spectra.Change
	Package   string // import path; "_test" added for external tests
	File      string // on the new side, the old one if removed
	Signature bool   // a function whose signature or receiver changed, not only its body
	Test      bool   // in a _test.go file
	Vendor    bool
	Other     bool          // in files that the host's go command leaves out
	Directed  bool          // other comments that the compiler reads for a function, or another version of the language
	Starts    bool          // an init function, or a variable whose value calls what may do more than to return it
	Order     bool          // it does the same when a program starts, but in another order with others
	Blank     bool          // an import for nothing but what its package does while the program starts
	Alias     bool          // a type that is another name of one
	Old, New  spectra.Lines // without its comment; zero where it isn't declared
}

// A ModuleChange is a requirement, a replacement, a module that the workspace uses, or lines about Go itself (go,
// toolchain, godebug) that changed. "" = not there.
type ModuleChange struct {
	Path     string // module path; "go", "toolchain" and "godebug" for those lines
	Old, New string // version; "=> path version" where replaced
	Included bool   // its files are among those that were compared

	// Packages are the import paths of those that differ where a folder of the tree replaces the module in both
	// versions. nil = any may.
	Packages []string
}

// AboutGo reports whether lines about Go itself changed, which may concern all code.
func (m ModuleChange) AboutGo() bool {
	return m.Path == "go" || m.Path == "toolchain" || m.Path == "godebug"
}

// Include returns the changes with those of vendored code as changes of the module, where a package is used. Where none
// is, they are changes of code that is left out.
func (c *Changes) Include(used func(pkg string) bool) *Changes {
	included := *c
	included.Files, included.Declarations = slices.Clone(c.Files), slices.Clone(c.Declarations)
	included.Modules = slices.Clone(c.Modules)
	for i := range included.Files {
		if f := &included.Files[i]; f.Vendor {
			pkg := PackagePath("", f.Path)
			f.Vendor, f.Embedded = false, f.Embedded && above(pkg, used)
			f.Other = f.Other || !used(pkg) && !(f.Kind == NativeFile && above(pkg, used))
		}
	}
	for i := range included.Declarations {
		if d := &included.Declarations[i]; d.Vendor {
			d.Vendor, d.Other = false, d.Other || !used(d.Package)
		}
	}
	included.Problems = slices.DeleteFunc(slices.Clone(c.Problems), func(p Problem) bool {
		return within(p.File, "vendor") && !used(PackagePath("", p.File))
	})
	for i := range included.Modules {
		m := &included.Modules[i]
		m.Included = !m.AboutGo()
	}
	return &included
}

// above reports whether a package is used, or one in a folder around it.
func above(pkg string, used func(pkg string) bool) bool {
	for ; pkg != "."; pkg = path.Dir(pkg) {
		if used(pkg) {
			return true
		}
	}
	return false
}

// Functions returns the functions that changed in code that is built on this host, tests and vendored code
// left out.
func (c *Changes) Functions() []Change {
	var functions []Change
	for _, change := range c.Declarations {
		if change.Kind == Function && !change.Test && !change.Other && !change.Vendor {
			functions = append(functions, change)
		}
	}
	return functions
}

// Hunks returns the changed lines of a Go file; nil = the file is the same.
func (c *Changes) Hunks(file string) []Hunk {
	at, found := slices.BinarySearchFunc(c.Files, file, func(f FileChange, name string) int {
		return cmp.Compare(f.Path, name)
	})
	if !found {
		return nil
	}
	return c.Files[at].Hunks
}

// Empty reports whether no file differs.
func (c *Changes) Empty() bool { return len(c.Files) == 0 && len(c.Modules) == 0 }

// TestOnly reports whether something differs, but nothing that is built outside of tests.
func (c *Changes) TestOnly() bool {
	if c.Empty() || len(c.Modules) > 0 {
		return false
	}
	for _, f := range c.Files {
		switch {
		case f.Embedded:
			return false
		case f.Test || f.Kind == TestdataFile || f.Kind == OtherFile || f.Other:
		case f.Kind == GoFile && c.onlyText(f):
		default:
			return false
		}
	}
	return true
}

// OnlyDeclarations reports whether nothing that is built outside of tests differs but declarations of Go.
func (c *Changes) OnlyDeclarations() bool {
	for _, d := range c.Declarations {
		if d.Kind == Import && d.Symbol == "C" && !d.Test && !d.Other {
			return false
		}
	}
	for _, f := range c.Files {
		native := f.Kind == NativeFile || f.Kind == ModuleFile
		if f.Embedded || !f.Test && !f.Other && (native || f.Vendor) {
			return false
		}
	}
	return len(c.Modules) == 0 && len(c.Problems) == 0
}

// onlyText reports whether a Go file changed in comments and layout only.
func (c *Changes) onlyText(f FileChange) bool {
	if f.Imports { // what they are called there is not certain without types
		return false
	}
	for _, change := range c.Declarations {
		if change.Old.File == f.Path || change.New.File == f.Path {
			return false
		}
	}
	return !slices.ContainsFunc(c.Problems, func(p Problem) bool { return p.File == f.Path })
}
