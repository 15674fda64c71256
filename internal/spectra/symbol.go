package spectra

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Declared returns the declared function that a function literal belongs to: "m/p.F.func1.2" becomes
// "m/p.F". For a declared function it returns s itself.
func (s Symbol) Declared() Symbol {
	_, full := s.split()
	name := full
	for {
		cut := strings.LastIndexByte(name, '.')
		if cut <= 0 || !isLiteral(name[cut+1:]) {
			return s[:len(s)-len(full)+len(name)]
		}
		name = name[:cut]
	}
}

// literalNumber matches the numbers of function literals, wherever they stand in a symbol.
var literalNumber = regexp.MustCompile(`\.func\d+(\.\d+)*`)

// Unnumbered returns the symbol without the numbers of function literals: "m/p.F.func1.2" becomes
// "m/p.F.func". The numbers shift when an unrelated literal is added before.
func (s Symbol) Unnumbered() string { return literalNumber.ReplaceAllString(string(s), ".func") }

// Package returns the import path of the symbol's package.
func (s Symbol) Package() string {
	pkg, _ := s.split()
	return pkg
}

// Short returns the symbol without its import path: "(*T).Method", "F.func1".
func (s Symbol) Short() string {
	_, name := s.split()
	return name
}

// Name returns the last name in the symbol: "F", and "Method" without its receiver.
func (s Symbol) Name() string { return string(s)[strings.LastIndexByte(string(s), '.')+1:] }

// Exported reports whether a package variable or a function without a receiver can be named in other packages.
func (s Symbol) Exported() bool {
	first, _ := utf8.DecodeRuneInString(s.Short())
	return unicode.IsUpper(first)
}

// Linked returns the symbol as the linker spells it, and programs see it: dots in the last element of the
// import path are escaped.
func (s Symbol) Linked() string {
	pkg, name := s.split()
	slash := strings.LastIndexByte(pkg, '/') + 1
	return pkg[:slash] + strings.ReplaceAll(pkg[slash:], ".", "%2e") + "." + name
}

// split cuts the symbol at the first dot behind the last slash. A version suffix ("gopkg.in/yaml.v3")
// belongs to the path.
func (s Symbol) split() (pkg, name string) {
	slash := strings.LastIndexByte(string(s), '/') + 1
	dot := strings.IndexByte(string(s[slash:]), '.')
	if dot < 0 {
		return "", string(s)
	}
	dot += slash
	version, _, more := strings.Cut(string(s[dot+1:]), ".")
	if more && strings.HasPrefix(version, "v") && isNumber(version[1:]) {
		dot += 1 + len(version)
	}
	return string(s[:dot]), string(s[dot+1:])
}

func isLiteral(segment string) bool { return isNumber(strings.TrimPrefix(segment, "func")) }

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
