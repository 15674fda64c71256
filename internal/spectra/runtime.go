package spectra

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

// RuntimePath is the import path of the runtime inside instrumented programs. Package driver below it runs
// sequences; the other packages below it are parts of the runtime.
const RuntimePath = "zspectra"

//go:embed rt/*.go rt/*/*.go
var runtimeFiles embed.FS

const sourcePath = "github.com/spectradiff/spectradiff/internal/spectra/rt"

// RuntimeSource returns the runtime's files as they are compiled into the target, by their path below
// GOROOT/src: package zspectra and those below it.
func RuntimeSource() (map[string][]byte, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(runtimeFiles, "rt", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || strings.HasSuffix(name, "_test.go") {
			return err
		}
		source, err := runtimeFiles.ReadFile(name)
		files[RuntimePath+strings.TrimPrefix(name, "rt")] = rename(source)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("embedded runtime: %w", err)
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
