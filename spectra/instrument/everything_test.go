package instrument

import (
	"os"
	"strings"
	"testing"
)

// long says that the whole corpus is wanted, as "make test-long" does.
func long() bool { return os.Getenv("SPECTRADIFF_LONG") != "" }

func TestScratch(t *testing.T) {
	root := goroot(t)
	patterns := strings.Fields(os.Getenv("PKGS"))
	pkgs := load(t, root+"/src", patterns...)
	list := instrumentAll(t, root+"/src", pkgs)
	o := overlay(t, list, os.Getenv("ON") != "", nil)
	args := []string{"test", "-vet=off", "-short", "-overlay", o}
	for _, p := range list {
		t.Log(p.Path, len(p.Points), len(p.Blocks), len(p.Skipped))
		args = append(args, p.Path)
	}
	out, text, err := try(root+"/src", nil, "go", args...)
	t.Log(out, text, err)
}
