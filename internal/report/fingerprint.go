package report

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// rootFingerprint returns the fingerprint by which a root is recognised in another run. It is made of the function, the
// kind of change and the identity of the edit itself (Basis). It does not depend on sequences, seeds, moved lines or
// edits elsewhere, but another edit of the same function has another fingerprint.
func rootFingerprint(root Root) string {
	return fingerprint("root", spectra.Symbol(root.Function).Unnumbered(), string(root.Change), root.Basis)
}

// deviationFingerprint adds to a root's fingerprint where the deviation shows: the function, the kind, and the value's
// path without indexes and keys.
func deviationFingerprint(deviation Deviation, root string) string {
	function, path := spectra.Symbol(deviation.Function).Unnumbered(), normalPath(deviation.Path)
	return fingerprint("deviation", root, function, string(deviation.Kind), path)
}

// fingerprint returns 16 hex digits, which is enough for the findings of one repository.
func fingerprint(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// normalPath removes indexes and keys: "m[\"x]\"].items[2].n" becomes "m[].items[].n".
func normalPath(path string) string {
	var out strings.Builder
	for i := 0; i < len(path); i++ {
		out.WriteByte(path[i])
		if path[i] == '[' {
			i = keyEnd(path, i+1) - 1
		}
	}
	return out.String()
}

// keyEnd returns the offset of the bracket that closes the key at i. Brackets in quoted strings and in
// nested keys don't count.
func keyEnd(path string, i int) int {
	depth := 0
	var quote byte
	for ; i < len(path); i++ {
		switch c := path[i]; {
		case quote != 0 && quote != '`' && c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '`' || c == '\'':
			quote = c
		case c == '[':
			depth++
		case c == ']' && depth == 0:
			return i
		case c == ']':
			depth--
		}
	}
	return len(path)
}
