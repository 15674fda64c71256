package markdown_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/spectradiff/spectradiff/internal/report/markdown"
)

// hostile are values that mean something to GitHub, GitLab, a browser, a terminal or a build machine.
var hostile = []string{
	"plain words", "", " ", "1. one", "- a", "+ a", "# heading", "===\n", "---", "> quote", "a\n\nb", "1) x",
	"`", "``", "a`b``c", "````\nx", strings.Repeat("`", 300), "~~~\n", "` x", "\"`\"",
	"<!-- -->", "-->", "<script>alert(1)</script>", "</details>", "</summary><b>", "<img src=x onerror=y>", "&lt;b&gt;",
	"@octocat", "@org/team", "(@octocat)", "x@example.com", "#123", "GH-123", "org/repo#1", "!7", "$7", "%7",
	"~bug", "&3",
	"0123456789abcdef0123456789abcdef01234567", "deadbeef", "(deadbeef)", ":tada:", "$`x`$", "$x$",
	"[a](https://example.com)", "![a](https://example.com/x.png)", "[a]: https://example.com", "[^1]", "[x]",
	"https://example.com", "http://example.com.", "www.example.com", "<https://example.com>", "mailto:a@example.com",
	"|a|b|\n|-|-|", "a | b", "**a**", "_a_", "~~a~~", `\`, `a\`, `\*a\*`, "/close", "/merge", "\n/close\n", "//x",
	"a\u202eb", "a\u2066b\u2069", "a\u200bb", "a\u2028b", "a\x00b", "a\xffb", "a\x1b[2Jb", "a\rb", "a\tb",
	"::error::x", "##[error]x", "##vso[task.x]", "```diff\n+ a\n```", "\"open", strings.Repeat("\"a\" b ", 40),
	"    indented", "\tindented", "+++", "@@ -1 +1 @@\n x\n", "$(id)", "'; id '", "\n<!-- spectradiff -->\n",
}

// TestHostile: whatever every text of a report is, the comment has the parts that it should have and no others.
func TestHostile(t *testing.T) {
	want := slices.Repeat([]string{detail}, 5)
	want = append(want, commits, further, missing, warnings, compared)
	for _, value := range hostile {
		got := write(t, filled(value), page)
		folded := check(t, got, true)
		if strings.TrimSpace(value) == "" { // nothing to warn of
			folded = slices.Insert(folded, len(folded)-1, warnings)
		}
		if !slices.Equal(folded, want) {
			t.Errorf("%q: folded are %q", value, folded)
		}
		if t.Failed() {
			t.Fatalf("%q leads to:\n%s", value, got)
		}
	}
}

// FuzzWrite has any text in every place.
func FuzzWrite(f *testing.F) {
	for _, value := range hostile {
		f.Add(value)
	}
	f.Fuzz(func(t *testing.T, value string) {
		got := write(t, filled(value), page)
		if check(t, got, true); t.Failed() {
			t.Log(got)
		}
	})
}

// special matches what GitHub and GitLab look for in texts that are no code.
var special = regexp.MustCompile("[@#!$~^&<>`\\[\\]|_\\\\]|://|www\\.|:[a-z]+:|[A-Z]+-[0-9]|[0-9a-f]{7,}|%[0-9]")

// check reads a comment as GitHub does, complains about all that must not be in it, and returns the titles of its
// folded parts.
func check(t testing.TB, comment string, link bool) (folded []string) {
	t.Helper()
	if !utf8.ValidString(comment) {
		t.Error("no UTF-8")
	}
	hidden := func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) }
	if i := strings.IndexFunc(comment, hidden); i >= 0 {
		t.Errorf("a character that is not printed at byte %d: %q", i, comment[i:min(len(comment), i+9)])
	}
	if !strings.HasPrefix(comment, markdown.Mark+"\n**") || strings.Count(comment, "\n"+markdown.Mark) > 0 {
		t.Errorf("the mark is not the first line alone: %.60q", comment)
	}
	c := checker{TB: t, source: []byte(comment)}
	parser := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser()
	if err := ast.Walk(parser.Parse(text.NewReader(c.source)), c.node); err != nil {
		t.Error(err)
	}
	if len(c.folded) != c.closed || link && c.links == 0 || !link && c.links > 0 {
		t.Errorf("%d opened and %d closed parts, %d links", len(c.folded), c.closed, c.links)
	}
	return c.folded
}

// A checker walks the tree of a comment.
type checker struct {
	testing.TB
	source        []byte
	folded        []string
	closed, links int
}

func (c *checker) node(n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	switch n := n.(type) {
	case *ast.Document, *ast.Paragraph, *ast.TextBlock, *ast.ListItem, *ast.Emphasis:
	case *ast.List:
		if n.IsOrdered() {
			c.Error("an ordered list")
		}
	case *ast.CodeSpan:
		return ast.WalkSkipChildren, nil
	case *ast.FencedCodeBlock:
		c.code(n)
	case *ast.HTMLBlock:
		c.html(n)
	case *ast.Link:
		if c.links++; !strings.HasPrefix(string(n.Destination), "https://ci.example.com/") {
			c.Errorf("a link to %q", n.Destination)
		}
	case *ast.Text:
		if found := special.Find(n.Value(c.source)); found != nil {
			c.Errorf("%q in the text %q", found, n.Value(c.source))
		}
	default:
		c.Errorf("%s: %q", n.Kind(), n.Text(c.source)) //nolint:staticcheck // for the message alone
	}
	return ast.WalkContinue, nil
}

func (c *checker) code(n *ast.FencedCodeBlock) {
	language := string(n.Language(c.source))
	if !slices.Contains([]string{"diff", "go", "text", "sh"}, language) {
		c.Errorf("code in %q", language)
	}
	for i := range n.Lines().Len() {
		at := n.Lines().At(i)
		if line := string(at.Value(c.source)); strings.HasPrefix(line, "/") || strings.HasPrefix(line, "::") {
			c.Errorf("a command in code: %q", line)
		}
	}
}

func (c *checker) html(n *ast.HTMLBlock) {
	html := string(n.Lines().Value(c.source))
	if n.HasClosure() {
		html += string(n.ClosureLine.Value(c.source))
	}
	title, folds := strings.CutPrefix(html, "<details>\n<summary>")
	title, ends := strings.CutSuffix(title, "</summary>\n")
	switch {
	case folds && ends && slices.Contains(titles, title):
		c.folded = append(c.folded, title)
	case html == "</details>\n":
		c.closed++
	case html == markdown.Mark+"\n" && n.Parent().FirstChild() == n:
	default:
		c.Errorf("HTML: %q", html)
	}
}
