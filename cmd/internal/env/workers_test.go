package env

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

// TestSalt: what is built and kept is named by the content of the program: two builds may have the same version.
func TestSalt(t *testing.T) {
	defer func(hash func() (string, error)) { programHash = hash }(programHash)
	of := func(content string) string {
		programHash = func() (string, error) { return content, nil }
		return (&Environment{}).salt("v1")
	}
	if of("one build") == of("another") || !strings.Contains(of("one build"), "v1") {
		t.Errorf("%q, and of another build %q", of("one build"), of("another"))
	}
}

// TestSummary: workers are told by which settings of its go command they can't do pieces of a run, and not what these
// are.
func TestSummary(t *testing.T) {
	got := summary("GOVERSION=\"go1.26.1\"\nGOFLAGS=\"-tags=secret here\"\nCC=\"\"\n")
	if !strings.HasPrefix(got, "GOVERSION=go1.26.1 GOFLAGS=") || strings.Contains(got, "secret") ||
		strings.Contains(got, "CC") {
		t.Errorf("%q", got)
	}
}

// TestKindOf: the kind says all that it can of this machine, so that another one is not taken for it.
func TestKindOf(t *testing.T) {
	if _, err := os.Stat("/proc/cpuinfo"); err != nil {
		t.Skip("what the processor and the kernel are is read where Linux says it")
	}
	kind, err := KindOf("v1", sandbox.Layers{})
	if err != nil {
		t.Fatal(err)
	}
	of := reflect.ValueOf(kind)
	for i := range of.NumField() {
		if name := of.Type().Field(i).Name; of.Field(i).IsZero() != (name == "Go" || name == "Settings") {
			t.Errorf("%s is %q", name, of.Field(i))
		}
	}
}
