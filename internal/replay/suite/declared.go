package suite

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/doc"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// everyTest is what each test mentions besides its own words.
const everyTest = ""

// A declaredAs is the source of a declaration, without what does not matter to the compiler.
type declaredAs struct {
	names    []string        // by which others mention it
	text     string          // with what its words stand for in its file
	mentions map[string]bool // but for its own names
	pieces   []piece
	acts     bool // a variable that is more than a value: where nobody mentions it, that was what it is for
}

// A piece is code of a declaration, and the file in which it stands.
type piece struct {
	file  *ast.File
	nodes []ast.Node
}

// A declarer collects what files declare, by names that tell them apart: of methods also that of the type. What has one
// name, as init functions do, is one.
type declarer struct {
	all     map[string]declaredAs
	types   map[string]bool // that the files declare
	oldPath func(string) string
}

func declared(files *Files, oldPath func(string) string) map[string]declaredAs {
	c := declarer{map[string]declaredAs{}, map[string]bool{}, oldPath}
	list := slices.Concat(files.inside, files.external)
	for _, f := range list {
		for _, d := range f.syntax.Decls {
			if of, ok := d.(*ast.GenDecl); ok && of.Tok == token.TYPE {
				for _, spec := range of.Specs {
					c.types[spec.(*ast.TypeSpec).Name.Name] = true
				}
			}
		}
	}
	for _, f := range list {
		c.file(f)
	}
	return c.all
}

// file adds what a file declares, and the packages that it imports for what they do.
func (c *declarer) file(f file) {
	written := c.writer(f)
	for _, spec := range f.syntax.Imports {
		path, unnamed := spec.Path.Value, spec.Name != nil && spec.Name.Name == "_"
		if unnamed && path != `"embed"` && path != `"unsafe"` {
			c.add("import "+c.path(path), declaredAs{names: []string{everyTest}})
		}
	}
	output := map[string]string{}
	for _, e := range doc.Examples(f.syntax) {
		output["Example"+e.Name] = fmt.Sprintf("%q %t", e.Output, e.Unordered)
	}
	for _, d := range f.syntax.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			key, names := c.function(d)
			of := written(names, d.Doc, d)
			of.text += output[key]
			c.add(key, of)
		case *ast.GenDecl:
			c.specs(d, written)
		}
	}
}

// function returns the key of a function, and the names by which others mention it. A method of a type that the files
// do not declare is that of values which tests have from elsewhere, so they need not mention the type.
func (c *declarer) function(d *ast.FuncDecl) (key string, names []string) {
	name := d.Name.Name
	if d.Recv != nil {
		receiver := strings.Trim(symbol.ReceiverSyntax(d.Recv.List[0].Type), "(*)")
		names = []string{receiver}
		if !c.types[receiver] {
			names = append(names, name)
		}
		return receiver + "." + name, names
	}
	if name == "init" || name == testMain {
		return name, []string{everyTest}
	}
	return name, []string{name}
}

// specs adds the types, constants and variables of a declaration. Constants may have the values of those before them,
// and count themselves.
func (c *declarer) specs(d *ast.GenDecl, written writer) {
	var repeated *ast.ValueSpec
	for i, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			c.add(spec.Name.Name, written([]string{spec.Name.Name}, spec.Doc, spec))
		case *ast.ValueSpec:
			nodes := []ast.Node{spec}
			switch {
			case d.Tok == token.VAR || len(spec.Values) > 0:
				repeated = spec
			case repeated != nil:
				nodes = append(nodes, repeated)
			}
			comments := cmp.Or(spec.Doc, d.Doc)
			for _, id := range spec.Names {
				of := written([]string{id.Name}, comments, nodes...)
				of.acts = acts(spec)
				if of.mentions["iota"] {
					of.text += fmt.Sprint(i)
				}
				switch {
				case id.Name != "_":
					c.add(id.Name, of)
				case of.acts:
					of.names = []string{everyTest}
					c.add("_", of)
				}
			}
		}
	}
}

// add adds a declaration to those of the same key.
func (c *declarer) add(key string, d declaredAs) {
	before, known := c.all[key]
	if known {
		d.text, d.pieces = before.text+"\n"+d.text, append(d.pieces, before.pieces...)
		maps.Copy(d.mentions, before.mentions)
		d.acts = d.acts || before.acts
	}
	c.all[key] = d
}

// A writer returns a declaration with some names from its nodes.
type writer func(names []string, comments *ast.CommentGroup, nodes ...ast.Node) declaredAs

// writer returns the writer of a file.
func (c *declarer) writer(f file) writer {
	imported := symbol.Imported(f.syntax)
	all := ""
	for _, spec := range f.syntax.Imports {
		if spec.Name != nil && spec.Name.Name == "." {
			all += " " + c.path(spec.Path.Value)
		}
	}
	return func(names []string, comments *ast.CommentGroup, nodes ...ast.Node) declaredAs {
		text, mentions := all, map[string]bool{}
		for _, n := range nodes {
			for t := range symbol.Tokens(f.source[f.offset(n.Pos()):f.offset(n.End())]) {
				text += " " + t.Text
			}
			ast.Inspect(n, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && !slices.Contains(names, id.Name) {
					mentions[id.Name] = true
				}
				return true
			})
		}
		for _, name := range slices.Sorted(maps.Keys(mentions)) {
			if path, ok := imported[name]; ok {
				text += fmt.Sprintf(" %s: %s", name, c.path(strconv.Quote(path)))
			}
		}
		return declaredAs{
			names: names, text: text + directives(comments), mentions: mentions, pieces: []piece{{f.syntax, nodes}},
		}
	}
}

// majorVersion is what makes an import path that of another version of a module.
var majorVersion = regexp.MustCompile(`/v[0-9]+(/|$)|\.v[0-9]+$`)

// path returns a quoted import path as old has it. The major version of a module does not count: as its other versions,
// it is a part of the change, while packages of the standard library are others.
func (c *declarer) path(quoted string) string {
	path, _ := strconv.Unquote(quoted) // what does not parse is not there
	if domain, _, _ := strings.Cut(path, "/"); !strings.Contains(domain, ".") {
		return c.oldPath(path)
	}
	return majorVersion.ReplaceAllString(c.oldPath(path), "$1")
}

// directives returns the lines of comments that are meant for the compiler.
func directives(comments *ast.CommentGroup) (text string) {
	if comments == nil {
		return ""
	}
	for _, line := range comments.List {
		if strings.HasPrefix(line.Text, "//go:") {
			text += "\n" + line.Text
		}
	}
	return text
}

// acts reports whether the values of variables call anything: what is built in, and pointers to types, do nothing.
func acts(spec *ast.ValueSpec) (found bool) {
	for _, v := range spec.Values {
		ast.Inspect(v, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncLit:
				return false
			case *ast.UnaryExpr:
				found = found || n.Op == token.ARROW
			case *ast.CallExpr:
				found = found || !harmless(n.Fun)
			}
			return true
		})
	}
	return found
}

// harmless reports whether what is called is a type, as far as it shows, or built in.
func harmless(called ast.Expr) bool {
	switch of := called.(type) {
	case *ast.Ident:
		return types.Universe.Lookup(of.Name) != nil
	case *ast.ParenExpr:
		return harmless(of.X)
	case *ast.StarExpr, *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.FuncType, *ast.InterfaceType:
		return true
	}
	return false
}
