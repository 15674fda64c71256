package attributes

import (
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestAsGit compares with git on random files of attributes.
func TestAsGit(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	t.Setenv("XDG_CONFIG_HOME", dir)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	git("init", "-q")
	random := rand.New(rand.NewSource(5))
	one := func(of ...string) string { return of[random.Intn(len(of))] }
	names := []string{"text", "eol", "filter", "mine", "binary"}
	line := func() string {
		pattern := one("*", "*.a", "x*", "/x.a", "d/*", "d/**", "**/x.a", "d/", "e/f/", `"x y.a"`, `"x\040y.a"`,
			"[xy].a", "!x.a", "[attr]mine", "[attr]odd", "# x.a", "  x.a", "d/e", "***/x.a", `"unended x.a`)
		for range random.Intn(4) {
			pattern += one(" ", "\t", "  ") + one("", "", "-", "!") +
				one(append(names, "odd", "eol=crlf", "text=auto")...)
		}
		return pattern + one("\n", "\r\n", " \n")
	}
	paths := []string{"x.a", "x y.a", "y.b", "d/x.a", "d/e/x.a", "d/e/f/y.b", "e/f/x.a", "d/e", "mine"}
	must := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	must(os.MkdirAll(filepath.Join(dir, "d", "e", "f"), 0o755))
	places := []struct{ name, base string }{
		{".gitattributes", ""}, {"d/.gitattributes", "d/"}, {".git/info/attributes", ""},
	}
	for round := range 150 {
		var files []File
		var texts []string
		for _, place := range places {
			text := one("", "\ufeff")
			for range random.Intn(6) {
				text += line()
			}
			name := filepath.Join(dir, place.name)
			must(os.WriteFile(name, []byte(text), 0o644))
			texts = append(texts, text)
			if file, ok := Read(name, place.base); ok {
				files = append(files, file)
			}
		}
		said := git(append(append([]string{"check-attr", "-z"}, append(names, "--")...), paths...)...)
		fields := strings.Split(said, "\x00")
		for i := 0; i+2 < len(fields); i += 3 {
			path, name, want := fields[i], fields[i+1], fields[i+2]
			switch value := Of(files, path)[name]; {
			case want == "set" && value == Set, want == "unset" && value == Unset, want == "unspecified" && value == "":
			case want == value && value != "":
			default:
				t.Fatalf("round %d: %s of %s is %q, git says %q\n%s", round, name, path, value, want,
					fmt.Sprintf("%q", texts))
			}
		}
	}
}
