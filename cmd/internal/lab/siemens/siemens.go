// Package siemens holds a family of five small programs with seeded faults, after the Siemens programs that Xie's
// experiment used ("Improving Effectiveness of Automated Software Testing in the Absence of Specifications", 7.3): a
// scanner, a scheduler, statistics of tables, the decision of a pilot, and a replacer.
//
// In: the number of inputs, and what the programs answer to them. Out: the source of each program as it is and with
// each of its faults, its inputs, a table test that plays them, and a command that plays all versions on all inputs. A
// program is a package with a function Run(args []string, text string) (string, error). A fault is a replacement of one
// place.
//
// The same number leads to the same inputs. The package runs, compiles and writes nothing.
package siemens

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math/rand/v2"
	"path"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Module is the path of the module that the programs are packages of.
const Module = "example.com/siemens"

// GoMod is its go.mod.
const GoMod = "module " + Module + "\n\ngo 1.24\n"

// A Program is one of the family.
type Program struct {
	Name   string // of its package
	Like   string // the program of Siemens that does the same sort of work
	Faults []Fault
	draw   func(*rand.Rand) Input
}

// A Fault is a mistake that somebody may make: one place of a program is written otherwise.
type Fault struct {
	Old, New string // the place in the source, which is nowhere else in it, and what stands there instead
	Reason   string
	Silent   string // why no output differs, whatever the input; "": outputs differ
}

// An Input is what a program is run with.
type Input struct {
	Args []string
	Text string
}

//go:embed testdata
var files embed.FS

// Programs lists the programs.
func Programs() []Program {
	return []Program{
		{"tokens", "print_tokens", tokensFaults, drawTokens},
		{"schedule", "schedule", scheduleFaults, drawSchedule},
		{"totals", "tot_info", totalsFaults, drawTotals},
		{"altitude", "tcas", altitudeFaults, drawAltitude},
		{"replace", "replace", replaceFaults, drawReplace},
	}
}

// File returns the name of a program's file, below the module.
func (p Program) File() string { return p.Name + "/" + p.Name + ".go" }

// Source returns the program as it is.
func (p Program) Source() (string, error) {
	text, err := files.ReadFile(path.Join("testdata", p.File()))
	if err != nil {
		return "", fmt.Errorf("source of %s: %w", p.Name, err)
	}
	return string(text), nil
}

// Faulty returns the program with one of its faults, and the function, variable or constant that has the fault.
func (p Program) Faulty(f Fault) (source, in string, err error) {
	source, err = p.Source()
	if err != nil {
		return "", "", err
	}
	if n := strings.Count(source, f.Old); n != 1 || f.Old == f.New {
		return "", "", fmt.Errorf("fault of %s: %q is there %d times, not once", p.Name, f.Old, n)
	}
	in, err = p.declaration(source, strings.Index(source, f.Old))
	if err != nil {
		return "", "", err
	}
	return strings.Replace(source, f.Old, f.New, 1), in, nil
}

// declaration returns the symbol of what is declared around an offset.
func (p Program) declaration(source string, at int) (string, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, p.File(), source, parser.SkipObjectResolution)
	if err != nil {
		return "", fmt.Errorf("source of %s: %w", p.Name, err)
	}
	name := ""
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || set.Position(n.End()).Offset <= at || set.Position(n.Pos()).Offset > at {
			return n == file
		}
		switch d := n.(type) {
		case *ast.FuncDecl:
			name = d.Name.Name
			if d.Recv != nil {
				name = symbol.ReceiverSyntax(d.Recv.List[0].Type) + "." + name
			}
			return false
		case *ast.ValueSpec:
			name = d.Names[0].Name
			return false
		}
		return true
	})
	if name == "" {
		return "", fmt.Errorf("fault of %s: line %d is in no declaration", p.Name, 1+strings.Count(source[:at], "\n"))
	}
	return Module + "/" + p.Name + "." + name, nil
}
