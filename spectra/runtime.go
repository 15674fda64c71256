package spectra

// This file holds the source of the runtime that is compiled into the target.

import (
	"bytes"
	"embed"
	"fmt"
	"path"
	"strings"
)

// RuntimePath is the import path of the runtime inside instrumented programs. The packages driver, which
// runs sequences, and wire, the codec, are below it.
const RuntimePath = "zspectra"

//go:embed rt/*.go rt/driver/*.go rt/wire/*.go
var runtimeFiles embed.FS

const sourcePath = "github.com/spectradiff/spectradiff/spectra/rt"

// RuntimeSource returns the runtime's files as they are compiled into the target, by their path
// below GOROOT/src: packages zspectra, zspectra/driver and zspectra/wire.
func RuntimeSource() (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, dir := range []string{"rt", "rt/driver", "rt/wire"} {
		entries, err := runtimeFiles.ReadDir(dir)
		if err != nil {
			return nil, fmt.Errorf("embedded runtime: %w", err)
		}
		for _, entry := range entries {
			if entry.IsDir() || strings.HasSuffix(entry.Name(), "_test.go") {
				continue
			}
			name := path.Join(dir, entry.Name())
			source, err := runtimeFiles.ReadFile(name)
			if err != nil {
				return nil, fmt.Errorf("embedded runtime: %w", err)
			}
			files[RuntimePath+strings.TrimPrefix(name, "rt")] = rename(source)
		}
	}
	return files, nil
}

// rename changes the import paths and package names in the source to those inside the target.
func rename(source []byte) []byte {
	source = bytes.Replace(source, []byte("\npackage rt\n"), []byte("\npackage "+RuntimePath+"\n"), 1)
	if bytes.HasPrefix(source, []byte("package rt\n")) {
		source = append([]byte("package "+RuntimePath+"\n"), source[len("package rt\n"):]...)
	}
	source = bytes.ReplaceAll(source, []byte(`"`+sourcePath+`/`), []byte(`"`+RuntimePath+`/`))
	return bytes.ReplaceAll(source, []byte(`"`+sourcePath+`"`), []byte(`rt "`+RuntimePath+`"`))
}
