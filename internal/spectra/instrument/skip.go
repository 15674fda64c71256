package instrument

import (
	"go/ast"
	"go/token"
	"strings"
)

// unsafeDirectives are the compiler directives of functions that run where a probe must not: on another
// stack, in a signal handler, between fork and exec, without permission to grow the stack or to write
// pointers.
var unsafeDirectives = []string{
	"//go:nosplit",
	"//go:norace",
	"//go:systemstack",
	"//go:nowritebarrier",
	"//go:nowritebarrierrec",
	"//go:yeswritebarrierrec",
	"//go:uintptrkeepalive",
	"//go:cgo_unsafe_args",
	"//go:wasmexport",
	"//go:linkname",
	"//export",
}

// maxFunctions is the number of functions of one file that get a probe. Otherwise generated files of
// megabytes would take minutes and gigabytes to compile.
const maxFunctions = 2000

// A skipTable has the functions of one file that get no probe, with the reasons.
type skipTable struct {
	whole      string            // reason that holds for the whole file
	directives map[int]string    // index of a declaration → directive in front of it
	index      map[ast.Decl]int  // declaration → index
	linked     map[string]string // function → directive, wherever it stands in the file
	probed     int
}

func newSkipTable(f *ast.File) *skipTable {
	t := &skipTable{directives: map[int]string{}, index: map[ast.Decl]int{}, linked: map[string]string{}}
	ends := make([]token.Pos, len(f.Decls))
	for i, decl := range f.Decls {
		t.index[decl] = i
		ends[i] = decl.End()
	}
	for _, group := range f.Comments {
		for _, c := range group.List {
			t.directive(c, ends)
		}
	}
	return t
}

// directive notes a comment if it is one of the table's directives. A directive belongs to the next
// declaration, except for go:linkname, which belongs to the function that it names.
func (t *skipTable) directive(c *ast.Comment, ends []token.Pos) {
	words := strings.Fields(c.Text)
	for _, d := range unsafeDirectives {
		if words[0] != d {
			continue
		}
		if d == "//go:linkname" {
			if len(words) > 1 {
				t.linked[words[1]] = d
			}
			return
		}
		next := 0
		for next < len(ends) && ends[next] <= c.Pos() {
			next++
		}
		t.directives[next] = d
	}
}

// reason returns why a declared function gets no probe, or "" if it gets one.
func (t *skipTable) reason(decl *ast.FuncDecl) string {
	switch {
	case t.whole != "":
		return t.whole
	case decl.Body == nil:
		return "no body"
	case decl.Name.Name == "_":
		return "blank name"
	case t.directives[t.index[decl]] != "":
		return t.directives[t.index[decl]]
	case decl.Recv == nil && t.linked[decl.Name.Name] != "":
		return t.linked[decl.Name.Name]
	case t.probed == maxFunctions:
		return "file has too many functions"
	}
	t.probed++
	return ""
}
