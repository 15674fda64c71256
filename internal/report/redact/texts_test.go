package redact

import (
	"reflect"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
)

// stays lists the fields whose texts are no values of the program. All others are searched.
var stays = map[string]string{
	"Report.Schema":         "ours",
	"Tool":                  "ours",
	"Revision":              "names of git",
	"Stage":                 "ours",
	"Worker":                "ours",
	"Settings.Redundancy":   "what the user said, to us",
	"Settings.Drive":        "what the user said, to us",
	"Settings.Run":          "what the user said, to us",
	"Settings.Sandbox":      "what the user said, to us",
	"Settings.FailOn":       "what the user said, to us",
	"Settings.Renames":      "what the user said, to us",
	"Settings.Packages":     "what the user said, to us",
	"Subject":               "names of functions, and reasons made of types",
	"Partial":               "ours",
	"Generation":            "ours, and names of types",
	"Commands":              "names",
	"Early.Test":            "a name",
	"Tests.Unjudged":        "names",
	"Replay":                "ours, and names of functions",
	"Noise":                 "paths, in an order that Validate checks",
	"Root.Function":         "a name",
	"Position":              "a file",
	"Root.Change":           "a word",
	"Root.Confidence":       "a word",
	"Root.Tier":             "a word",
	"Root.Reach":            "a word",
	"Root.Deviations":       "ids",
	"Acceptance":            "what somebody wrote into the repository",
	"Commit.Hash":           "a hash",
	"Commit.Author":         "a name",
	"Commit.Date":           "a time",
	"Commit.Purpose":        "a word",
	"Untestable.Hash":       "a hash",
	"Introduction.Commit":   "a hash",
	"Introduction.Among":    "hashes",
	"Stale.Fingerprint":     "ours",
	"Call.Function":         "a name",
	"Call.Status":           "a word",
	"Endings":               "words",
	"Stale.Function":        "a name",
	"Root.Reproducer":       "a file of ours",
	"Root.Fingerprint":      "ours",
	"Root.Drivers":          "words",
	"Root.Basis":            "hashes, not printed",
	"Test.Name":             "a name",
	"Test.Package":          "a path",
	"Literal.Place":         "a place",
	"CommandFile.Name":      "a name",
	"Place.Function":        "a name",
	"Place.Confidence":      "a word",
	"Proof.Also":            "names",
	"Proof.With":            "names",
	"Difference.Function":   "a name",
	"Chain.Swallowed":       "a name",
	"Link.Function":         "a name",
	"TreeLine.Mark":         "a word",
	"Deviation.ID":          "an id",
	"Introduction.Function": "a name",
	"Deviation.Kind":        "a word",
	"Deviation.Function":    "a name",
	"Deviation.Tier":        "a word",
	"Deviation.Reach":       "a word",
	"Deviation.Fingerprint": "ours",
	"Contract.Contract":     "a word",
	"Contract.Function":     "a name",
	"Contract.Sides":        "words",
	"Structural":            "names and signatures, in an order that Validate checks",
	"Module.Folder":         "a folder",
	"Module.Verdict":        "a word",
	"Report.Verdict":        "a word",
	"Report.Lacks":          "words",
}

const known = "ghp_0123456789abcdefghijABCDEFGHIJ"

// fill sets all texts to a secret.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(known)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]string{"f": known}))
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	}
}

// TestAllFields: every text of a report is searched, or stays for a reason.
func TestAllFields(t *testing.T) {
	r := new(report.Report)
	fill(reflect.ValueOf(r).Elem())
	used := map[string]bool{}
	var check func(v reflect.Value, name string, stay bool)
	check = func(v reflect.Value, name string, stay bool) {
		switch v.Kind() {
		case reflect.String:
			if strings.Contains(v.String(), known) != stay {
				t.Errorf("%s: its text is %q", name, v.String())
			}
		case reflect.Pointer:
			check(v.Elem(), name, stay)
		case reflect.Slice:
			for i := range v.Len() {
				check(v.Index(i), name, stay)
			}
		case reflect.Struct:
			of := v.Type().Name()
			used[of] = true
			for i := range v.NumField() {
				field := of + "." + v.Type().Field(i).Name
				used[field] = true
				check(v.Field(i), field, stay || stays[of] != "" || stays[field] != "")
			}
		}
	}
	check(reflect.ValueOf(Redact(r, Rules{})).Elem(), "report", false)
	for name := range stays {
		if !used[name] {
			t.Errorf("%s is no field", name)
		}
	}
}
