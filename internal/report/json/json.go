// Package json writes a report as JSON and reads it back.
//
// In: a finished report, or bytes that an earlier run wrote. Out: indented JSON with a trailing newline, whose bytes
// depend on the report alone, with everything escaped that may do more than be read; or a valid report. Unknown fields
// are accepted, because more may be added under the same schema. Another schema is refused. Writing a report that was
// read leads to the same bytes. Writing takes memory for one root, deviation or other entry of a list at a time. Schema
// describes what is written.
package json

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spectradiff/spectradiff/internal/report"
)

// Read reads one report and checks it.
func Read(reader io.Reader) (*report.Report, error) {
	data, err := Load(reader)
	if err != nil {
		return nil, fmt.Errorf("read JSON report: %w", err)
	}
	if err := checkSchema(data); err != nil {
		return nil, fmt.Errorf("read JSON report: %w", err)
	}
	r := new(report.Report)
	if err := json.Unmarshal(data, r); err != nil {
		return nil, fmt.Errorf("read JSON report: %w", err)
	}
	if err := r.Validate(); err != nil {
		return nil, fmt.Errorf("read JSON report: %w", err)
	}
	return r, nil
}

// Load reads a text that is JSON of the size that a report may have.
func Load(reader io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(reader, maxSize+1))
	if err != nil {
		return nil, err
	}
	return data, checkSize(data)
}

// A report has at most so many bytes, lists and objects, and entries of them. One deviation takes about a
// thousand bytes, one object and twenty entries, so these are some hundred thousand deviations.
const (
	maxSize    = 128 << 20
	maxObjects = 1 << 20
	maxEntries = 1 << 23
)

// checkSize counts what would be made of a text before it is made: an object of two bytes becomes a value of
// hundreds.
func checkSize(data []byte) error {
	if len(data) > maxSize {
		return fmt.Errorf("it has more than %d bytes; want the output of spectradiff compare --format json", maxSize)
	}
	objects, entries, quoted := 0, 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case quoted:
		case c == '{' || c == '[':
			objects++
		case c == ',':
			entries++
		}
	}
	if objects > maxObjects || entries > maxEntries {
		return fmt.Errorf("it has %d lists and objects and %d further entries, more than the %d and %d that are read",
			objects, entries, maxObjects, maxEntries)
	}
	return nil
}

// checkSchema checks the schema alone, so that the error for a report of another schema is about the
// schema and not about a field.
func checkSchema(data []byte) error {
	var head struct {
		Schema *string `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return fmt.Errorf("%w; want the output of spectradiff compare --format json", explain(err))
	}
	switch {
	case head.Schema == nil:
		return errors.New("no field schema; want the output of spectradiff compare --format json")
	case *head.Schema == "spectradiff-part/1":
		return errors.New("it is a shard: spectradiff merge makes a report of all shards of a run")
	case *head.Schema != report.Schema:
		return fmt.Errorf("schema is %q, this version reads %q; make the report again with this version",
			*head.Schema, report.Schema)
	}
	return nil
}

// explain adds the offset to a syntax error, whose text doesn't contain it.
func explain(err error) error {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return fmt.Errorf("not JSON at byte %d: %w", syntax.Offset, err)
	}
	return fmt.Errorf("not a report: %w", err)
}
