package driver

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra/rt"
)

type typeTable map[string]reflect.Type

// Nested is a part of Sample.
type Nested struct {
	A int
	B string
	C *string
}

// Sample is a struct with fields of many kinds: an argument for functions that take any value
// and look into it.
type Sample struct {
	Name string
	N    int
	F    float64
	On   bool
	B    []byte
	L    []int
	S    []string
	M    map[string]any
	P    *int
	Q    *bool
	Any  any
	T    Nested
	U    *Nested
}

var basicTypes = []reflect.Type{
	reflect.TypeFor[bool](), reflect.TypeFor[string](),
	reflect.TypeFor[int](), reflect.TypeFor[int8](), reflect.TypeFor[int16](), reflect.TypeFor[int32](),
	reflect.TypeFor[int64](), reflect.TypeFor[uint](), reflect.TypeFor[uint8](), reflect.TypeFor[uint16](),
	reflect.TypeFor[uint32](), reflect.TypeFor[uint64](), reflect.TypeFor[uintptr](), reflect.TypeFor[float32](),
	reflect.TypeFor[float64](), reflect.TypeFor[complex64](), reflect.TypeFor[complex128](),
	errorType,
}

// sampleTypes are the structs for functions that take any value, by name. A target's driver adds those that its tests
// declare.
var sampleTypes = map[string]reflect.Type{
	"zspectra/driver.Sample": reflect.TypeFor[Sample](), "zspectra/driver.Nested": reflect.TypeFor[Nested](),
}

func (t *typeTable) start() {
	table := typeTable{
		"any": reflect.TypeFor[any](), "interface{}": reflect.TypeFor[any](), "interface {}": reflect.TypeFor[any](),
		"byte": reflect.TypeFor[byte](), "rune": reflect.TypeFor[rune](),
	}
	for name, sample := range sampleTypes {
		table[name] = sample
	}
	for _, basic := range basicTypes {
		table[basic.Name()] = basic
	}
	for _, r := range rt.Types {
		table[r.Name] = reflect.TypeOf(r.Zero).Elem()
	}
	*t = table
}

// find returns the type with that name. The table remembers what it resolved.
func (t typeTable) find(name string) (reflect.Type, error) {
	if known, ok := t[name]; ok {
		return known, nil
	}
	typ, err := t.resolve(name)
	if err == nil {
		t[name] = typ
	}
	return typ, err
}

func (t typeTable) resolve(name string) (reflect.Type, error) {
	switch {
	case strings.HasPrefix(name, "*"):
		elem, err := t.find(name[1:])
		if err != nil {
			return nil, err
		}
		return reflect.PointerTo(elem), nil
	case strings.HasPrefix(name, "[]"):
		elem, err := t.find(name[2:])
		if err != nil {
			return nil, err
		}
		return reflect.SliceOf(elem), nil
	case strings.HasPrefix(name, "["):
		return t.array(name)
	case strings.HasPrefix(name, "map["):
		return t.mapping(name)
	}
	return nil, fmt.Errorf("no type %s", name)
}

func (t typeTable) array(name string) (reflect.Type, error) {
	length, rest, ok := strings.Cut(name[1:], "]")
	n, err := strconv.Atoi(length)
	if !ok || err != nil {
		return nil, fmt.Errorf("no type %s", name)
	}
	elem, err := t.find(rest)
	if err != nil {
		return nil, err
	}
	return reflect.ArrayOf(n, elem), nil
}

func (t typeTable) mapping(name string) (reflect.Type, error) {
	depth := 0
	for i := len("map"); i < len(name); i++ {
		switch name[i] {
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth > 0 {
			continue
		}
		key, err := t.find(name[len("map["):i])
		if err != nil {
			return nil, err
		}
		elem, err := t.find(name[i+1:])
		if err != nil {
			return nil, err
		}
		return reflect.MapOf(key, elem), nil
	}
	return nil, fmt.Errorf("no type %s", name)
}
