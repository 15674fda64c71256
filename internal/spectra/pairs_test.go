package spectra

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/rt"
)

// edit is how the second program of a pair differs from the sample program.
type edit struct {
	shuffled  bool // two statements that print are swapped
	shift     int  // added to the first number where it is read
	redundant bool // a number is changed after its last use
}

func (e edit) main(out *strings.Builder, argc int, argv1, argv2 string) (r int) {
	if rt.On {
		a, b, c := argc, argv1, argv2
		f := rt.Enter(&samplePoints[0], &a, &b, &c)
		defer f.Exit(&a, &b, &c, &r)
	}
	i, _ := strconv.Atoi(argv1)
	j, _ := strconv.Atoi(argv2)
	i += e.shift
	lines := []string{fmt.Sprint(sampleMax(i, j)), "done"}
	if e.redundant {
		i++
	}
	_ = i
	if e.shuffled {
		slices.Reverse(lines)
	}
	out.WriteString(strings.Join(lines, "\n"))
	return 0
}

func TestValueSpectraAndOutput(t *testing.T) {
	run := func(e edit) *Spectrum {
		out := &strings.Builder{}
		s := record(t, true, func() { e.main(out, 3, "0", "2") })
		s.Stdout = out.String()
		return s
	}
	old := run(edit{})
	for _, test := range []struct {
		reason         string
		edit           edit
		values, output bool // whether they stay equal
	}{
		{"the same program", edit{}, true, true},
		{"printing in another order", edit{shuffled: true}, true, false},
		{"another number on the way to the same output", edit{shift: 1}, false, true},
		{"a change after the last use", edit{redundant: true}, true, true},
	} {
		new := run(test.edit)
		if got := old.Trace(Recorded).Equal(new.Trace(Recorded)); got != test.values {
			t.Errorf("%s: value spectra equal %v", test.reason, got)
		}
		if got := old.Stdout == new.Stdout; got != test.output {
			t.Errorf("%s: output equal %v", test.reason, got)
		}
	}
}
