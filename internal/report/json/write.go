package json

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/spectradiff/spectradiff/internal/report"
)

// Write prints a report.
func Write(w io.Writer, r *report.Report) error { return named(Encode(w, r)) }

// Encode prints a value of another format, indented and escaped as a report is.
func Encode(w io.Writer, value any) error { return write(w, value, "  ") }

// A Line is one of the lines in which a run tells what it finds: a root as soon as it is proven, at the end the report.
type Line struct {
	Found  *report.Root   `json:"found,omitempty"`
	Report *report.Report `json:"report,omitempty"`
}

// WriteLine prints a line, escaped as a report is.
func WriteLine(w io.Writer, line Line) error { return named(write(w, line, "")) }

func named(err error) error {
	if err != nil {
		return fmt.Errorf("write JSON report: %w", err)
	}
	return nil
}

func write(w io.Writer, value any, indent string) error {
	s := stream{to: bufio.NewWriter(w), indent: indent}
	s.encoder = json.NewEncoder(&s.piece)
	s.encoder.SetEscapeHTML(false)
	err := s.value(reflect.ValueOf(value), "")
	if err == nil {
		s.to.WriteByte('\n') //nolint:errcheck // Flush fails too
		err = s.to.Flush()
	}
	return err
}

// A stream writes what encoding/json would, but it holds one entry of a report's lists at a time.
type stream struct {
	to      *bufio.Writer
	indent  string
	encoder *json.Encoder
	piece   bytes.Buffer // what encoder wrote
}

// value writes a value behind a prefix of its lines.
func (s *stream) value(v reflect.Value, prefix string) error {
	switch of := reflect.Indirect(v); {
	case !of.IsValid():
	case of.Type() == reflect.TypeFor[report.Report](), of.Type() == reflect.TypeFor[Line]():
		return s.fields(of, prefix)
	case of.Kind() == reflect.Slice && of.Len() > 0:
		return s.list("[]", of.Len(), prefix, func(i int, prefix string) error {
			return s.encode(of.Index(i), prefix)
		})
	}
	return s.encode(v, prefix)
}

// fields writes a struct as its tags say.
func (s *stream) fields(v reflect.Value, prefix string) error {
	var names []string
	var values []reflect.Value
	for i := range v.NumField() {
		name, options, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
		if options == "omitempty" && empty(v.Field(i)) {
			continue
		}
		names, values = append(names, name), append(values, v.Field(i))
	}
	return s.list("{}", len(names), prefix, func(i int, prefix string) error {
		s.to.WriteString(`"` + names[i] + `":`)
		if s.indent != "" {
			s.to.WriteString(" ")
		}
		return s.value(values[i], prefix)
	})
}

// empty reports whether encoding/json leaves out a field with omitempty.
func empty(v reflect.Value) bool {
	if v.Kind() == reflect.Slice || v.Kind() == reflect.Map {
		return v.Len() == 0
	}
	return v.Kind() != reflect.Struct && v.IsZero()
}

// list writes n entries between brackets.
func (s *stream) list(brackets string, n int, prefix string, entry func(i int, prefix string) error) error {
	inner := prefix + s.indent
	s.to.WriteString(brackets[:1])
	for i := range n {
		if i > 0 {
			s.to.WriteString(",")
		}
		s.newline(inner)
		if err := entry(i, inner); err != nil {
			return err
		}
	}
	if n > 0 {
		s.newline(prefix)
	}
	_, err := s.to.WriteString(brackets[1:])
	return err
}

func (s *stream) newline(prefix string) {
	if s.indent != "" {
		s.to.WriteString("\n" + prefix)
	}
}

// encode writes a whole value.
func (s *stream) encode(v reflect.Value, prefix string) error {
	s.piece.Reset()
	s.encoder.SetIndent(prefix, s.indent)
	if v.CanAddr() {
		v = v.Addr() // it need not be copied
	}
	if err := s.encoder.Encode(v.Interface()); err != nil {
		return err
	}
	return escape(s.to, bytes.TrimSuffix(s.piece.Bytes(), []byte("\n")))
}

// commands spells what begins a command of GitHub's or Azure's build machines in another way. It stands in texts
// only.
var commands = strings.NewReplacer("##[", `#\u0023[`, "##vso[", `#\u0023vso[`)

// escape spells what can't be seen in another way: control characters that encoding/json leaves, and those that
// change the direction of a text.
func escape(to *bufio.Writer, plain []byte) error {
	if bytes.Contains(plain, []byte("##")) {
		plain = []byte(commands.Replace(string(plain)))
	}
	written := 0
	for i, size := 0, 0; i < len(plain); i += size {
		var r rune
		if r, size = utf8.DecodeRune(plain[i:]); r == '\n' || unicode.IsPrint(r) {
			continue
		}
		to.Write(plain[written:i]) //nolint:errcheck // what follows fails too
		written = i + size
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(to, `\u%04x`, unit)
		}
	}
	_, err := to.Write(plain[written:])
	return err
}
