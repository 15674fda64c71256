package accepted

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Read reads the content of the file; name is what errors call it. The same fingerprint twice, as after a merge, is one
// entry: that of the later date, whatever the order of the lines.
func Read(name string, data []byte) (List, error) {
	if line, err := checkText(data); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, line, err)
	}
	if offset, err := checkJSON(data); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", name, lineAt(data, offset), err)
	}
	of := map[string]Entry{}
	in := json.NewDecoder(bytes.NewReader(data))
	for _, _ = in.Token(); in.More(); {
		begin := int(in.InputOffset())
		e, err := readEntry(in)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, lineAfter(data, begin), err)
		}
		if before, ok := of[e.Fingerprint]; !ok || later(&e, &before) {
			of[e.Fingerprint] = e
		}
	}
	return sorted(of), nil
}

// checkJSON returns the offset at which a text stops being a list in JSON, and what to do.
func checkJSON(data []byte) (offset int, err error) {
	var syntax *json.SyntaxError
	var all json.RawMessage
	switch err := json.Unmarshal(data, &all); {
	case !bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")):
		return 0, errors.New("want a list in brackets, with one entry a line; remove the file to begin a new one")
	case errors.As(err, &syntax) && syntax.Error() == "unexpected end of JSON input":
		end := len(bytes.TrimRight(data, " \t\r\n"))
		return end, errors.New("the list ends too early: end it with a line that holds ]")
	case errors.As(err, &syntax):
		return int(syntax.Offset) - 1, fmt.Errorf(
			"no JSON: %w; want one entry a line, with a comma behind all but the last, between [ and ]", err)
	}
	return 0, nil
}

func readEntry(in *json.Decoder) (Entry, error) {
	var fields map[string]json.RawMessage
	if err := in.Decode(&fields); err != nil || fields == nil {
		const text = `an entry is no object: want {"fingerprint": "…", "function": "…", "reason": "…"}`
		return Entry{}, errors.New(text)
	}
	return entry(fields)
}

// lineAt returns the line of an offset, counted from 1.
func lineAt(data []byte, offset int) int {
	return 1 + bytes.Count(data[:max(0, min(offset, len(data)))], []byte("\n"))
}

// lineAfter returns the line on which the next entry begins.
func lineAfter(data []byte, offset int) int {
	skipped := bytes.TrimLeft(data[offset:], ", \t\r\n")
	return lineAt(data, len(data)-len(skipped))
}

// markers begin the lines that git leaves where it could not merge.
var markers = []string{"<<<<<<< ", "||||||| ", "=======", ">>>>>>> "}

// checkText returns the first line that no tool writes, and what is wrong with it.
func checkText(data []byte) (line int, err error) {
	for text := range bytes.Lines(data) {
		line++
		text = bytes.TrimRight(text, "\r\n")
		for _, marker := range markers {
			if bytes.HasPrefix(text, []byte(marker)) || string(text) == strings.TrimSpace(marker) {
				const text = "a merge left %s here: keep the entries of both sides, one a line with a comma behind " +
					"all but the last, and remove the lines that begin with <<<<<<<, |||||||, ======= and >>>>>>>"
				return line, fmt.Errorf(text, strings.TrimSpace(marker))
			}
		}
		if err := checkPlain(string(text)); err != nil {
			return line, err
		}
	}
	return 0, nil
}

// checkPlain refuses what is not seen in an editor, and changes what is.
func checkPlain(text string) error {
	if !utf8.ValidString(text) {
		return errors.New("it is not UTF-8: write the line anew")
	}
	for _, r := range text {
		if hidden(r) {
			return fmt.Errorf("it holds the control character %U: remove it", r)
		}
	}
	return nil
}

// hidden reports whether a character controls a terminal, breaks a line or changes the direction of a text.
func hidden(r rune) bool {
	return r != '\t' && unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control)
}

// entry makes an entry of its fields.
func entry(fields map[string]json.RawMessage) (Entry, error) {
	var e Entry
	for _, known := range e.fields() {
		raw, ok := fields[known.name]
		delete(fields, known.name)
		if !ok {
			continue
		}
		if err := json.Unmarshal(raw, known.value); err != nil || raw[0] != '"' {
			return e, fmt.Errorf("%s is no text: write it in quotes", known.name)
		}
	}
	for name, raw := range fields {
		var plain bytes.Buffer
		if err := json.Compact(&plain, raw); err != nil {
			return e, fmt.Errorf("field %q: %w", name, err)
		}
		if e.more == nil {
			e.more = map[string]json.RawMessage{}
		}
		e.more[name] = plain.Bytes()
	}
	return e, e.Check()
}

// Check returns what is wrong with an entry; nil = it can be written.
func (e *Entry) Check() error {
	switch {
	case e.Fingerprint == "":
		return errors.New("an entry has no fingerprint: copy it from the report, or remove the entry")
	case e.Function == "":
		return fmt.Errorf("entry %q has no function: copy it from the report", e.Fingerprint)
	case strings.TrimSpace(e.Reason) == "":
		return fmt.Errorf("entry %q has no reason: say why it is accepted", e.Fingerprint)
	}
	for _, known := range e.fields() {
		if strings.ContainsRune(*known.value, '\t') {
			return fmt.Errorf("%s of entry %q holds a tab: write a space", known.name, e.Fingerprint)
		}
		if err := checkPlain(*known.value); err != nil {
			return fmt.Errorf("%s of entry %q: %w", known.name, e.Fingerprint, err)
		}
	}
	if err := CheckDate(e.Date); e.Date != "" && err != nil {
		return fmt.Errorf("entry %q: %w", e.Fingerprint, err)
	}
	for _, name := range slices.Sorted(maps.Keys(e.more)) { // sorted, for the same error
		if err := checkPlain(name); err != nil {
			return fmt.Errorf("a field of entry %q: %w", e.Fingerprint, err)
		}
	}
	return nil
}

// CheckDate returns an error unless a text is a date as entries have it.
func CheckDate(text string) error {
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return fmt.Errorf("date %q: want a day such as 2026-11-26", text)
	}
	return nil
}

// later reports whether an entry is kept instead of another one of the same fingerprint.
func later(e, other *Entry) bool {
	if e.Date != other.Date {
		return e.Date > other.Date
	}
	text, _ := e.line() // both were checked
	otherText, _ := other.line()
	return text > otherText
}
