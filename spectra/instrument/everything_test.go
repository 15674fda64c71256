package instrument

import (
	"os"
	"testing"
)

// long says that the whole corpus is wanted, as "make test-long" does.
func long() bool { return os.Getenv("SPECTRADIFF_LONG") != "" }

func TestScratch(t *testing.T) {
	root := goroot(t)
	pkgs := load(t, root+"/src", os.Getenv("PKGS"))
	list := instrumentAll(t, root+"/src", pkgs)
	o := overlay(t, list, os.Getenv("ON") != "", nil)
	for _, p := range list {
		if d := os.Getenv("SHOW"); d != "" {
			for n, s := range p.Files {
				t.Logf("%s\n%s", n, s)
			}
		}
		out, text, err := try(root+"/src", nil, "go", "test", "-vet=off", "-short", "-overlay", o, p.Path)
		if err != nil {
			t.Errorf("%s: %v\n%s%s", p.Path, err, out, text)
		} else {
			t.Log(out)
		}
	}
}
