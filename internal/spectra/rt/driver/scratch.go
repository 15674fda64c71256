package driver

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/spectradiff/spectradiff/internal/spectra/rt"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/digest"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

const umask = 0o022

type scratch struct {
	work    string   // the working folder
	folders []folder // working folder, HOME, TMPDIR
	env     []string
	streams [2]stream   // standard output and error
	files   [3]*os.File // what package os calls standard input, output and error
	threads int         // that may run at a time; where the runtime is patched, as far as the program knows
}

// folder is one that must be empty when a sequence starts.
type folder struct {
	path string
	id   fileID
}

// untouchedTime is the time of modification that an empty folder is given: whatever is made in it
// makes that a later one, so one look at the folder is enough.
var untouchedTime = syscall.NsecToTimespec(946684800e9)

type stream struct {
	id   fileID
	size int64
}

// A fileID identifies a file.
type fileID struct{ device, node uint64 }

func idOf(s *syscall.Stat_t) fileID { return fileID{uint64(s.Dev), s.Ino} }

func (s *scratch) start() error {
	work, err := os.Getwd()
	if err != nil {
		return err
	}
	s.work = work
	s.env = os.Environ()
	s.files = [3]*os.File{os.Stdin, os.Stdout, os.Stderr}
	for i := range s.streams {
		var stat syscall.Stat_t
		if err := syscall.Fstat(1+i, &stat); err != nil {
			return err
		}
		s.streams[i].id = idOf(&stat)
	}
	for _, path := range []string{work, os.Getenv("HOME"), os.Getenv("TMPDIR")} {
		if path == "" || slices.ContainsFunc(s.folders, func(f folder) bool { return f.path == path }) {
			continue
		}
		var stat syscall.Stat_t
		if err := syscall.Stat(path, &stat); err != nil {
			return err
		}
		f := folder{path, idOf(&stat)}
		f.empty()
		s.folders = append(s.folders, f)
	}
	syscall.Umask(umask)
	s.threads = 1
	if rt.Patched {
		s.threads = runtime.GOMAXPROCS(0) // what initialisation asked for
	}
	return nil
}

// untouched reports whether the folder is there and nothing was made in it.
func (f *folder) untouched() bool {
	var stat syscall.Stat_t
	return syscall.Stat(f.path, &stat) == nil && idOf(&stat) == f.id && modified(&stat) == untouchedTime
}

// look notes what was written to the streams.
func (s *scratch) look() {
	for i := range s.streams {
		var stat syscall.Stat_t
		s.streams[i].size = 0
		if syscall.Fstat(1+i, &stat) == nil && idOf(&stat) == s.streams[i].id {
			s.streams[i].size = stat.Size
		}
	}
}

// encode reports what the sequence wrote: the streams, then the files.
func (s *scratch) encode(e *wire.Writer) {
	s.look()
	for i, stream := range s.streams {
		text := make([]byte, min(stream.size, wire.OutputSize))
		n, _ := syscall.Pread(1+i, text, 0)
		e.Bytes(text[:max(n, 0)])
	}
	var files []file
	for i := range s.folders {
		if f := &s.folders[i]; !f.untouched() {
			files = append(files, filesIn(f.path, filepath.Dir(s.work)+"/")...)
		}
	}
	for last := wire.Files - 1; len(files) > wire.Files; files = files[:len(files)-1] {
		files[last] = files[last].with(files[len(files)-1])
	}
	e.Count(len(files))
	for _, f := range files {
		e.Text(cut(f.name))
		e.Uint(uint64(f.size))
		e.Digest([2]uint64{f.a, f.b})
	}
}

type file struct {
	name string
	size int64
	a, b uint64
}

// with returns an entry that stands for two files.
func (f file) with(other file) file {
	a, b := digest.Of([]byte(other.name))
	h := digest.Hash{A: f.a, B: f.b}.Pair(a, b).Pair(other.a, other.b)
	return file{"further files", f.size + other.size, h.A, h.B}
}

// filesIn lists the files in a folder. Their names don't say where the scratch folder lies, which differs from run to
// run on some machines.
func filesIn(dir, scratch string) (files []file) {
	_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return nil
		}
		f := file{name: strings.TrimPrefix(path, scratch)}
		if entry.Type().IsRegular() {
			content, _ := os.ReadFile(path)
			f.size = int64(len(content))
			f.a, f.b = digest.Of(content)
		}
		files = append(files, f)
		return nil
	})
	return files
}

// clean makes the surroundings as they were when the driver started, and reports whether it could.
func (s *scratch) clean() bool {
	clean := !crowded()
	for i := range s.streams {
		var stat syscall.Stat_t
		if syscall.Fstat(1+i, &stat) != nil || idOf(&stat) != s.streams[i].id {
			clean = false
		} else if stat.Size > 0 {
			clean = syscall.Ftruncate(1+i, 0) == nil && clean
		}
	}
	for i := range s.folders {
		if f := &s.folders[i]; !f.untouched() {
			clean = f.empty() && clean
		}
	}
	if path, err := syscall.Getwd(); err != nil || path != s.work {
		clean = os.Chdir(s.work) == nil && clean
	}
	os.Stdin, os.Stdout, os.Stderr = s.files[0], s.files[1], s.files[2]
	syscall.Umask(umask)
	s.environment()
	debug.SetMaxStack(maxStack)
	if runtime.GOMAXPROCS(0) != s.threads {
		runtime.GOMAXPROCS(s.threads)
	}
	return clean
}

// mostLeft is the number of descriptors that sequences may leave open together, of the 256 that a process has: what one
// can open must not depend on those before it.
const mostLeft = 64

// crowded reports whether sequences left more open than that.
func crowded() bool {
	free, err := syscall.Dup(2) // the lowest one
	if err != nil {
		return true
	}
	_ = syscall.Close(free)
	return free > mostLeft
}

// empty removes what is in a folder, and reports whether it is the same folder still.
func (f *folder) empty() bool {
	entries, _ := os.ReadDir(f.path)
	for _, entry := range entries {
		_ = os.RemoveAll(filepath.Join(f.path, entry.Name()))
	}
	_ = syscall.UtimesNano(f.path, []syscall.Timespec{untouchedTime, untouchedTime})
	entries, err := os.ReadDir(f.path)
	var stat syscall.Stat_t
	return err == nil && len(entries) == 0 && syscall.Stat(f.path, &stat) == nil && idOf(&stat) == f.id
}

func (s *scratch) environment() {
	if slices.Equal(os.Environ(), s.env) {
		return
	}
	os.Clearenv()
	for _, pair := range s.env {
		name, value, _ := strings.Cut(pair, "=")
		_ = os.Setenv(name, value)
	}
}
