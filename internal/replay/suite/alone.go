package suite

import "github.com/spectradiff/spectradiff/internal/replay/api"

// programClause is the package clause of the tests of a program without a program: what is called main can't be
// imported.
const programClause = "zspectra_main"

// Ignored is a file that is not built.
const Ignored = "//go:build ignore\n\npackage ignored\n"

// alone returns the configuration for files of a package with nothing but tests, which tell its name. Those that lie in
// its folder may have another name, so they are not seen.
func (s *Suite) alone(dir string, files *Files, cfg Config) Config {
	for _, name := range api.TestFiles(dir) {
		s.Files[name] = []byte(Ignored)
	}
	if len(files.inside) > 0 {
		cfg.Clause = files.inside[0].syntax.Name.Name
	}
	if cfg.Clause == "main" {
		cfg.Clause = programClause
	}
	return cfg
}
