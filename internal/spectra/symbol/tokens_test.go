package symbol_test

import (
	"go/format"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// text returns the tokens of a piece of source with spaces between them.
func text(src string) string {
	var list []string
	for t := range symbol.Tokens([]byte(src)) {
		list = append(list, t.Text)
	}
	return strings.Join(list, " ")
}

func TestTokens(t *testing.T) {
	for _, c := range []struct{ reason, src, want string }{
		{"nothing", "", ""},
		{"comments", "f /* a */ (x) // b", "f ( x )"},
		{"a line break is a semicolon", "a()\nb()", "a ( ) ; b ( )"},
		{"the last semicolon of a block", "{ a(); b(); }", "{ a ( ) ; b ( ) }"},
		{"the last comma of a call", "f(\na,\nb,\n)", "f ( a , b )"},
		{"the last comma of type arguments", "f[\nint,\nstring,\n]", "f [ int , string ]"},
		{"an empty statement", "a();;b()", "a ( ) ; b ( )"},
		{"keywords, operators and literals", "for i := 0.5i; ; { 'x' }", "for i := 0.5i ; { 'x' }"},
		{"space in a string", "\"a  b\"", "\"a  b\""},
	} {
		if got := text(c.src); got != c.want {
			t.Errorf("%s: %s, want %s", c.reason, got, c.want)
		}
	}
}

// TestTokensNext checks that a token knows what follows it in the source, also where Tokens leaves that
// out.
func TestTokensNext(t *testing.T) {
	var next []string
	for token := range symbol.Tokens([]byte("p.F(a,)")) {
		next = append(next, token.Next.String())
	}
	if want := []string{".", "IDENT", "(", "IDENT", ",", ";"}; !slices.Equal(next, want) {
		t.Errorf("%q, want %q", next, want)
	}
}

func TestBodyHash(t *testing.T) {
	tests := []struct {
		reason, x, y string
		equal        bool
	}{
		{"comments", "{ return f(x) }", "{ // c\n\treturn /* d */ f(x)\n}", true},
		{"layout of a list", "{ f(a, b) }", "{\n\tf(\n\t\ta,\n\t\tb,\n\t)\n}", true},
		{"semicolons", "{ a(); b() }", "{\n\ta()\n\tb()\n}", true},
		{"a value", "{ return 1 }", "{ return 2 }", false},
		{"a name", "{ return x }", "{ return y }", false},
		{"a string's space", "{ return \"a b\" }", "{ return \"ab\" }", false},
		{"the cut between tokens", "{ f(ab, c) }", "{ f(a, bc) }", false},
		{"one statement or two", "{ a(); b() }", "{ a(b()) }", false},
		{"order", "{ a(); b() }", "{ b(); a() }", false},
	}
	for _, tt := range tests {
		if got := symbol.BodyHash([]byte(tt.x)) == symbol.BodyHash([]byte(tt.y)); got != tt.equal {
			t.Errorf("%s: equal is %t", tt.reason, got)
		}
	}
}

// TestBodyHashIsFixed checks that hashes stay as they are, even where a better hash would ignore more:
// users keep fingerprints that are made of them.
func TestBodyHashIsFixed(t *testing.T) {
	for _, c := range []struct{ reason, src, want string }{
		{"a statement", "{ return 1 }", "3027f5f58c3f380d8e1801252f13d255"},
		{"all kinds of tokens", "{ `a` ~ 1i 'x' }", "599d589f9803d175ef6d039a5da41783"},
		{"an empty statement counts", "{ a();;b() }", "5c12f83d3bf1cfe77d6576852e822a83"},
		{"a comma before a square bracket counts", "{ f[int,\nstring,\n](x) }", "5fe3203e03f723c5c6681e79d7cf9862"},
		{"what is no Go", "{ x # y ' }", "28d1ee7e91e2becb33734f9e0b6a1c17"},
	} {
		if got := symbol.BodyHash([]byte(c.src)); got != c.want {
			t.Errorf("%s: %s, want %s", c.reason, got, c.want)
		}
	}
}

// rewritten matches source that gofmt changes in more than its layout: the order of imports, empty parts
// of clauses.
var rewritten = regexp.MustCompile(`import|:\s*;|(for|if|switch)[^{]*;`)

// FuzzTokens checks that source has the same tokens before and after gofmt.
func FuzzTokens(f *testing.F) {
	for _, body := range []string{
		"a();;b()", "f(\na,\nb,\n)", "if x { ; } else { y = `z`; }", "return m[int,string,](x), nil",
		"for { switch { case a: default: } }", "var (x int; y = T{1, 2,};)", "type t struct{ a, b int; }",
	} {
		f.Add("package p\nfunc f() {" + body + "}")
	}
	f.Fuzz(func(t *testing.T, src string) {
		formatted, err := format.Source([]byte(src))
		if err != nil || !strings.Contains(src, "package") || rewritten.MatchString(src) {
			t.Skip("no Go file, or one that gofmt does more to")
		}
		if got, want := text(string(formatted)), text(src); plain(got) != plain(want) {
			t.Errorf("%q:\n%s\nformatted %q:\n%s", src, want, formatted, got)
		}
	})
}

// plain removes what gofmt adds, removes or rewrites besides layout: brackets around declarations and
// types, the spelling of numbers and strings, carriage returns.
func plain(tokens string) string {
	return strings.ToLower(strings.NewReplacer("( ", "", ") ", "", " )", "", "\r", "").Replace(tokens))
}

// TestShape: bodies that were written for several types have one shape, others have not; short ones have none.
func TestShape(t *testing.T) {
	const body = "{ return convert[int8](v, parse[int8], \"to int8\") }"
	for _, c := range []struct {
		reason, other string
		same          bool
	}{
		{"another type and text", "{ return convert[uint](v, parse[uint], \"to uint\") }", true},
		{"layout and comments", "{\n\treturn convert[int](v, // the value\n\t\tparse[int], \"\",\n\t)\n}", true},
		{"another function", "{ return convert[int8](v, scan[int8], \"to int8\") }", false},
		{"error is no basic type", "{ return convert[error](v, parse[error], \"to int8\") }", false},
	} {
		if got := symbol.Shape([]byte(body)) == symbol.Shape([]byte(c.other)); got != c.same {
			t.Errorf("%s: same %v, want %v", c.reason, got, c.same)
		}
	}
	if got := symbol.Shape([]byte("{ return f(x) }")); got != "" {
		t.Errorf("a short body has the shape %q", got)
	}
}
