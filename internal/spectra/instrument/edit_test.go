package instrument

import (
	"bytes"
	"strings"
	"testing"
)

func TestBuffer(t *testing.T) {
	const src = "one\ntwo"
	tests := []struct {
		reason string
		edits  []edit
		want   string // "": an error
		err    string
	}{
		{reason: "no edits", want: src},
		{reason: "edits come in any order", edits: []edit{{7, 7, "!"}, {0, 0, "<"}}, want: "<one\ntwo!"},
		{reason: "insertions at one offset keep their order", edits: []edit{{3, 3, "x"}, {3, 3, "y"}},
			want: "onexy\ntwo"},
		{reason: "an insertion stands before a replacement that starts there", edits: []edit{{0, 3, "1"}, {0, 0, "+"}},
			want: "+1\ntwo"},
		{reason: "an insertion where a replacement ends", edits: []edit{{0, 3, "1"}, {3, 3, ";"}}, want: "1;\ntwo"},
		{reason: "replacements that touch", edits: []edit{{0, 1, "a"}, {1, 3, "b"}}, want: "ab\ntwo"},
		{reason: "overlap", edits: []edit{{0, 2, "a"}, {1, 3, "b"}}, err: "overlaps"},
		{reason: "insertion inside a replacement", edits: []edit{{0, 3, "a"}, {1, 1, "b"}}, err: "overlaps"},
		{reason: "before the start", edits: []edit{{-1, 0, "a"}}, err: "out of bounds"},
		{reason: "after the end", edits: []edit{{8, 8, "a"}}, err: "out of bounds"},
		{reason: "backwards", edits: []edit{{3, 1, "a"}}, err: "out of bounds"},
		{reason: "a line added", edits: []edit{{1, 1, "\n"}}, err: "line"},
		{reason: "a line removed", edits: []edit{{2, 5, ""}}, err: "line"},
	}
	for _, tt := range tests {
		b := buffer{[]byte(src), tt.edits}
		got, err := b.bytes()
		if tt.err != "" {
			if err == nil || !strings.Contains(err.Error(), tt.err) {
				t.Errorf("%s: error %v, want one about %q", tt.reason, err, tt.err)
			}
			continue
		}
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: %q, %v, want %q", tt.reason, got, err, tt.want)
		}
	}
}

// FuzzBuffer compares the buffer with edits that are applied one by one from the end. It also checks that
// edits which are accepted keep the number of lines.
func FuzzBuffer(f *testing.F) {
	f.Add("package p\n\nfunc f() {}\n", "x; ", 9, 9, 20, 22)
	f.Add("a\nb", "", 0, 1, 1, 2)
	f.Add("", "z", 0, 0, 0, 0)
	f.Fuzz(func(t *testing.T, src, text string, start1, end1, start2, end2 int) {
		b := buffer{src: []byte(src)}
		b.replace(start1, end1, text)
		b.replace(start2, end2, "<"+text+">")
		got, err := b.bytes()
		if err != nil {
			return
		}
		if bytes.Count(got, []byte("\n")) != strings.Count(src, "\n") {
			t.Errorf("%q became %q", src, got)
		}
		first, second := b.edits[0], b.edits[1]
		if second.start < first.start || second.start == first.start && second.end < first.end {
			first, second = second, first
		}
		want := src[:first.start] + first.text + src[first.end:second.start] + second.text + src[second.end:]
		if string(got) != want {
			t.Errorf("%q became %q, want %q", src, got, want)
		}
	})
}
