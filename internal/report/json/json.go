// Package json writes a report as JSON and reads it back.
//
// In: a finished report, or bytes that an earlier run wrote. Out: indented JSON with a trailing newline, whose bytes
// depend on the report alone, with everything escaped that may do more than be read; or a valid report. Unknown fields
// are accepted, because more may be added under the same schema. Another schema is refused. Writing a report that was
// read leads to the same bytes.
package json

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"

	"github.com/spectradiff/spectradiff/internal/report"
)

// Write prints a report.
func Write(w io.Writer, r *report.Report) error { return named(Encode(w, r)) }

// Encode prints a value of another format, indented and escaped as a report is.
func Encode(w io.Writer, value any) error { return encode(w, value, "  ") }

// A Line is one of the lines in which a run tells what it finds: a root as soon as it is proven, at the end the report.
type Line struct {
	Found  *report.Root   `json:"found,omitempty"`
	Report *report.Report `json:"report,omitempty"`
}

// WriteLine prints a line, escaped as a report is.
func WriteLine(w io.Writer, line Line) error { return named(encode(w, line, "")) }

func named(err error) error {
	if err != nil {
		return fmt.Errorf("write JSON report: %w", err)
	}
	return nil
}

func encode(w io.Writer, value any, indent string) error {
	var plain bytes.Buffer
	encoder := json.NewEncoder(&plain)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	err := encoder.Encode(value)
	if err == nil {
		_, err = io.WriteString(w, escape(plain.String()))
	}
	return err
}

// commands spells what begins a command of GitHub's or Azure's build machines in another way. It stands in texts
// only.
var commands = strings.NewReplacer("##[", `#\u0023[`, "##vso[", `#\u0023vso[`)

// escape spells what can't be seen in another way: control characters that encoding/json leaves, and those that
// change the direction of a text.
func escape(plain string) string {
	var out strings.Builder
	for _, r := range commands.Replace(plain) {
		if r == '\n' || unicode.IsPrint(r) {
			out.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&out, `\u%04x`, unit)
		}
	}
	return out.String()
}

// Read reads one report and checks it.
func Read(reader io.Reader) (*report.Report, error) {
	data, err := io.ReadAll(io.LimitReader(reader, maxSize+1))
	if err != nil {
		return nil, fmt.Errorf("read JSON report: %w", err)
	}
	if err := checkSize(data); err != nil {
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
