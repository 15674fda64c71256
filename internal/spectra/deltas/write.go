package deltas

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"
)

// write returns what a divided file holds with some deltas taken; nil: it is not there.
func (f *file) write(taken []bool) *Content {
	var body bytes.Buffer
	from := f.old
	if from == nil {
		from = f.new
	}
	parts, news := 0, false
	emit := func(p *parsed, one *part) {
		body.Write(p.text[one.span.from:one.span.to])
		parts, news = parts+1, news || p == f.new
	}
	inserted := f.inserted(taken)
	insert := func(after *part) {
		for _, one := range inserted[after] {
			body.WriteString("\n")
			emit(f.new, one)
		}
	}
	at := from.begin
	insert(nil)
	if f.old != nil {
		for _, one := range f.old.parts {
			body.Write(f.old.text[at:one.span.from])
			at = one.span.to
			switch took := one.delta >= 0 && taken[one.delta]; {
			case !took:
				emit(f.old, one)
			case one.other != nil && one.other.file == one.file:
				emit(f.new, one.other)
			}
			insert(one)
		}
		body.Write(f.old.text[at:])
	}
	if parts == 0 && (f.Old == nil || f.New == nil) || f.Old == nil && !news {
		return nil
	}
	if !news && f.whollyOld(taken) {
		return f.Old
	}
	mode := f.Old
	if mode == nil {
		mode = f.New
	}
	return &Content{Text: f.imported(from, body.Bytes(), news), Mode: mode.Mode}
}

// whollyOld reports whether no delta of old's declarations is taken.
func (f *file) whollyOld(taken []bool) bool {
	changed := func(p *part) bool { return p.delta >= 0 && taken[p.delta] }
	return f.old != nil && !slices.ContainsFunc(f.old.parts, changed)
}

// inserted returns the parts that new alone has in the file and that are taken, by the part of old behind which they
// come; nil: before all.
func (f *file) inserted(taken []bool) map[*part][]*part {
	list := map[*part][]*part{}
	if f.new == nil {
		return list
	}
	var last *part
	for _, one := range f.new.parts {
		switch {
		case one.other != nil && one.other.file == one.file:
			last = one.other
		case taken[one.delta]:
			list[last] = append(list[last], one)
		}
	}
	return list
}

// An imported is an import of a file.
type imported struct {
	name  string // as it is written; "" = none
	local string // as the file calls it; "" = not known
	path  string
}

// importOf returns an import. Where it has no name, it is called by a part of its path that the file uses and declares
// nowhere.
func importOf(spec *ast.ImportSpec, file *ast.File) imported {
	one := imported{}
	one.path, _ = strconv.Unquote(spec.Path.Value)
	if spec.Name != nil {
		one.name, one.local = spec.Name.Name, spec.Name.Name
		return one
	}
	used := unresolved(file)
	parts := strings.FieldsFunc(path.Base(one.path), func(r rune) bool { return r == '.' || r == '-' })
	if dir := path.Dir(one.path); dir != "." { // example.com/m/v2 is called m
		parts = append(parts, strings.FieldsFunc(path.Base(dir), func(r rune) bool { return r == '.' || r == '-' })...)
	}
	for _, name := range append([]string{path.Base(one.path)}, parts...) {
		if used[name] {
			one.local = name
			break
		}
	}
	return one
}

// unresolved returns the names that a file uses and does not declare.
func unresolved(file *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, id := range file.Unresolved {
		names[id.Name] = true
	}
	return names
}

// imported returns the whole text of a file with a body: with the imports that it needs. Where both versions call
// something by one name, it is new's if a declaration of new is there.
func (f *file) imported(from *parsed, body []byte, news bool) []byte {
	var head bytes.Buffer
	at := 0
	for _, cut := range from.cut {
		head.Write(from.text[at:cut.from])
		at = cut.to
	}
	head.Write(from.text[at:from.begin])
	used := map[string]bool{}
	fset := token.NewFileSet()
	if file, _ := parser.ParseFile(fset, f.Name, append(bytes.Clone(head.Bytes()), body...), 0); file != nil {
		used = unresolved(file)
	}
	specs := map[string]string{} // by local name, or by path where that is not known
	add := func(p *parsed) {
		if p == nil {
			return
		}
		for _, one := range p.imports {
			if plain := one.local != "" && one.local != "_" && one.local != "."; !plain {
				specs[one.name+" "+one.path] = one.name + " " + strconv.Quote(one.path)
			} else if used[one.local] {
				specs[one.local] = one.name + " " + strconv.Quote(one.path)
			}
		}
	}
	add(f.new)
	if !news {
		add(f.old)
	} else if f.old != nil {
		own := maps.Clone(specs)
		add(f.old)
		maps.Copy(specs, own)
	}
	if len(specs) > 0 {
		head.WriteString("\nimport (\n")
		for _, key := range slices.SortedFunc(maps.Keys(specs), cmp.Compare) {
			fmt.Fprintf(&head, "\t%s\n", strings.TrimSpace(specs[key]))
		}
		head.WriteString(")\n")
	}
	return append(head.Bytes(), body...)
}
