package harness

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/spectradiff/spectradiff/replay/target"
)

func TestScratch(t *testing.T) {
	dirs, _ := filepath.Glob("/tmp/surf/mods/" + os.Getenv("M"))
	for _, d := range dirs {
		t.Run(filepath.Base(d), func(t *testing.T) {
			start := time.Now()
			v := load(t, d)
			t.Log("load", time.Since(start), v.GoVersion, len(v.Packages), v.Broken, v.Warnings)
			start = time.Now()
			s := target.Common(v, v, paths(v))
			t.Log("common", time.Since(start), len(s.Operations), len(s.Types), len(s.Structural), len(s.Shapes), len(s.Vars))
			start = time.Now()
			pool := target.Constants(v, paths(v))
			t.Log("constants", time.Since(start), len(pool.Strings), len(pool.Runes), len(pool.Ints), len(pool.Floats))
			target.Reach(v, s.Operations, nil)
			h := source(t, v, s, paths(v))
			t.Log(len(h.Files), h.Skipped)
			start = time.Now()
			out := run(t, v, h)
			t.Log("built", time.Since(start), len(out))
			os.WriteFile("/tmp/surf/"+filepath.Base(d)+".out", []byte(out), 0o666)
		})
	}
}
