package siemens

import (
	"go/format"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestFaults: each fault is in one place of its program, no two lead to the same program, and what they lead to is Go.
func TestFaults(t *testing.T) {
	for _, p := range Programs() {
		if len(p.Faults) != 10 {
			t.Errorf("%s has %d faults, want 10", p.Name, len(p.Faults))
		}
		var seen []string
		for _, f := range p.Faults {
			source, in, err := p.Faulty(f)
			if err != nil {
				t.Error(err)
				continue
			}
			if _, err := format.Source([]byte(source)); err != nil || f.Reason == "" || slices.Contains(seen, source) {
				t.Errorf("%s, %q: it is no Go (%v), has no reason, or is there twice", p.Name, f.Old, err)
			}
			if !strings.HasPrefix(in, Module+"/"+p.Name+".") {
				t.Errorf("%s, %q: it is in %s", p.Name, f.Old, in)
			}
			seen = append(seen, source)
		}
	}
}

// TestFaultyRefuses: a place that is not there, or is there more than once, or stays as it is, is no fault.
func TestFaultyRefuses(t *testing.T) {
	p := Programs()[0]
	for reason, f := range map[string]Fault{
		"not there":         {Old: "no such text", New: "x"},
		"more than once":    {Old: "return", New: "return "},
		"as it is":          {Old: `"lambda", `, New: `"lambda", `},
		"in no declaration": {Old: "package tokens\n", New: "package tokens \n"},
	} {
		if _, in, err := p.Faulty(f); err == nil {
			t.Errorf("%s: accepted, in %s", reason, in)
		}
	}
}

// TestDeclaration: methods, functions, variables and constants are told as reports do.
func TestDeclaration(t *testing.T) {
	p := Program{Name: "m"}
	const text = "package m\n\nconst (\n\ta = 1\n\tb = 2\n)\n\nvar v = []int{3}\n\nfunc f() int { return 4 }\n\n" +
		"func (s *T) g() int { return 5 }\n\ntype T int\n"
	for place, want := range map[string]string{"1": "a", "2": "b", "3": "v", "4": "f", "5": "(*T).g"} {
		if got, err := p.declaration(text, strings.Index(text, place)); err != nil || got != Module+"/m."+want {
			t.Errorf("%s is in %s, %v; want %s", place, got, err, want)
		}
	}
}

// TestInputs: a longer list begins with a shorter one, and most inputs are distinct.
func TestInputs(t *testing.T) {
	for _, p := range Programs() {
		few, many := p.Inputs(20), p.Inputs(200)
		if !reflect.DeepEqual(few, many[:20]) {
			t.Errorf("%s: 200 inputs do not begin with 20", p.Name)
		}
		distinct := map[string]bool{}
		for _, in := range many {
			distinct[in.fields()] = true
		}
		if len(distinct) < 190 {
			t.Errorf("%s: of 200 inputs only %d are distinct", p.Name, len(distinct))
		}
	}
}

// TestTest: the table test and the player are Go.
func TestTest(t *testing.T) {
	p := Programs()[0]
	inputs := []Input{{Text: "a\n\"b\""}, {Args: []string{"-n", "`"}}}
	if _, err := format.Source([]byte(p.Test(inputs, []string{"x\n", ""}))); err != nil {
		t.Error(err)
	}
	module, err := Player(Programs(), 2)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := format.Source([]byte(module["main.go"])); err != nil || len(module) != 57 {
		t.Errorf("%d files, %v; want go.mod, the command and 55 packages", len(module), err)
	}
}
