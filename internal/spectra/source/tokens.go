package source

import (
	"go/token"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// tokens returns the tokens of a piece of source, one a line; package names stand as paths.
func tokens(text []byte, names map[string]string) string {
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
