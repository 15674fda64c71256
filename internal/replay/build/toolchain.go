package build

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
)

// toolchain is the toolchain of one version.
type toolchain struct {
	root    string // GOROOT
	version string
	command string
	env     []string
	folders gocommand.Folders
}

// findToolchain asks the go command which toolchain the module's go and toolchain lines select. A downloaded toolchain
// lies in the module cache, where Go 1.25 and later refuse overlays. It is then used through a folder of links
// elsewhere.
func (b *Builder) findToolchain(ctx context.Context, r Request) (toolchain, error) {
	said, err := b.selects(ctx, r)
	if err != nil {
		return toolchain{}, err
	}
	t := toolchain{root: said.root, version: said.version, env: r.Env, folders: r.Folders}
	fetched := strings.HasPrefix(t.root, said.modules+string(filepath.Separator))
	if !fetched {
		return t, nil
	}
	linked := b.Cache.Hold(cache.Toolchains, t.version)
	if err := link(linked, t.root); err != nil {
		return toolchain{}, fmt.Errorf("links to the toolchain %s: %w", t.version, err)
	}
	t.root = linked
	t.command = filepath.Join(linked, "bin", "go")
	t.folders = t.folders.With(gocommand.Folders{Read: []string{linked}})
	t.env = append(append([]string(nil), r.Env...), "GOROOT="+linked, "GOTOOLCHAIN=local")
	return t, nil
}

// A selection is what the go command says of the toolchain of a folder.
type selection struct{ root, version, modules string }

// Selections holds what the go command said of the toolchains of folders, for several Builders. The zero value holds
// nothing.
type Selections struct {
	mu    sync.Mutex
	known map[string]selection // by folder and environment
}

func (s *Selections) find(key string) (selection, bool) {
	if s == nil {
		return selection{}, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	said, ok := s.known[key]
	return said, ok
}

func (s *Selections) keep(key string, said selection) {
	if s == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known = map[string]selection{}
	}
	s.known[key] = said
}

// selects asks the go command which toolchain a folder selects, unless that is known.
func (b *Builder) selects(ctx context.Context, r Request) (selection, error) {
	key := strings.Join(append([]string{r.Dir}, r.Env...), "\x00")
	if said, ok := b.Selections.find(key); ok {
		return said, nil
	}
	command := gocommand.Command{Dir: r.Dir, Env: r.Env, Folders: r.Folders}
	out, errs, err := b.Go.Run(ctx, command, "env", "GOROOT", "GOVERSION", "GOMODCACHE")
	if err != nil {
		return selection{}, fmt.Errorf("go env: %w: %s", err, strings.TrimSpace(errs))
	}
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != 3 {
		return selection{}, fmt.Errorf("go env: unexpected output %q", out)
	}
	said := selection{root: lines[0], version: lines[1], modules: lines[2]}
	b.Selections.keep(key, said)
	return said, nil
}

// link makes a folder that looks like the toolchain's. Only its folder src is real; the rest are links.
func link(folder, root string) error {
	for _, dir := range []string{"", "src"} {
		if err := os.MkdirAll(filepath.Join(folder, dir), 0o777); err != nil {
			return err
		}
		entries, err := os.ReadDir(filepath.Join(root, dir))
		if err != nil {
			return err
		}
		for _, entry := range entries {
			name := filepath.Join(dir, entry.Name())
			if name == "src" {
				continue
			}
			if err := linkOnce(filepath.Join(root, name), filepath.Join(folder, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// linkOnce makes a link unless it exists. It replaces anything else of that name: the toolchain may have moved.
func linkOnce(target, name string) error {
	err := os.Symlink(target, name)
	if !os.IsExist(err) {
		return err
	}
	if found, err := os.Readlink(name); err == nil && found == target {
		return nil
	}
	part, err := os.MkdirTemp(filepath.Dir(name), "part-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(part)
	made := filepath.Join(part, filepath.Base(name))
	if err := os.Symlink(target, made); err != nil {
		return err
	}
	if info, err := os.Lstat(name); err == nil && info.IsDir() {
		if err := os.RemoveAll(name); err != nil {
			return err
		}
	}
	return os.Rename(made, name)
}
