package json

import (
	"bytes"
	_ "embed"
)

//go:embed report.schema.json
var schema []byte

// Schema returns the JSON Schema (draft 2020-12) of a report, with that of a line of WriteLine under $defs/line.
func Schema() []byte { return bytes.Clone(schema) }
