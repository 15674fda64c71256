package sequence_test

import (
	"fmt"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// popsWhatWasPushed reports whether a stack pops after a push on it. Usually a sequence is played to find that out;
// here its statements are enough.
func popsWhatWasPushed(s sequence.Sequence) bool {
	pushed := map[int]bool{} // by the index of the statement that made the stack
	for _, st := range s.Statements {
		if len(st.Args) == 0 || st.Args[0].Kind != sequence.Ref {
			continue
		}
		stack := st.Args[0].Statement
		switch {
		case strings.HasSuffix(st.Op, ".Push"):
			pushed[stack] = true
		case strings.HasSuffix(st.Op, ".Pop") && pushed[stack]:
			return true
		}
	}
	return false
}

// Example parses a sequence, minimises it while it still pops a pushed element, and prints it.
func Example() {
	s, err := sequence.Parse(`spectradiff sequence 1
v0 := example.com/stack.New(8)
v1 := example.com/stack.New(2)
v2 := example.com/stack.(*Stack).Push(v0, "some text", {1, 2, 3})
v3 := example.com/stack.(*Stack).Push(v1, "more text", {4})
v4 := example.com/stack.(*Stack).Pop(v1)
v5 := example.com/stack.(*Stack).Pop(v0)
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("statements:", len(s.Statements))
	fmt.Print(sequence.Minimise(s, []int{5}, func(batch []sequence.Sequence) (kept []bool) {
		for _, one := range batch {
			kept = append(kept, popsWhatWasPushed(one))
		}
		return kept
	}))

	// Output:
	// statements: 6
	// spectradiff sequence 1
	// v0 := example.com/stack.New(0)
	// v1 := example.com/stack.(*Stack).Push(v0, "", {,})
	// v2 := example.com/stack.(*Stack).Pop(v0)
}
