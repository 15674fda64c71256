package sandbox

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

const zoneinfo = "/usr/share/zoneinfo"

var devices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}

// libraries are the usual folders of shared libraries and their loaders.
var libraries = []string{
	"/lib", "/lib32", "/lib64", "/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/local/lib",
	"/nix/store", "/gnu/store", "/etc/ld.so.cache",
}

// staging is the path at which the new root is mounted before it becomes the root. The folder must exist everywhere and
// must contain nothing that is bound into the new root.
const staging = "/proc"

const insideBinary = "/driver"

// unshareMounts gives the calling thread its own file tree, host name and System V objects.
func unshareMounts() error {
	if err := unix.Unshare(unix.CLONE_FS | unix.CLONE_NEWNS | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS); err != nil {
		return fmt.Errorf("make a mount namespace: %w", err)
	}
	if err := unix.Sethostname([]byte("localhost")); err != nil {
		return fmt.Errorf("name the sandbox's host: %w", err)
	}
	return nil
}

// prepareRoot makes a root in staging with everything that a driver needs and nothing else. It changes the paths of
// where to those in the new root. If where is nil, the root is an empty skeleton.
func prepareRoot(where *place) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("make mounts private: %w", err)
	}
	if err := unix.Mount("tmpfs", staging, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "mode=0755,size=1m"); err != nil {
		return fmt.Errorf("mount the sandbox's root: %w", err)
	}
	if err := fillRoot(where); err != nil {
		return fmt.Errorf("fill the sandbox's root: %w", err)
	}
	return nil
}

// switchRoot makes staging the thread's root. Process 1 mounts its /proc there first, because the kernel allows a user
// namespace to mount one only if it can see one.
func switchRoot() error {
	if err := unix.Chdir(staging); err != nil {
		return fmt.Errorf("enter the sandbox's root: %w", err)
	}
	// The old root is stacked on the new one and then unmounted, so it needs no folder.
	if err := unix.PivotRoot(".", "."); err != nil {
		return fmt.Errorf("change to the sandbox's root: %w", err)
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("take off the old root: %w", err)
	}
	if err := unix.Chdir("/"); err != nil {
		return fmt.Errorf("enter the sandbox's root: %w", err)
	}
	return setMount("/", unix.MOUNT_ATTR_RDONLY, 0)
}

func fillRoot(where *place) error {
	for _, dir := range []string{"proc", "dev", "etc"} {
		if err := os.Mkdir(filepath.Join(staging, dir), 0o755); err != nil {
			return err
		}
	}
	for _, device := range devices {
		const readOnly = unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NOEXEC | unix.MOUNT_ATTR_RDONLY
		if err := bind(device, device, readOnly); err != nil {
			return err
		}
	}
	switch {
	case where == nil:
		return nil
	case where.command != nil:
		return fillCommand(where.command, where.env)
	}
	err := writeMissing(map[string]string{
		"passwd": "nobody:x:65534:65534::" + inside + "/home:/bin/false\n",
		"group":  "nogroup:x:65534:\n",
		"hosts":  "127.0.0.1 localhost\n",
	})
	if err != nil {
		return err
	}
	return fillPlace(where)
}

// writeMissing writes files into the new root's /etc, but not through a file that is bound there.
func writeMissing(files map[string]string) error {
	for name, text := range files {
		f, err := os.OpenFile(filepath.Join(staging, "etc", name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			_, err = f.WriteString(text)
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// fillPlace binds the driver's own files.
func fillPlace(where *place) error {
	const safe = unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV
	if err := bind(where.binary, insideBinary, safe|unix.MOUNT_ATTR_RDONLY); err != nil {
		return err
	}
	show := func() error { return bind(where.scratch, inside, safe|unix.MOUNT_ATTR_NOEXEC) }
	if where.disk > 0 {
		show = func() error { return makeScratch(where) }
	}
	if err := show(); err != nil {
		return err
	}
	optional := slices.Concat(where.zones, where.libraries)
	for _, path := range slices.Concat(optional, where.readable) {
		err := bindOnce(path, safe|unix.MOUNT_ATTR_RDONLY)
		if errors.Is(err, fs.ErrNotExist) && slices.Contains(optional, path) {
			continue
		}
		if err != nil {
			return err
		}
	}
	shown := where.shown
	for _, file := range where.kept {
		shown = append(shown, Shown{Folder: file, At: file})
	}
	for _, folder := range shown {
		if err := direct(folder.At); err != nil {
			return err
		}
		if err := bind(folder.Folder, folder.At, safe|unix.MOUNT_ATTR_RDONLY); err != nil {
			return err
		}
	}
	if err := makeCopies(where); err != nil {
		return err
	}
	where.binary, where.scratch, where.work = insideBinary, inside, filepath.Join(inside, "work")
	return nil
}

// bindOnce binds a path of the host to the same path. A symbolic link stays a link.
func bindOnce(path string, attributes uint64) error {
	if _, err := os.Lstat(staging + path); err == nil {
		return nil // it is, or lies below, a path that is already bound
	}
	target, err := os.Readlink(path)
	if err != nil {
		return bind(path, path, attributes)
	}
	if err := os.MkdirAll(filepath.Dir(staging+path), 0o755); err != nil {
		return err
	}
	if err := os.Symlink(target, staging+path); err != nil {
		return err
	}
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		return bindOnce(resolved, attributes)
	}
	return nil
}

// direct returns an error for a path in the new root that leads through a link, such as one of a folder that is shown.
// While the root is filled, absolute links lead to the host's files.
func direct(at string) error {
	path := staging
	for name := range strings.SplitSeq(strings.Trim(filepath.Clean(at), "/"), "/") {
		path = filepath.Join(path, name)
		info, err := os.Lstat(path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && info.Mode().Type() == fs.ModeSymlink {
			err = fmt.Errorf("show a folder as %s: %s is a link there", at, strings.TrimPrefix(path, staging))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func bind(source, at string, attributes uint64) error {
	info, err := os.Stat(source)
	if err != nil {
		return err
	}
	target := staging + at
	if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
		return err
	}
	switch _, err = os.Lstat(target); {
	case err == nil: // it lies in a folder that is already bound
	case info.IsDir():
		err = os.MkdirAll(target, 0o755)
	default:
		err = os.WriteFile(target, nil, 0o644)
	}
	if err != nil {
		return err
	}
	if err := unix.Mount(source, target, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("bind %s: %w", source, err)
	}
	return setMount(target, attributes, unix.AT_RECURSIVE)
}

func setMount(path string, attributes uint64, flags uint) error {
	attr := &unix.MountAttr{Attr_set: attributes}
	err := unix.MountSetattr(unix.AT_FDCWD, path, flags, attr)
	for n := 0; err == unix.EBUSY && n < busyAttempts; n++ {
		time.Sleep(busyPause)
		err = unix.MountSetattr(unix.AT_FDCWD, path, flags, attr)
	}
	if err != nil {
		return fmt.Errorf("protect %s in the sandbox: %w", path, err)
	}
	return nil
}

// Number of attempts, and pause between them, to protect a mount during a write. For the kernel, the first access to a
// file is a write.
const (
	busyAttempts = 500
	busyPause    = 2 * time.Millisecond
)

// giveAway changes the owner of the scratch folder to the driver's user. It resolves names only below the folder,
// whatever an earlier driver left there.
func giveAway(scratch string) error {
	root, err := os.OpenRoot(scratch)
	if err != nil {
		return fmt.Errorf("open the scratch folder: %w", err)
	}
	defer root.Close()
	err = fs.WalkDir(root.FS(), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return root.Lchown(path, nobody, nobody)
	})
	if err != nil {
		return fmt.Errorf("hand over the scratch folder: %w", err)
	}
	return nil
}
