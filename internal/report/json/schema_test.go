package json_test

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/quick"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/json"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

const schemaName = "urn:spectradiff:report:1"

// compile returns the published schema, or the part of it behind the number sign.
func compile(t testing.TB, part string) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(json.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(schemaName, document); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile(schemaName + part)
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

func conforms(schema *jsonschema.Schema, data []byte) error {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return err
	}
	return schema.Validate(document)
}

// A node is an object of the schema. What else a schema can say, this one does not say.
type node struct {
	Ref         string           `json:"$ref"`
	Description string           `json:"description"`
	Type        string           `json:"type"`
	Properties  map[string]*node `json:"properties"`
	Required    []string         `json:"required"`
	Items       *node            `json:"items"`
	Additional  *node            `json:"additionalProperties"`
	Enum        []any            `json:"enum"`
	Const       string           `json:"const"`
	Defs        map[string]*node `json:"$defs"`

	Schema   string  `json:"$schema"`
	ID       string  `json:"$id"`
	Title    string  `json:"title"`
	Minimum  float64 `json:"minimum"`
	Maximum  float64 `json:"maximum"`
	Pattern  string  `json:"pattern"`
	MinItems int     `json:"minItems"`
}

// TestSchemaIsTheTypes holds the schema to the types in both directions: fields, their types, which of them are always
// there, and the words that they may hold.
func TestSchemaIsTheTypes(t *testing.T) {
	top := new(node)
	decoder := stdjson.NewDecoder(bytes.NewReader(json.Schema()))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(top); err != nil {
		t.Fatal(err)
	}
	c := checker{t: t, top: top, used: map[string]bool{}}
	c.check("report", top, reflect.TypeFor[report.Report]())
	c.check("line", &node{Ref: "#/$defs/line"}, reflect.TypeFor[json.Line]())
	for name := range top.Defs {
		if !c.used["#/$defs/"+name] {
			t.Errorf("nothing refers to $defs/%s", name)
		}
	}
}

type checker struct {
	t    *testing.T
	top  *node
	used map[string]bool
}

func (c *checker) check(path string, n *node, of reflect.Type) {
	if n.Ref != "" {
		again := c.used[n.Ref+of.String()]
		c.used[n.Ref], c.used[n.Ref+of.String()] = true, true
		if again {
			return
		}
		if n = c.resolve(n.Ref); n == nil {
			c.t.Errorf("%s: a reference leads nowhere", path)
			return
		}
	}
	if n == c.top && path != "report" {
		return
	}
	if of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	if want := typeOf(of); n.Type != want && n.Enum == nil && n.Const == "" {
		c.t.Errorf("%s: type %q, want %q", path, n.Type, want)
	}
	c.words(path, n, of)
	switch of.Kind() {
	case reflect.Slice:
		c.check(path+"[]", n.Items, of.Elem())
	case reflect.Map:
		c.check(path+"[]", n.Additional, of.Elem())
	case reflect.Struct:
		c.object(path, n, of)
	}
}

func (c *checker) resolve(ref string) *node {
	if ref == "#" {
		return c.top
	}
	return c.top.Defs[strings.TrimPrefix(ref, "#/$defs/")]
}

func (c *checker) object(path string, n *node, of reflect.Type) {
	fields, always := map[string]reflect.Type{}, []string{}
	collect(of, fields, &always)
	if n.Additional != nil {
		c.t.Errorf("%s: more fields may be added", path)
	}
	required := slices.Sorted(slices.Values(n.Required))
	if slices.Sort(always); !slices.Equal(required, always) {
		c.t.Errorf("%s: required %q, always written are %q", path, required, always)
	}
	for _, name := range slices.Sorted(maps.Keys(n.Properties)) {
		if fields[name] == nil {
			c.t.Errorf("%s.%s is in the schema and no field", path, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		property := n.Properties[name]
		switch {
		case property == nil:
			c.t.Errorf("%s.%s is a field and not in the schema", path, name)
			continue
		case property.Description == "" && property.Ref == "":
			c.t.Errorf("%s.%s has no description", path, name)
		}
		c.check(path+"."+name, property, fields[name])
	}
	if n.Description == "" {
		c.t.Errorf("%s has no description", path)
	}
}

// collect lists the JSON fields of a struct, and those that are always written.
func collect(of reflect.Type, fields map[string]reflect.Type, always *[]string) {
	for i := range of.NumField() {
		f := of.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case f.Anonymous:
			collect(f.Type, fields, always)
			continue
		case name == "-":
			continue
		}
		fields[name] = f.Type
		if options != "omitempty" {
			*always = append(*always, name)
		}
	}
}

func typeOf(of reflect.Type) string {
	switch of.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "boolean"
	case reflect.Float64:
		return "number"
	case reflect.Slice:
		return "array"
	case reflect.Map, reflect.Struct:
		return "object"
	}
	return "integer"
}

// tierWords are those of all tiers.
func tierWords() []string {
	list := []string{string(spectra.TierNondeterminism)}
	for _, tier := range spectra.Tiers() {
		list = append(list, string(tier))
	}
	return list
}

// words are the words of the types that have a fixed list of them.
var words = map[reflect.Type][]string{
	reflect.TypeFor[spectra.Side](): {string(spectra.Old), string(spectra.New)},
	reflect.TypeFor[spectra.Change](): {
		string(spectra.ChangeModified), string(spectra.ChangeAdded), string(spectra.ChangeRemoved),
		string(spectra.ChangeRenamed), string(spectra.ChangeSignature), string(spectra.ChangeType),
		string(spectra.ChangeVariable), string(spectra.ChangeDependency), string(spectra.ChangeUnknown),
	},
	reflect.TypeFor[spectra.Kind](): {
		string(spectra.KindContainer), string(spectra.KindFollower), string(spectra.KindNewOnly),
		string(spectra.KindOldOnly), string(spectra.KindPanic), string(spectra.KindExit),
		string(spectra.KindNondeterminism),
	},
	reflect.TypeFor[spectra.Tier]():       tierWords(),
	reflect.TypeFor[spectra.Reach]():      {string(spectra.Visible), string(spectra.Masked)},
	reflect.TypeFor[spectra.Confidence](): {string(spectra.Confirmed), string(spectra.Likely)},
	reflect.TypeFor[report.CallStatus](): {
		string(report.CallEqual), string(report.CallContainer), string(report.CallFollower), string(report.CallOldOnly),
		string(report.CallNewOnly), string(report.CallReordered), string(report.CallUnknown),
	},
	reflect.TypeFor[spectra.Purpose](): {
		string(spectra.PurposeRefactoring), string(spectra.PurposeCleanup), string(spectra.PurposeTypo),
		string(spectra.PurposeDocs), string(spectra.PurposeBump), string(spectra.PurposePerformance),
		string(spectra.PurposeTests),
	},
	reflect.TypeFor[report.Lack](): {
		string(report.LackCommands), string(report.LackDependencies), string(report.LackTests),
	},
	reflect.TypeFor[report.Reason](): {string(report.Interrupted), string(report.TimedOut), string(report.Missing)},
	reflect.TypeFor[report.Verdict](): {
		string(report.Same), string(report.Deviates), string(report.NotReached), string(report.Incomplete),
	},
	reflect.TypeFor[report.FailOn](): append(tierWords(), "", string(report.FailAny), string(report.FailVisible),
		string(report.FailNotReached), string(report.FailNone)),
}

// words compares an enumeration with the constants of a type.
func (c *checker) words(path string, n *node, of reflect.Type) {
	want, fixed := words[of]
	if !fixed {
		if of.Kind() == reflect.String && of.PkgPath() != "" {
			c.t.Errorf("%s: the words of %s are not known to this test", path, of)
		}
		return
	}
	got := []string{}
	for _, word := range n.Enum {
		got = append(got, fmt.Sprint(word))
	}
	slices.Sort(got)
	if want = slices.Sorted(slices.Values(want)); !slices.Equal(got, want) {
		c.t.Errorf("%s: words %q, want %q", path, got, want)
	}
}

func TestSchemaTakesReports(t *testing.T) {
	whole, line := compile(t, ""), compile(t, "#/$defs/line")
	golden, err := os.ReadFile("testdata/full.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := conforms(whole, golden); err != nil {
		t.Error(err)
	}
	r := full(t)
	empty := new(report.Report)
	if err := empty.Finish(report.FailNone); err != nil {
		t.Fatal(err)
	}
	for _, l := range []json.Line{{Found: &r.Roots[0]}, {Report: r}, {Report: empty}} {
		var out bytes.Buffer
		if err := json.WriteLine(&out, l); err != nil {
			t.Fatal(err)
		}
		if err := conforms(line, out.Bytes()); err != nil {
			t.Error(err)
		}
	}
}

func TestSchemaRefuses(t *testing.T) {
	whole := compile(t, "")
	sound := string(write(t, full(t)))
	for _, test := range []struct{ old, new, reason string }{
		{`"spectradiff/1"`, `"spectradiff/2"`, "another form"},
		{`"container"`, `"contained"`, "no kind of deviation"},
		{`"modified"`, `"changed"`, "no kind of change"},
		{`"visible"`, `"seen"`, "no reach"},
		{`"confirmed"`, `"sure"`, "no confidence"},
		{`"verdict": "deviates"`, `"verdict": "fine"`, "no verdict"},
		{`"exit": 1`, `"exit": 3`, "no exit status"},
		{`"side": "new"`, `"side": "left"`, "no side"},
		{`"rank": 1`, `"rank": "1"`, "another type"},
		{`"id": "d1"`, `"id": "1"`, "no id"},
		{`"masked": 12,`, ``, "a field that is always there"},
		{`"tool": {`, `"tool": null, "was": {`, "null"},
	} {
		bad := strings.Replace(sound, test.old, test.new, 1)
		if bad == sound {
			t.Errorf("%s: the report has no %s", test.reason, test.old)
		} else if conforms(whole, []byte(bad)) == nil {
			t.Errorf("%s: %s is accepted", test.reason, test.new)
		}
	}
	more := strings.Replace(sound, `"rank": 1`, `"later": {}, "rank": 1`, 1)
	if err := conforms(whole, []byte(more)); err != nil {
		t.Errorf("a field of a later version: %v", err)
	}
}

// TestSchemaTakesRandomReports writes reports with a random value in every field.
func TestSchemaTakesRandomReports(t *testing.T) {
	whole, line := compile(t, ""), compile(t, "#/$defs/line")
	takes := func(seed int64) bool {
		r := random(seed)
		var out, lines bytes.Buffer
		if err := json.Write(&out, r); err != nil {
			t.Fatal(err)
		}
		if err := json.WriteLine(&lines, json.Line{Report: r}); err != nil {
			t.Fatal(err)
		}
		if err := conforms(whole, out.Bytes()); err != nil {
			t.Errorf("seed %d: %v", seed, err)
			return false
		}
		return conforms(line, lines.Bytes()) == nil
	}
	if err := quick.Check(takes, &quick.Config{MaxCount: 30}); err != nil {
		t.Error(err)
	}
}
