package sequence

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// Check returns an error if a sequence has operations that sig does not know, wrong numbers of arguments, references to
// statements that do not come before, or malformed values. The number of results of a function value is known only at
// run time, so references to such results are allowed.
func Check(s Sequence, sig func(op string) (params int, results int, ok bool)) error {
	results := make([]int, len(s.Statements)) // -1: any number
	for i := range s.Statements {
		st := &s.Statements[i]
		n, err := checkStatement(st, sig)
		for j := 0; err == nil && j < len(st.Args); j++ {
			err = checkValue(&st.Args[j], results[:i], 0)
		}
		if err != nil {
			return fmt.Errorf("statement v%d: %w", i, err)
		}
		results[i] = n
	}
	return nil
}

// checkStatement checks one statement and returns the number of its results.
func checkStatement(st *Statement, sig func(string) (int, int, bool)) (int, error) {
	want, results := 0, 0
	switch st.Kind {
	case Call:
		var ok bool
		if want, results, ok = sig(st.Op); !ok {
			return 0, fmt.Errorf("no operation %s in this build", st.Op)
		}
	case CallValue:
		if len(st.Args) == 0 {
			return 0, errors.New("no function value to call")
		}
		return -1, nil
	case Set:
		want = 2
	case Let:
		want, results = 1, 1
	default:
		return 0, fmt.Errorf("unknown kind of statement %d", st.Kind)
	}
	if len(st.Args) != want {
		return 0, fmt.Errorf("%s has %d arguments, want %d", st.Op, len(st.Args), want)
	}
	return results, nil
}

func checkValue(v *Value, results []int, depth int) error {
	if depth >= maxNesting {
		return fmt.Errorf("value is nested more than %d deep", maxNesting)
	}
	if err := checkForm(v, results); err != nil {
		return err
	}
	for i := range v.Elems {
		if err := checkValue(&v.Elems[i], results, depth+1); err != nil {
			return err
		}
	}
	for i := range v.Fields {
		if err := checkValue(&v.Fields[i].Value, results, depth+1); err != nil {
			return fmt.Errorf("field %s: %w", v.Fields[i].Name, err)
		}
	}
	return nil
}

// checkForm checks one value, but not the values in it.
func checkForm(v *Value, results []int) error {
	ok, elems, fields := true, len(v.Elems), len(v.Fields)
	switch v.Kind {
	case Ref:
		if v.Statement < 0 || v.Statement >= len(results) {
			return fmt.Errorf("reference to statement v%d, which has not run yet", v.Statement)
		}
		if n := results[v.Statement]; v.Result < 0 || n >= 0 && v.Result >= n {
			return fmt.Errorf("reference to result %d of v%d, which has %d", v.Result, v.Statement, n)
		}
	case Nil, Zero, String:
	case Bool:
		ok = v.Text == "true" || v.Text == "false"
	case Int:
		_, err := strconv.ParseInt(v.Text, 10, 64)
		ok = isInt(v.Text) && err == nil
	case Uint:
		_, err := strconv.ParseUint(v.Text, 10, 64)
		ok = isUint(v.Text) && err == nil
	case Float:
		ok = isFloat(v.Text)
	case Complex:
		ok = isComplex(v.Text)
	case Chan:
		_, ok = parseIndex(v.Text)
	case Typed, Address:
		ok, elems = elems == 1, 0
	case List, Stub, Closed, Yields, Calls:
		elems = 0
	case Varying:
		ok, elems = elems > 1 && !slices.ContainsFunc(v.Elems, func(e Value) bool { return e.Kind != Stub }), 0
	case Map:
		ok, elems = elems%2 == 0, 0
	case Struct:
		fields = 0
	default:
		return fmt.Errorf("unknown kind of value %d", v.Kind)
	}
	if !ok || elems != 0 || fields != 0 {
		return fmt.Errorf("malformed value %.80s", appendValue(nil, v))
	}
	return nil
}
