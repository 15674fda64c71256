package api

import (
	"cmp"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/load"
)

const (
	maxShort   = 400     // constants of one kind from one package that count as short
	maxLiteral = 2 << 10 // bytes of a string
)

// A Pool holds the constants in the module's source. As arguments they are likely to have a meaning for the module.
type Pool struct {
	Strings []Constant // Text is the string itself
	Runes   []Constant // Text is the code point's number
	Ints    []Constant // Text in Go syntax
	Floats  []Constant // Text in Go syntax
	Samples []Constant // Text is the text of a file that tests read, or a part of it
	Tags    []Constant // Text is a name or an option in the tag of a field
}

// A Constant is a value and the packages that contain it.
type Constant struct {
	Text     string
	Packages []string // sorted import paths
	Short    []string // those of them of whose constants of the kind it is one of the shortest
}

// Constants collects the constants in the packages' source, including tests and examples, and texts in the files that
// tests read. The same source has the same pool.
func Constants(version *load.Version, paths []string) *Pool {
	var all [kinds]map[string]*Constant
	for i := range all {
		all[i] = map[string]*Constant{}
	}
	for _, p := range version.Chosen(paths) {
		m := newMiner()
		m.minePackage(p)
		for kind, seen := range m.seen {
			for i, text := range byLength(seen) {
				c := all[kind][text]
				if c == nil {
					c = &Constant{Text: text}
					all[kind][text] = c
				}
				if c.Packages = append(c.Packages, p.PkgPath); i < maxShort || kind == inSample {
					c.Short = append(c.Short, p.PkgPath)
				}
			}
		}
	}
	return &Pool{
		Strings: pooled(all[inString]), Runes: pooled(all[inRune]), Ints: pooled(all[inInt]),
		Floats: pooled(all[inFloat]), Samples: pooled(all[inSample]), Tags: pooled(all[inTag]),
	}
}

func pooled(found map[string]*Constant) []Constant {
	var out []Constant
	for _, text := range slices.Sorted(maps.Keys(found)) {
		out = append(out, *found[text])
	}
	return out
}

// byLength returns the shortest constants first, which are more likely to have a meaning.
func byLength(seen map[string]bool) []string {
	list := slices.Sorted(maps.Keys(seen))
	slices.SortStableFunc(list, func(x, y string) int { return cmp.Compare(len(x), len(y)) })
	return list
}

const (
	inString = iota
	inRune
	inInt
	inFloat
	inSample
	inTag
	kinds
)

// A miner collects the constants of one package by kind.
type miner struct{ seen [kinds]map[string]bool }

func newMiner() *miner {
	m := &miner{}
	for i := range m.seen {
		m.seen[i] = map[string]bool{}
	}
	return m
}

func (m *miner) minePackage(p *packages.Package) {
	for _, file := range p.Syntax {
		m.mine(file)
	}
	scope := p.Types.Scope()
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok {
			m.value(c.Val()) // iota and arithmetic have no literal
		}
	}
	for _, file := range Tests(p.Dir) {
		m.mine(file)
	}
	for _, text := range samples(p.Dir) {
		m.seen[inSample][text] = true
	}
}

// mine collects the literals of a file, except imports, and what the tags of fields hold.
func (m *miner) mine(file *ast.File) {
	tags := map[*ast.BasicLit]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			tags[n.Tag] = true // comes before its children
			m.tag(n.Tag)
		case *ast.UnaryExpr:
			if lit, ok := n.X.(*ast.BasicLit); ok && n.Op == token.SUB && lit.Kind != token.STRING {
				m.value(constant.UnaryOp(token.SUB, constant.MakeFromLiteral(lit.Value, lit.Kind, 0), 0))
			}
		case *ast.BasicLit:
			if !tags[n] {
				m.basic(n)
			}
		}
		return true
	})
}

// tagValue matches a value in the tag of a field, as package reflect has them.
var tagValue = regexp.MustCompile(`\w+:"([^"\\]*)"`)

func (m *miner) tag(lit *ast.BasicLit) {
	if lit == nil {
		return
	}
	text, _ := strconv.Unquote(lit.Value) // it is a literal
	between := func(r rune) bool { return strings.ContainsRune(",; ", r) }
	for _, found := range tagValue.FindAllStringSubmatch(text, -1) {
		for word := range strings.FieldsFuncSeq(found[1], between) {
			m.seen[inTag][word] = true
		}
	}
}

func (m *miner) basic(lit *ast.BasicLit) {
	value := constant.MakeFromLiteral(lit.Value, lit.Kind, 0)
	if lit.Kind == token.CHAR {
		m.seen[inRune][value.ExactString()] = true
		return
	}
	m.value(value)
}

func (m *miner) value(v constant.Value) {
	switch v.Kind() {
	case constant.String:
		if text := constant.StringVal(v); len(text) <= maxLiteral {
			m.seen[inString][text] = true
		}
	case constant.Int:
		_, signed := constant.Int64Val(v)
		_, unsigned := constant.Uint64Val(v)
		if signed || unsigned {
			m.seen[inInt][v.ExactString()] = true
		}
	case constant.Float:
		if f, _ := constant.Float64Val(v); f-f == 0 { // finite
			m.seen[inFloat][strconv.FormatFloat(f, 'g', -1, 64)] = true
		}
	}
}
