package suite

import (
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestMentioning: tests count with all that they mention, by what names stand for in their files.
func TestMentioning(t *testing.T) {
	const inside = `package m

import (
	"testing"

	"example.com/m/odd"
	other "example.com/dep/v2"
)

type wrap struct{ config }

func (w wrap) port() int { return w.Port }
func TestA(t *testing.T) { t.Log(wrap{}.port()) }
func TestB(t *testing.T) { help() }
func TestC(t *testing.T) { t.Log(rows[0].limit) }
func TestD(t *testing.T) { t.Log(strange.Level) }
func help() int { return limit }
`
	const external = `package m_test

import (
	"testing"

	"example.com/m"
	. "example.com/dep"
)

func TestE(t *testing.T) { t.Log(m.Limit) }
func TestF(t *testing.T) { limit := 1; t.Log(limit) }
func TestG(t *testing.T) { t.Log(Dotted) }
`
	const acting = "package m\nimport (\n\"testing\"\n_ \"example.com/blank\"\n)\nvar _ = register(config{})\n" +
		"func TestH(t *testing.T) {}\n"
	parse := func(name, source string) file {
		f, err := parsed(token.NewFileSet(), name, []byte(source))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	files := &Files{
		inside: []file{parse("m_test.go", inside)}, external: []file{parse("x_test.go", external)},
	}
	alone := &Files{inside: []file{parse("m_test.go", acting)}}
	for _, c := range []struct {
		reason, asked string
		files         *Files
		want          string
	}{
		{"a type, within another one", "example.com/m config", files, "TestA"},
		{"a constant, through a helper; fields and variables elsewhere differ", "example.com/m limit", files, "TestB"},
		{"a package whose name is not that of its path", "example.com/m/odd Level", files, "TestD"},
		{"the tested package, by its name", "example.com/m Limit", files, "TestE"},
		{"an import without a name", "example.com/dep Dotted", files, "TestG"},
		{"one that nothing mentions", "example.com/dep/v2 F", files, ""},
		{"what runs for all", "example.com/m config", alone, "TestH"},
		{"an import for what it does", "example.com/blank ", alone, "TestH"},
	} {
		found := c.files.Mentioning("example.com/m", func(path, name string) bool { return path+" "+name == c.asked })
		if got := strings.Join(slices.Sorted(maps.Keys(found)), " "); got != c.want {
			t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
		}
	}
}
