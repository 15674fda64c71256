package report

// This file names findings so that they are recognised in another run.
//
// A root's fingerprint is made of its function, the kind of change and the edit's own identity
// (Basis): other sequences, other seeds, moved lines and edits elsewhere leave it as it is, while
// another edit of the same function is another finding. A deviation's fingerprint adds where it
// shows: function, kind, and the value's path without indexes and keys.

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/spectradiff/spectradiff/spectra"
)

func rootFingerprint(root Root) string {
	return fingerprint("root", spectra.Symbol(root.Function).Unnumbered(), string(root.Change), root.Basis)
}

func deviationFingerprint(deviation Deviation, root string) string {
	function, path := spectra.Symbol(deviation.Function).Unnumbered(), normalPath(deviation.Path)
	return fingerprint("deviation", root, function, string(deviation.Kind), path)
}

// fingerprint returns 16 hex digits; enough for the findings of one repository.
func fingerprint(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// normalPath drops indexes and keys: "m[\"x]\"].items[2].n" becomes "m[].items[].n".
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

// keyEnd returns the offset of the bracket that closes the key starting at i. Brackets inside of
// quoted strings and of nested keys don't count.
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
