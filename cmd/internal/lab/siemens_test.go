package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/cmd/internal/lab/siemens"
	"github.com/spectradiff/spectradiff/internal/report"
)

// TestSiemens: each fault compiles, and changes an output unless it says why it can't; no program panics as it is.
func TestSiemens(t *testing.T) {
	if testing.Short() {
		t.Skip("builds 55 packages")
	}
	programs := siemens.Programs()
	played, err := playFamily(t.Context(), t.TempDir(), programs, 300)
	if err != nil {
		t.Fatal(err)
	}
	for i, p := range programs {
		for j, f := range p.Faults {
			differ := differing(played[i][0], played[i][j+1])
			if (differ == 0) != (f.Silent != "") {
				t.Errorf("%s, %q: %d of 300 outputs differ", p.Name, f.Old, differ)
			}
		}
		panics := func(text string) bool { return strings.HasPrefix(text, "panic") }
		if at := slices.IndexFunc(played[i][0], panics); at >= 0 {
			t.Errorf("%s panics with input %d", p.Name, at)
		}
		slices.Sort(played[i][0])
		if distinct := slices.Compact(played[i][0]); len(distinct) < 50 {
			t.Errorf("%s: only %d of 300 outputs are distinct", p.Name, len(distinct))
		}
	}
}

// TestPrintSeeded: what is special of a fault is said, and a fault that nothing exposes is listed.
func TestPrintSeeded(t *testing.T) {
	one := func(in string, e report.Exposure, first bool, differ int) seeded {
		return seeded{
			measured: measured{module: "tokens", mutant: mutant{function: in}, exposure: e, first: first, named: first},
			differ:   differ, tier: "value", seconds: 4,
		}
	}
	all := []seeded{
		one("m.F", report.Exposure{Covering: 10, Output: 2, Hit: 5, Count: 5, Trace: 6}, true, 3),
		one("m.G", report.Exposure{Covering: 4}, false, 0),
	}
	all[0].located = 5
	f := &family{siemensSettings: siemensSettings{inputs: 10}, programs: siemens.Programs()[:1]}
	var out bytes.Buffer
	printSeeded(&out, f, partInputs, all)
	for _, want := range []string{
		"2 faults in 1 programs, 10 inputs each, as they are.\n",
		"| tokens | print_tokens | 2 | 2 | 1 | 1 | 1 | 1 | 1 | 1 | 4 |\n",
		"| tokens | 0.100 | 0.250 | 0.250 | 0.300 | 1.000 |\n",
		"- m.F (): hit 5, count 5, trace 6 of 10\n", "- m.F (): 2 outputs deviate, and 3 differ where",
		"- m.G (): no spectrum deviates\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
}
