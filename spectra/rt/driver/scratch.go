package driver

// This file keeps the surroundings of a sequence: standard output and error, the working folder,
// the environment.

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/spectradiff/spectradiff/spectra/rt"
)

// outputSize is how much of an output stream is reported.
const outputSize = 1 << 16

type scratch struct {
	work    string   // the working folder
	folders []string // working folder, HOME, TMPDIR
	env     []string
}

func (s *scratch) start() error {
	work, err := os.Getwd()
	if err != nil {
		return err
	}
	s.work = work
	s.env = os.Environ()
	s.folders = []string{work}
	for _, name := range []string{"HOME", "TMPDIR"} {
		if dir := os.Getenv(name); dir != "" && dir != work {
			s.folders = append(s.folders, dir)
		}
	}
	return nil
}

// encode reports what the sequence wrote: the streams, then the files.
func (s *scratch) encode(e *encoder) {
	e.b = appendStream(e, 1)
	e.b = appendStream(e, 2)
	type file struct {
		name string
		size int64
		a, b uint64
	}
	var files []file
	for _, dir := range s.folders {
		_ = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || path == dir {
				return nil
			}
			f := file{name: path}
			if entry.Type().IsRegular() {
				content, _ := os.ReadFile(path)
				f.size = int64(len(content))
				f.a, f.b = rt.Sum(content)
			}
			files = append(files, f)
			return nil
		})
	}
	e.uint(uint64(len(files)))
	for _, f := range files {
		e.string(f.name)
		e.uint(uint64(f.size))
		e.digest(f.a, f.b)
	}
}

// appendStream appends what was written to one of the streams.
func appendStream(e *encoder, fd int) []byte {
	var stat syscall.Stat_t
	if err := syscall.Fstat(fd, &stat); err != nil || stat.Size == 0 {
		e.string("")
		return e.b
	}
	text := make([]byte, min(stat.Size, outputSize))
	n, _ := syscall.Pread(fd, text, 0)
	e.string(string(text[:max(n, 0)]))
	return e.b
}

// clean makes the surroundings as they were when the driver started.
func (s *scratch) clean() {
	for fd := 1; fd <= 2; fd++ {
		var stat syscall.Stat_t
		if syscall.Fstat(fd, &stat) == nil && stat.Size > 0 {
			_ = syscall.Ftruncate(fd, 0)
		}
	}
	for _, dir := range s.folders {
		entries, err := os.ReadDir(dir)
		if err != nil {
			_ = os.MkdirAll(dir, 0o777)
		}
		for _, entry := range entries {
			_ = os.RemoveAll(filepath.Join(dir, entry.Name()))
		}
	}
	if dir, err := os.Getwd(); err != nil || dir != s.work {
		_ = os.Chdir(s.work)
	}
	os.Clearenv()
	for _, pair := range s.env {
		for i := 1; i < len(pair); i++ {
			if pair[i] == '=' {
				_ = os.Setenv(pair[:i], pair[i+1:])
				break
			}
		}
	}
}
