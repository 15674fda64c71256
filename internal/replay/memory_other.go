//go:build !linux

package replay

import "os"

// fixedMemory makes memory for the driver and the tool to share, as a temporary file without a name. Here the target
// can change its size.
func fixedMemory(size int64) (*os.File, error) {
	f, err := memory("events", 0)
	if err != nil {
		return nil, err
	}
	if err := f.Truncate(size); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// appendedMemory makes memory that is opened for appending. Standard output is so when several processes write to it as
// a file.
func appendedMemory(name string) (*os.File, error) { return memory(name, os.O_APPEND) }

func memory(name string, flag int) (*os.File, error) {
	dir, err := os.MkdirTemp("", "spectradiff-"+name+"-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	return os.OpenFile(dir+"/"+name, os.O_RDWR|os.O_CREATE|os.O_EXCL|flag, 0o600)
}
