package json_test

import (
	"math/rand"
	"reflect"
	"strconv"

	"github.com/spectradiff/spectradiff/internal/report"
)

// hostile are pieces of texts that may do more than be read.
var hostile = []string{
	"", "a", "\n", "\x1b[31m", "\u202e", "<!--", "-->", "]]>", "::error::", "##[error]", "##vso[x]", "\xff", "\u2028",
	"`", `"`, `\`, "é", "\U000e0001", "🙂", "‹", "\x7f", "&",
}

// A drawer sets every field at random.
type drawer struct{ *rand.Rand }

// random returns a report whose fields hold what their types allow. Beside that it need not make sense.
func random(seed int64) *report.Report {
	d := drawer{rand.New(rand.NewSource(seed))}
	r := new(report.Report)
	d.set(reflect.ValueOf(r).Elem(), "")
	r.Schema, r.Exit = report.Schema, d.Intn(3)
	for i := range r.Roots {
		r.Roots[i].Deviations = []string{"d" + strconv.Itoa(1+d.Intn(9))}
	}
	for i := range r.Deviations {
		r.Deviations[i].ID, r.Deviations[i].Root = "d"+strconv.Itoa(i+1), i+1
	}
	return r
}

// narrow are the words of fields that are plain texts in Go.
var narrow = map[string][]string{
	"Mark":    {"container", "follower"},
	"Drive":   {"api", "tests", "command"},
	"Drivers": {"api", "tests", "command"},
	"Was":     {"always true", "always false", "never taken", "never entered"},
}

func (d drawer) set(v reflect.Value, field string) {
	list, fixed := words[v.Type()]
	if of := narrow[field]; of != nil {
		list, fixed = of, true
	}
	switch v.Kind() {
	case reflect.String:
		if fixed {
			v.SetString(list[d.Intn(len(list))])
		} else {
			v.SetString(d.text())
		}
	case reflect.Bool:
		v.SetBool(d.Intn(2) == 0)
	case reflect.Int, reflect.Int64:
		v.SetInt(1 + d.Int63n(1<<d.Intn(62)))
	case reflect.Uint64:
		v.SetUint(d.Uint64())
	case reflect.Float64:
		v.SetFloat(d.Float64())
	case reflect.Pointer:
		if d.Intn(2) == 0 {
			v.Set(reflect.New(v.Type().Elem()))
			d.set(v.Elem(), field)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1+d.Intn(3), 3))
		for i := range v.Len() {
			d.set(v.Index(i), field)
		}
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{d.text(): d.text()}))
	case reflect.Struct:
		for i := range v.NumField() {
			d.set(v.Field(i), v.Type().Field(i).Name)
		}
	default:
		panic("no way to set a " + v.Kind().String())
	}
}

func (d drawer) text() string {
	text := ""
	for range d.Intn(5) {
		text += hostile[d.Intn(len(hostile))]
	}
	return text
}

func draws(n int) []*report.Report {
	list := make([]*report.Report, n)
	for i := range list {
		list[i] = random(int64(i))
	}
	return list
}
