package suite

import (
	"syscall"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// initialising notes which package is being initialised, "" for none, where the tool finds it if the process ends in
// that: an exit and a wait leave no trace.
func initialising(path string) {
	mark := make([]byte, len(wire.EventsMark))
	n, err := syscall.Pread(wire.EventsFile, mark, wire.HeaderMark)
	if err == nil && string(mark[:n]) == wire.EventsMark && len(path) <= wire.MostPackage {
		_, _ = syscall.Pwrite(wire.EventsFile, append([]byte(path), 0), wire.HeaderPackage)
	}
}
