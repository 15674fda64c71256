package sandbox

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	landlock "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// StartCommand starts a command. It is killed when ctx ends.
func (s *Sandbox) StartCommand(ctx context.Context, c Command) (*Process, error) {
	if !filepath.IsAbs(c.Path) || !filepath.IsAbs(c.Dir) {
		return nil, fmt.Errorf("start %s in %s: both must be absolute paths", c.Path, c.Dir)
	}
	req := request{
		Binary: c.Path, Args: c.Args, Env: c.Env, Limits: c.Limits,
		Command: &commandRequest{Dir: c.Dir, Network: c.Network, LowPriority: c.LowPriority, Grants: grantsOf(c)},
	}
	return s.start(ctx, req, Config{Stdout: c.Stdout, Stderr: c.Stderr})
}

// A commandRequest is the part of a request that only commands have.
type commandRequest struct {
	Dir     string
	Network bool

	LowPriority bool
	Grants      []grant
}

// A grant is a permission for a path.
type grant struct {
	Path  string
	Write bool
}

// grantsOf lists the grants of a command. A folder comes before the paths in it. Paths covered by a folder are not
// listed again.
func grantsOf(c Command) []grant {
	var all, kept []grant
	add := func(write bool, paths ...string) {
		for _, path := range paths {
			resolved, err := filepath.EvalSymlinks(path)
			if err == nil && filepath.IsAbs(path) {
				all = append(all, grant{filepath.Clean(path), write}, grant{resolved, write})
			}
		}
	}
	add(true, c.Write...)
	add(false, SystemFolders()...)
	add(false, c.Path)
	add(false, c.Read...)
	slices.SortStableFunc(all, func(a, b grant) int { return strings.Compare(a.Path, b.Path) })
	for _, g := range all {
		covered := slices.ContainsFunc(kept, func(by grant) bool {
			return (by.Write || !g.Write) && (by.Path == g.Path || strings.HasPrefix(g.Path, by.Path+"/"))
		})
		if !covered {
			kept = append(kept, g)
		}
	}
	return kept
}

// fillCommand binds the granted paths into the new root.
func fillCommand(c *commandRequest, env []string) error {
	for _, g := range c.Grants {
		attributes := uint64(unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV)
		if !g.Write {
			attributes |= unix.MOUNT_ATTR_RDONLY
		}
		if err := bind(g.Path, g.Path, attributes); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	// Some programs ask for the user's home folder.
	home := "/"
	for _, entry := range env {
		if value, ok := strings.CutPrefix(entry, "HOME="); ok && !strings.ContainsAny(value, ":\n") {
			home = value
		}
	}
	return writeMissing(map[string]string{
		"passwd": fmt.Sprintf("root:x:0:0::%[1]s:/bin/sh\nnobody:x:65534:65534::%[1]s:/bin/sh\n", home),
		"group":  "root:x:0:\nnogroup:x:65534:\n",
		"hosts":  "127.0.0.1 localhost\n",
	})
}

// commandRules adds Landlock rules for the granted paths.
func commandRules(c *commandRequest, allow func(path string, rights uint64, mayBeMissing bool)) {
	rights := uint64(mayRead | mayExecute)
	if c.Network { // a key agent is a socket in the file tree
		rights |= landlock.AccessFSResolveUnix
	}
	for _, g := range c.Grants {
		if g.Write {
			allow(g.Path, rights|mayWrite, true)
		} else {
			allow(g.Path, rights, true)
		}
	}
}

// addCommandCredentials drops all capabilities permanently, but leaves root the one to read and write files of others,
// because root's caches may belong to any user.
func addCommandCredentials(s *script) {
	header := &unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var kept [2]unix.CapUserData
	if unix.Geteuid() == 0 && unix.Capget(header, &kept[0]) == nil {
		// Root may lack it, as in some containers.
		held := kept[0].Permitted & (1 << unix.CAP_DAC_OVERRIDE)
		kept = [2]unix.CapUserData{{Effective: held, Permitted: held}}
	}
	for capability := range uintptr(unix.CAP_LAST_CAP + 1) {
		if capability != unix.CAP_DAC_OVERRIDE {
			s.try("bound capabilities", unix.SYS_PRCTL, unix.PR_CAPBSET_DROP, capability, 0, 0, 0)
		}
	}
	s.add("drop capabilities", unix.SYS_CAPSET, hand(s, header), hand(s, &kept))
}
