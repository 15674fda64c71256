package source

import (
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// importNames maps the names that packages have in a file to their paths.
type importNames map[string]string

var versionElement = regexp.MustCompile(`^v[0-9]+$`)

func namesOf(file *ast.File) importNames {
	names := importNames{}
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := guessName(path)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = path
	}
	return names
}

// guessName returns the name that a package with a path usually has.
func guessName(path string) string {
	elements := strings.Split(path, "/")
	last := elements[len(elements)-1]
	if len(elements) > 1 && versionElement.MatchString(last) {
		last = elements[len(elements)-2]
	}
	if at := strings.Index(last, ".v"); at > 0 {
		last = last[:at]
	}
	last = strings.TrimSuffix(strings.TrimPrefix(last, "go-"), "-go")
	return strings.ReplaceAll(last, "-", "_")
}

// tokens returns the tokens of a piece of source, one a line; package names stand as paths.
func tokens(text []byte, names importNames) string {
	var out strings.Builder
	last := token.ILLEGAL
	for t := range symbol.Tokens(text) {
		written := t.Text
		if path, ok := names[written]; ok && t.Kind == token.IDENT && last != token.PERIOD && t.Next == token.PERIOD {
			written = strconv.Quote(path)
		}
		out.WriteString(written)
		out.WriteByte('\n')
		last = t.Kind
	}
	return out.String()
}
