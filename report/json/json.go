// Package json writes a report as JSON and reads it back.
//
// In: a finished report, or bytes that an earlier run wrote. Out: indented JSON with a trailing newline,
// whose bytes depend on the report alone; or a valid report. Unknown fields are accepted, because more
// may be added under the same schema. Another schema is refused. Writing a report that was read leads to
// the same bytes.
package json

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spectradiff/spectradiff/report"
)

// Write prints a report.
func Write(w io.Writer, r *report.Report) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(r); err != nil {
		return fmt.Errorf("write JSON report: %w", err)
	}
	return nil
}

// Read reads one report and checks it.
func Read(reader io.Reader) (*report.Report, error) {
	data, err := io.ReadAll(reader)
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
