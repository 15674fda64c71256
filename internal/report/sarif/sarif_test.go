package sarif_test

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"
	"unicode"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/reporttest"
	"github.com/spectradiff/spectradiff/internal/report/sarif"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

var update = flag.Bool("update", false, "write the golden files anew")

// A document is what the tests look at.
type document struct {
	Runs []struct {
		Invocations []struct {
			ExecutionSuccessful bool
			ExitCode            int
		}
		Results []struct {
			RuleID    string
			Locations []place
			CodeFlows []struct {
				ThreadFlows []struct {
					Locations []struct{ Location place }
				}
			}
			RelatedLocations []place
		}
	}
}

type place struct {
	Message          *struct{ Text string }
	PhysicalLocation *struct {
		ArtifactLocation struct{ URI, URIBaseID string }
	}
}

func schemaOf(t testing.TB) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	schema, err := compiler.Compile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func write(t testing.TB, r *report.Report) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := sarif.Write(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// check validates a log and returns what is in it.
func check(t testing.TB, schema *jsonschema.Schema, data []byte) document {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err == nil {
		err = schema.Validate(value)
	}
	var of document
	if err == nil {
		err = stdjson.Unmarshal(data, &of)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, data)
	}
	return of
}

func TestGolden(t *testing.T) {
	schema := schemaOf(t)
	for _, c := range reporttest.Cases(t) {
		got := write(t, c.Report)
		reporttest.Golden(t, c.Name+".sarif", c.Reason, *update, got)
		of := check(t, schema, got).Runs[0]
		if len(of.Results) != len(c.Report.Roots) {
			t.Errorf("%s: %d results for %d roots", c.Name, len(of.Results), len(c.Report.Roots))
		}
		successful := c.Report.Verdict != report.Incomplete && c.Report.Partial == nil
		if got := of.Invocations[0]; got.ExecutionSuccessful != successful || got.ExitCode != c.Report.Exit {
			t.Errorf("%s: invocation is %+v", c.Name, got)
		}
	}
}

// TestSchema: the schema that the tests use refuses what is wrong.
func TestSchema(t *testing.T) {
	good := string(write(t, reporttest.Full(t)))
	for _, c := range []struct{ reason, old, new string }{
		{"an unknown property", `"ruleId"`, `"rule_id"`},
		{"an unknown level", `"level": "error"`, `"level": "fatal"`},
		{"a line before the first", `"startLine": 41`, `"startLine": 0`},
		{"no reference", `"uri": "cart.go"`, `"uri": "%%"`},
	} {
		bad := strings.Replace(good, c.old, c.new, 1)
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(bad))
		if err != nil || bad == good {
			t.Fatalf("%s: not replaced, or no JSON: %v", c.reason, err)
		}
		if schemaOf(t).Validate(value) == nil {
			t.Errorf("%s is accepted", c.reason)
		}
	}
}

// TestPlaces: no location is without a place in a file, or readers refuse the whole log.
func TestPlaces(t *testing.T) {
	for _, result := range check(t, schemaOf(t), write(t, reporttest.Full(t))).Runs[0].Results {
		all := append(result.Locations, result.RelatedLocations...)
		for _, flow := range result.CodeFlows {
			for _, at := range flow.ThreadFlows[0].Locations {
				if at.Location.Message == nil {
					t.Errorf("a station of %s has no message", result.RuleID)
				}
				all = append(all, at.Location)
			}
		}
		for _, at := range all {
			if at.PhysicalLocation == nil || at.PhysicalLocation.ArtifactLocation.URI == "" ||
				at.PhysicalLocation.ArtifactLocation.URIBaseID != "%SRCROOT%" {
				t.Errorf("a location of %s has no place", result.RuleID)
			}
		}
	}
}

func TestLarge(t *testing.T) {
	of := check(t, schemaOf(t), write(t, reporttest.Many(t, 10_000, spectra.TierValue)))
	if got := len(of.Runs[0].Results); got != 10_000 {
		t.Errorf("%d results", got)
	}
}

// TestHuge: values of megabytes are cut.
func TestHuge(t *testing.T) {
	data := write(t, reporttest.Hostile(t, strings.Repeat("x](", 1<<20), 1, false))
	if check(t, schemaOf(t), data); len(data) > 1<<20 {
		t.Errorf("the log has %d bytes", len(data))
	}
}

func TestWriteError(t *testing.T) {
	if err := sarif.Write(reporttest.Closed{}, reporttest.Full(t)); !errors.Is(err, os.ErrClosed) {
		t.Errorf("the error of the writer is lost: %v", err)
	}
}

func FuzzWrite(f *testing.F) {
	for i, text := range reporttest.Texts() {
		f.Add(text, i-1, i%2 == 0)
	}
	schema := schemaOf(f)
	f.Fuzz(func(t *testing.T, text string, line int, several bool) {
		r := reporttest.Hostile(t, text, line, several)
		data := write(t, r)
		if got := check(t, schema, data); len(got.Runs) != 1 || len(got.Runs[0].Results) != len(r.Roots) {
			t.Errorf("other results than %d:\n%s", len(r.Roots), data)
		}
		harmless := func(r rune) bool { return r == '\n' || unicode.IsPrint(r) }
		if i := strings.IndexFunc(string(data), func(r rune) bool { return !harmless(r) }); i >= 0 {
			t.Errorf("at byte %d is %q", i, data[i:min(len(data), i+4)])
		}
		for line := range strings.Lines(string(data)) {
			if strings.Contains(line, `"text": `) && strings.Contains(line, "](") || strings.Contains(line, "##[") {
				t.Errorf("a link or a command: %s", line)
			}
		}
	})
}
