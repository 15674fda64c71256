package fuzz

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// zeros are the zero values of the types that targets can have.
var zeros = map[string]string{
	"string": `""`, "bool": "false", "byte": "byte(0)", "rune": "rune(0)", "[]byte": "[]byte{}",
	"int": "0", "int8": "int8(0)", "int16": "int16(0)", "int32": "int32(0)", "int64": "int64(0)",
	"uint": "uint(0)", "uint8": "uint8(0)", "uint16": "uint16(0)", "uint32": "uint32(0)", "uint64": "uint64(0)",
	"float32": "float32(0)", "float64": "float64(0)",
}

// prepared returns a file of generated targets in which a panic of the target ends no run, and which begins with zero
// values, and the names of the targets. Those whose names are in without are removed.
func prepared(source []byte, without map[string]bool) (edited []byte, names []string) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", source, parser.SkipObjectResolution)
	if err != nil {
		return source, nil
	}
	type edit struct {
		at, to int
		text   string
	}
	var edits []edit
	offset := func(at token.Pos) int { return files.Position(at).Offset }
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Recv != nil || !strings.HasPrefix(f.Name.Name, "Fuzz") {
			continue
		}
		lit, call := targetOf(f)
		if lit == nil || without[f.Name.Name] {
			edits = append(edits, edit{at: offset(f.Pos()), to: offset(f.End())})
			continue
		}
		names = append(names, f.Name.Name)
		open := offset(lit.Body.Lbrace) + 1
		if values := zeroValues(lit); values != nil {
			add := offset(call.Pos())
			edits = append(edits, edit{add, add, "f.Add(" + strings.Join(values, ", ") + "); "})
		}
		edits = append(edits, edit{open, open, " defer func() { _ = recover() }();"})
	}
	for _, e := range slices.Backward(edits) {
		source = slices.Concat(source[:e.at], []byte(e.text), source[e.to:])
	}
	return source, names
}

// named returns the names of the targets of a prepared file.
func named(source []byte) []string {
	_, names := prepared(source, nil)
	return names
}

// targetOf returns the function that f.Fuzz is called with, and the call.
func targetOf(f *ast.FuncDecl) (lit *ast.FuncLit, call *ast.CallExpr) {
	for _, s := range f.Body.List {
		statement, ok := s.(*ast.ExprStmt)
		if !ok {
			continue
		}
		if c, ok := statement.X.(*ast.CallExpr); ok && len(c.Args) == 1 {
			if l, ok := c.Args[0].(*ast.FuncLit); ok {
				return l, c
			}
		}
	}
	return nil, nil
}

// zeroValues returns a zero value for each parameter behind the first; nil if one is of another type.
func zeroValues(lit *ast.FuncLit) (values []string) {
	for _, field := range lit.Type.Params.List[1:] {
		name := ""
		switch t := field.Type.(type) {
		case *ast.Ident:
			name = t.Name
		case *ast.ArrayType:
			if elem, ok := t.Elt.(*ast.Ident); ok && t.Len == nil {
				name = "[]" + elem.Name
			}
		}
		zero, ok := zeros[name]
		if !ok {
			return nil
		}
		for range max(1, len(field.Names)) {
			values = append(values, zero)
		}
	}
	return values
}

// stepName matches the name of a step of a chain.
var stepName = regexp.MustCompile(`Name:\s*"(Fuzz_\w+)"`)

// steps returns the names of the steps of chains.
func steps(source []byte) []string {
	var list []string
	for _, found := range stepName.FindAllSubmatch(source, -1) {
		list = append(list, string(found[1]))
	}
	return list
}

// complaint matches an error of the compiler in a generated file.
var complaint = regexp.MustCompile(`(?m)^(?:\./)?(\S*/)?(` + generatedName + `\d+_test\.go):(\d+):\d+: `)

// generatedName begins the names of generated files.
const generatedName = "zspectra_fuzz"

// complaints returns the lines about which the compiler complains, by file.
func complaints(printed string) map[string][]int {
	lines := map[string][]int{}
	for _, found := range complaint.FindAllStringSubmatch(printed, -1) {
		n, err := strconv.Atoi(found[3])
		if err == nil {
			lines[found[2]] = append(lines[found[2]], n)
		}
	}
	return lines
}

// dropped returns a file without the declarations and imports that stand in some lines; nil if no target is left.
func dropped(source []byte, lines []int) []byte {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "", source, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	within := func(n ast.Node) bool {
		from, to := files.Position(n.Pos()).Line, files.Position(n.End()).Line
		return slices.ContainsFunc(lines, func(line int) bool { return from <= line && line <= to })
	}
	var out [][2]int
	left := 0
	drop := func(n ast.Node) {
		out = append(out, [2]int{files.Position(n.Pos()).Offset, files.Position(n.End()).Offset})
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if left++; within(d) {
				left--
				drop(d)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if within(spec) {
					drop(spec)
				}
			}
		}
	}
	if left == 0 {
		return nil
	}
	for _, o := range slices.Backward(out) {
		source = slices.Concat(source[:o[0]], source[o[1]:])
	}
	return source
}
