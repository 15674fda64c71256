package module

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"golang.org/x/mod/module"

	"github.com/spectradiff/spectradiff/internal/replay/repository"
)

// sources holds the evidence in a tree's Go files about their module.
type sources struct {
	root    string
	files   []string        // slash-separated
	folders map[string]bool // with Go files
	parsed  []source
}

type source struct {
	folder  string
	name    string // package name
	comment string // import comment
	imports []string
	newest  int // minor version of the first Go release that accepts the syntax; 0 = any
}

var importComment = regexp.MustCompile(`(?m)^package\s+\w+\s*(?://|/\*)\s*import\s+"([^"]+)"`)

// readSources parses the Go files of a tree, except in folders without packages of the module.
func readSources(root string) (sources, error) {
	s := sources{root: root, folders: map[string]bool{}}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name != root && skippedFolder(d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		s.add(filepath.ToSlash(rel))
		return nil
	})
	return s, err
}

// skippedFolder reports whether the go command ignores a folder's packages.
func skippedFolder(name string) bool {
	return name == "vendor" || name == "testdata" || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_")
}

func (s *sources) add(rel string) {
	s.files = append(s.files, rel)
	s.folders[path.Dir(rel)] = true
	text, err := repository.ReadFile(s.root, filepath.FromSlash(rel))
	if err != nil {
		return
	}
	file, err := parser.ParseFile(token.NewFileSet(), rel, text, parser.SkipObjectResolution)
	if err != nil {
		return // a broken file is no evidence
	}
	src := source{folder: path.Dir(rel), name: file.Name.Name, newest: neededLanguage(file)}
	if found := importComment.FindSubmatch(text); found != nil && file.Name.Name != "main" {
		src.comment = string(found[1])
	}
	for _, spec := range file.Imports {
		if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			src.imports = append(src.imports, p)
		}
	}
	s.parsed = append(s.parsed, src)
}

// neededLanguage returns the minor version of the first Go release that accepts the file's syntax.
func neededLanguage(file *ast.File) int {
	needed := 0
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncType:
			if n.TypeParams != nil {
				needed = max(needed, 18)
			}
		case *ast.TypeSpec:
			if n.TypeParams != nil {
				needed = max(needed, 18)
			}
		case *ast.RangeStmt:
			if lit, ok := n.X.(*ast.BasicLit); ok && lit.Kind == token.INT {
				needed = max(needed, 22)
			}
		}
		return true
	})
	return needed
}

// language returns the go line of a made go.mod. It is the same for all trees, unless the sources need a newer one.
func (s *sources) language() string {
	const usual = 20
	needed := usual
	for _, src := range s.parsed {
		needed = max(needed, src.newest)
	}
	return "1." + strconv.Itoa(needed)
}

// guess returns the most trustworthy module path, with the reason.
func (s *sources) guess(tree *repository.Tree, hint string) (modulePath, because string) {
	ways := []struct {
		path    string
		because string
	}{
		{hint, "as in the other version"},
		{s.fromComments(), "from import comments"},
		{s.fromImports(pathOfURL(tree.Origin), s.fromReadme()), "from the imports of its own packages"},
		{pathOfURL(tree.Origin), "from the remote's address"},
		{s.fromReadme(), "from the readme"},
		{tree.Name, "from the folder's name"},
	}
	for _, way := range ways {
		if way.path != "" && module.CheckImportPath(way.path) == nil {
			return way.path, way.because
		}
	}
	return "example.com/module", "nothing says what it is called"
}

// fromComments reads `package x // import "path"`.
func (s *sources) fromComments() string {
	votes := map[string]int{}
	for _, src := range s.parsed {
		if root, ok := cutFolder(src.comment, src.folder); ok {
			votes[root]++
		}
	}
	return majority(votes)
}

// cutFolder removes a package's folder from the end of its import path. It reports false if the path does not
// end so.
func cutFolder(importPath, folder string) (string, bool) {
	if folder == "." || importPath == "" {
		return importPath, importPath != ""
	}
	return strings.CutSuffix(importPath, "/"+folder)
}

// fromImports counts imports that end in a folder of the tree, and external tests that import their own package. A
// dependency may have a folder of the same name, so it prefers a path among the supporters, which were found in other
// ways.
func (s *sources) fromImports(supporters ...string) string {
	votes := map[string]int{}
	for _, src := range s.parsed {
		for _, imported := range src.imports {
			if first, _, _ := strings.Cut(imported, "/"); !strings.Contains(first, ".") {
				continue
			}
			for i := range len(imported) {
				if imported[i] != '/' {
					continue
				}
				root, folder := imported[:i], imported[i+1:]
				if s.folders[folder] && strings.Contains(root, "/") {
					votes[root] += 1 + strings.Count(folder, "/") // longer ends prove more
				}
			}
			if strings.HasSuffix(src.name, "_test") && src.folder == "." && s.resembles(imported) {
				votes[imported]++
			}
		}
	}
	for _, p := range supporters {
		if votes[p] > 0 {
			return p
		}
	}
	return majority(votes)
}

// resembles reports whether the last element of a path looks like the name of the root package.
func (s *sources) resembles(importPath string) bool {
	last := path.Base(importPath)
	if prefix, _, ok := module.SplitPathVersion(importPath); ok {
		last = path.Base(prefix)
	}
	last = plainName(last)
	for _, src := range s.parsed {
		name := plainName(strings.TrimSuffix(src.name, "_test"))
		if src.folder == "." && name != "main" && (strings.Contains(last, name) || strings.Contains(name, last)) {
			return true
		}
	}
	return false
}

func plainName(name string) string {
	return strings.NewReplacer("-", "", "_", "", ".", "").Replace(strings.ToLower(name))
}

// majority returns the key with most votes; of several the shortest, then the first in order; "" = no votes.
func majority(votes map[string]int) string {
	keys := make([]string, 0, len(votes))
	for key := range votes {
		keys = append(keys, key)
	}
	sort.Slice(keys, func(i, j int) bool {
		switch {
		case votes[keys[i]] != votes[keys[j]]:
			return votes[keys[i]] > votes[keys[j]]
		case len(keys[i]) != len(keys[j]):
			return len(keys[i]) < len(keys[j])
		}
		return keys[i] < keys[j]
	})
	if len(keys) == 0 {
		return ""
	}
	return keys[0]
}

// pathOfURL converts the address of a remote to host/path. It knows https, ssh, git, and user@host:path.
func pathOfURL(remote string) string {
	host, rest := "", ""
	if u, err := url.Parse(remote); err == nil && u.Host != "" {
		host, rest = u.Hostname(), u.Path
	} else if before, after, ok := strings.Cut(remote, ":"); ok && !strings.Contains(before, "/") {
		host, rest = before[strings.LastIndex(before, "@")+1:], after
	}
	rest = strings.TrimSuffix(strings.Trim(rest, "/"), ".git")
	if !strings.Contains(host, ".") || rest == "" {
		return ""
	}
	return host + "/" + rest
}

var readmePaths = []*regexp.Regexp{
	regexp.MustCompile(`go (?:get|install)(?: -\w+)* ([\w.\-]+\.\w+/[\w.\-/~]+)`),
	regexp.MustCompile(`(?:pkg\.go\.dev|godoc\.org|goreportcard\.com/report)/(?:badge/)?` +
		`([\w\-]+\.[\w.\-]+/[\w.\-/~]+)`),
	regexp.MustCompile(`"([\w\-]+\.[\w.\-]+/[\w.\-/~]+)"`),
}

// badgePath matches owner and name in links to the host and to services for that host.
var badgePath = regexp.MustCompile(`(?:github\.com|travis-ci\.(?:org|com)|coveralls\.io/r)/([\w\-]+/[\w.\-]+)`)

// fromReadme returns the path that the readme mentions most often. Badges and links count only if there is no other
// mention.
func (s *sources) fromReadme() string {
	entries, err := os.ReadDir(s.root)
	if err != nil {
		return ""
	}
	named, linked := map[string]int{}, map[string]int{}
	for _, e := range entries {
		if !strings.HasPrefix(strings.ToLower(e.Name()), "readme") || e.IsDir() {
			continue
		}
		text, err := repository.ReadFile(s.root, e.Name())
		if err != nil {
			continue
		}
		for _, pattern := range readmePaths {
			s.vote(named, "", pattern.FindAllSubmatch(text, -1))
		}
		s.vote(linked, "github.com/", badgePath.FindAllSubmatch(text, -1))
	}
	if len(named) == 0 {
		named = linked
	}
	return majority(named)
}

// vote counts the paths that resemble the name of the tree's root package.
func (s *sources) vote(votes map[string]int, prefix string, found [][][]byte) {
	for _, match := range found {
		p := prefix + strings.TrimRight(strings.TrimSuffix(string(match[1]), "/..."), "./")
		p = strings.TrimSuffix(strings.TrimSuffix(p, ".svg"), ".git")
		if s.resembles(p) {
			votes[p]++
		}
	}
}
