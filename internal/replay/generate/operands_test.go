package generate

import (
	"reflect"
	"testing"
)

// TestTogether checks which texts of a place may stand for one another.
func TestTogether(t *testing.T) {
	const flags, key, number = 1, 2, 3
	got := together([]Operand{
		{Site: flags, Left: "--help", Right: "--int"},
		{Site: key, Left: "k", Right: "a"},
		{Site: number, Number: true, Left: "1", Right: "2"},
		{Site: flags, Left: "--int", Right: "--int"},
		{Site: key, Left: "k", Right: "b"}, // one text is looked for: it is answered by each
		{Site: number, Number: true, Left: "2", Right: "1"},
		{Site: flags, Left: "--uint", Right: "-u"},
	})
	want := [][]string{{"--help", "--int", "--uint", "-u"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
