package load

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/mod/modfile"
)

// TestReplacingInWorkspace: what a workspace uses it uses from another folder, and what that module replaces still
// comes from where it was.
func TestReplacingInWorkspace(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"m": "module example.com/m\n",
		"lib": "module example.com/lib\n\nreplace (\n\texample.com/base => ../base\n\texample.com/near => ./near\n" +
			"\texample.com/far => example.com/other v1.0.0\n)\n",
	} {
		if err := os.MkdirAll(filepath.Join(root, name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name, "go.mod"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	v := &Version{included: map[string]string{"example.com/lib": "/copy/lib", "example.com/old": "/copy/old"}}
	text, err := v.replacingInWorkspace([]byte("go 1.24\n\nuse " + root + "/m\n\nuse " + root + "/lib\n\n" +
		"replace example.com/base => /base\n\nreplace example.com/old v1.0.0 => " + root + "/old\n"))
	if err != nil {
		t.Fatal(err)
	}
	work, err := modfile.ParseWork("go.work", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, use := range work.Use {
		got = append(got, use.Path)
	}
	for _, r := range work.Replace {
		got = append(got, r.Old.String()+" => "+r.New.String())
	}
	slices.Sort(got)
	want := []string{
		root + "/m", "/copy/lib", "example.com/base => /base", "example.com/near => " + root + "/lib/near",
		"example.com/old => /copy/old",
	}
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
