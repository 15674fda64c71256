package redact

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
)

// TestLarge has texts of a size at which looking at the rest of each again and again would not end within the time that
// a test has.
func TestLarge(t *testing.T) {
	const many = 1 << 17
	for _, piece := range []string{
		`"`, `\"`, `'`, " '", "`", "[", "](", "Cookie:\"", "token=", "token:", "token: ", " --token ", `"a",`,
		"password=", "…", `…"a`, "Cookie:", "-", "\n", "://a:", "-----BEGIN PRIVATE KEY-----",
		"eyJ", "a.", "x=(", "‹secret:", "password\n",
	} {
		text := strings.Repeat(piece, many/len(piece))
		r := &report.Report{Warnings: []string{text}, Deviations: []report.Deviation{{
			Path: text, Old: text, New: `Password:"secret12345678"` + text, Sequence: text}}}
		Redact(r, Rules{})
	}
}

func TestManySecrets(t *testing.T) {
	r := new(report.Report)
	for i := range 10_000 {
		secret := fmt.Sprintf("hunter-%d-x-%d", i, i%7)
		r.Deviations = append(r.Deviations, report.Deviation{Path: "recv.Password", Old: `"` + secret + `"`,
			New:      fmt.Sprintf("%q", "hunter-"+secret),
			Sequence: "v0 := m.F(\"" + secret + "\", \"sent " + secret + "…\")"})
	}
	tokens := map[string]bool{}
	for _, d := range Redact(r, Rules{}).Deviations {
		if strings.Contains(d.Old+d.New+d.Sequence, "hunter") {
			t.Fatalf("a secret is left in %v", d)
		}
		if d.Old == d.New || tokens[d.Old] || tokens[d.New] {
			t.Fatalf("two secrets have the token of %v", d)
		}
		tokens[d.Old], tokens[d.New] = true, true
	}
}

func BenchmarkRedact(b *testing.B) {
	r := new(report.Report)
	sequence := "spectradiff sequence 1\n" +
		strings.Repeat("v0 := example.com/m.F(m.C{Name: \"a\\tb\", Token: \"x\"})\n", 20)
	for i := range 10_000 {
		r.Deviations = append(r.Deviations, report.Deviation{Path: "recv.Password",
			Old: fmt.Sprintf("%q", fmt.Sprint(i)), New: fmt.Sprintf("\"hunter-%d\"", i), Sequence: sequence})
	}
	b.ReportAllocs()
	for b.Loop() {
		Redact(r, Rules{})
	}
}
