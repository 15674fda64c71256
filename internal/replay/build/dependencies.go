package build

import (
	"context"
	"os"

	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/replay/load"
)

// Exports returns how the dependencies of a version's driver are compiled, so that their export data is that of the
// driver, and they are compiled once. It returns nothing where the runtime can't be extended, or is used through links.
func (b *Builder) Exports(ctx context.Context, dir string, env []string, folders gocommand.Folders) load.Exports {
	r := Request{Dir: dir, Env: env, Folders: folders}
	t, err := b.findToolchain(ctx, r)
	if err != nil || t.command != "" {
		return load.Exports{}
	}
	built := &Binary{GoVersion: t.version, GoRoot: t.root}
	files, err := overlay(r, t.root, true, built)
	if err != nil || !built.Patched {
		return load.Exports{}
	}
	flags := flagsFor(t, built, nil)
	r.Dir, r.Env = "", nil // the files are the same for all versions
	held := b.Cache.Hold(cache.Toolchains, "runtime-"+b.key(r, files, built, flags))
	err = os.MkdirAll(held, 0o777)
	if err != nil {
		return load.Exports{}
	}
	laid, err := writeOverlay(held, files)
	if err != nil {
		b.Log("extended runtime for export data: %v", err)
		return load.Exports{}
	}
	return load.Exports{
		Flags: append([]string{"-overlay", laid}, flags...), Folders: gocommand.Folders{Read: []string{held}},
	}
}
