package suite

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
)

// corpusHead is the first line of a file of a corpus.
const corpusHead = "go test fuzz v1"

var errOtherTypes = errors.New("the types of values are not those of the fuzz target")

// ReadCorpus reads a folder of a corpus. Files with other values, or that can't be read, are left out.
func (d dependencies) ReadCorpus(dir string, want []reflect.Type) (entries []corpusEntry, err error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil //nolint:nilerr // it may not be there
	}
	for _, f := range files {
		path := filepath.Join(dir, f.Name())
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if values := corpusValues(string(text)); d.CheckCorpus(values, want) == nil {
			entries = append(entries, corpusEntry{Path: path, Data: text, Values: values, IsSeed: true})
		}
	}
	return entries, nil
}

// CheckCorpus complains about values that have not the types of the target.
func (d dependencies) CheckCorpus(values []any, want []reflect.Type) error {
	if len(values) != len(want) {
		return errOtherTypes
	}
	for i := range values {
		if reflect.TypeOf(values[i]) != want[i] {
			return errOtherTypes
		}
	}
	return nil
}

// corpusValues returns the values in a file of a corpus, one in each line. Of a line that it does not know there is
// none.
func corpusValues(text string) (values []any) {
	head, rest, _ := strings.Cut(text, "\n")
	if strings.TrimSpace(head) != corpusHead {
		return nil
	}
	for _, line := range strings.Split(strings.TrimSpace(rest), "\n") {
		name, arg, called := strings.Cut(strings.TrimSpace(line), "(")
		if !called || !strings.HasSuffix(arg, ")") {
			return nil
		}
		v := corpusValue(name, arg[:len(arg)-1])
		if v == nil {
			return nil
		}
		values = append(values, v)
	}
	return values
}

// numbers have the types that a value of a corpus may have besides texts and booleans.
var numbers = map[string]reflect.Type{
	"int": reflect.TypeOf(0), "int8": reflect.TypeOf(int8(0)), "int16": reflect.TypeOf(int16(0)),
	"int32": reflect.TypeOf(int32(0)), "rune": reflect.TypeOf(int32(0)), "int64": reflect.TypeOf(int64(0)),
	"uint": reflect.TypeOf(uint(0)), "uint8": reflect.TypeOf(uint8(0)), "byte": reflect.TypeOf(uint8(0)),
	"uint16": reflect.TypeOf(uint16(0)), "uint32": reflect.TypeOf(uint32(0)), "uint64": reflect.TypeOf(uint64(0)),
	"float32": reflect.TypeOf(float32(0)), "float64": reflect.TypeOf(float64(0)),
}

// corpusValue returns a value from the name of its type and its argument in Go syntax, nil if it has another form.
func corpusValue(name, arg string) any {
	switch name {
	case "string", "[]byte":
		text, err := strconv.Unquote(arg)
		if err != nil {
			return nil
		}
		if name == "[]byte" {
			return []byte(text)
		}
		return text
	case "bool":
		return arg == "true"
	}
	t := numbers[name]
	if t == nil {
		return nil
	}
	if r, _, rest, err := strconv.UnquoteChar(strings.Trim(arg, "'"), '\''); arg != strings.Trim(arg, "'") {
		if err != nil || rest != "" {
			return nil
		}
		return reflect.ValueOf(r).Convert(t).Interface()
	}
	if n, err := strconv.ParseInt(arg, 0, 64); err == nil {
		return reflect.ValueOf(n).Convert(t).Interface()
	}
	if n, err := strconv.ParseUint(arg, 0, 64); err == nil {
		return reflect.ValueOf(n).Convert(t).Interface()
	}
	if f, err := strconv.ParseFloat(arg, 64); err == nil {
		return reflect.ValueOf(f).Convert(t).Interface()
	}
	return nil
}
