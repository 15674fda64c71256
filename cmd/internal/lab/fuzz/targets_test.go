package fuzz

import (
	"slices"
	"strings"
	"testing"
)

const targetFile = `package m

import (
	"testing"
	"time"
)

func Fuzz_A(f *testing.F) {
	f.Fuzz(func(t *testing.T, s string, data []byte, n, m uint8) {
		A(s, data, n, m)
	})
}

func Fuzz_B(f *testing.F) {
	f.Fuzz(func(t *testing.T, d time.Duration) { B(d) })
}

func Fuzz_C(f *testing.F) {}
`

// TestPrepared: panics end nothing, zero values are tried where the types are plain, what is left out or is no target
// goes.
func TestPrepared(t *testing.T) {
	edited, names := prepared([]byte(targetFile), nil)
	if want := []string{"Fuzz_A", "Fuzz_B"}; !slices.Equal(names, want) {
		t.Errorf("got targets %v, want %v", names, want)
	}
	for _, want := range []string{
		`f.Add("", []byte{}, uint8(0), uint8(0)); f.Fuzz(func(t *testing.T, s string, data []byte, n, m uint8) {` +
			" defer func() { _ = recover() }();",
		"\tf.Fuzz(func(t *testing.T, d time.Duration) { defer func() { _ = recover() }(); B(d) })",
	} {
		if !strings.Contains(string(edited), want) {
			t.Errorf("%q is not in\n%s", want, edited)
		}
	}
	if strings.Contains(string(edited), "Fuzz_C") {
		t.Errorf("what is no target stays:\n%s", edited)
	}
	_, names = prepared([]byte(targetFile), map[string]bool{"Fuzz_A": true})
	if !slices.Equal(names, []string{"Fuzz_B"}) {
		t.Errorf("without Fuzz_A: got %v", names)
	}
}

func TestSteps(t *testing.T) {
	got := steps([]byte("{\n\tName: \"Fuzz_T_M\",\n}, {Name:   \"Fuzz_T_N\"}, Name: \"other\""))
	if want := []string{"Fuzz_T_M", "Fuzz_T_N"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestDropped: declarations and imports about which the compiler complains go, the others stay.
func TestDropped(t *testing.T) {
	lines := complaints("# m\n./zspectra_fuzz0_test.go:5:2: \"time\" imported and not used\n" +
		"p/zspectra_fuzz0_test.go:15:40: undefined: B\nother.go:3:1: no\n\tzspectra_fuzz0_test.go:9:1: no\n")
	if got := lines["zspectra_fuzz0_test.go"]; len(lines) != 1 || !slices.Equal(got, []int{5, 15}) {
		t.Fatalf("got complaints %v", lines)
	}
	got := string(dropped([]byte(targetFile), lines["zspectra_fuzz0_test.go"]))
	if strings.Contains(got, "Fuzz_B") || strings.Contains(got, `"time"`) || !strings.Contains(got, "Fuzz_A") {
		t.Errorf("got\n%s", got)
	}
	if got := dropped([]byte(targetFile), []int{8, 14, 18}); got != nil {
		t.Errorf("without any target: got\n%s", got)
	}
}
