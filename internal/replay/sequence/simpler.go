package sequence

import (
	"slices"
	"strconv"
)

// maxSingles is the length up to which elements are dropped one by one.
const maxSingles = 32

// simpler returns simpler values to try in v's place, the simplest first. Every chain of simpler values ends.
func simpler(v Value) []Value {
	switch v.Kind {
	case Bool:
		return texts(v, v.Text, "false")
	case Int, Uint:
		return texts(v, v.Text, simplerInts(v.Text)...)
	case Float:
		return texts(v, v.Text, simplerFloats(v.Text)...)
	case Complex:
		return texts(v, v.Text, "(0+0i)")
	case String:
		return texts(v, v.Text, simplerStrings(v.Text)...)
	case Chan:
		if v.Text != "1" {
			return texts(v, v.Text, "1")
		}
	case Stub:
		if len(v.Elems) > 0 {
			return []Value{{Kind: Stub}}
		}
	case Calls:
		return []Value{{Kind: Stub}}
	case Varying:
		values := slices.Clone(v.Elems)
		for _, rounds := range shorter(v.Elems, 1) {
			if len(rounds) > 1 {
				values = append(values, Value{Kind: Varying, Elems: rounds})
			}
		}
		return values
	case List, Map, Closed, Yields:
		group := 1
		if v.Kind == Map {
			group = 2
		}
		var values []Value
		for _, elems := range shorter(v.Elems, group) {
			values = append(values, Value{Kind: v.Kind, Type: v.Type, Elems: elems})
		}
		return values
	case Struct:
		var values []Value
		for _, fields := range shorter(v.Fields, 1) {
			values = append(values, Value{Kind: Struct, Type: v.Type, Fields: fields})
		}
		return values
	}
	return nil
}

// texts returns v with each candidate text that is simpler than its own text.
func texts(v Value, text string, candidates ...string) []Value {
	var values []Value
	for _, candidate := range candidates {
		if candidate == text {
			break // the rest is not simpler than the text itself
		}
		v.Text = candidate
		values = append(values, v)
	}
	return values
}

// exactUpTo is the size of numbers up to which the nearest one that does is looked for. Of larger numbers few are
// tried: which one it is says nothing.
const exactUpTo = 1 << 12

func simplerInts(text string) []string {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return []string{"0", "1", strconv.FormatInt(1<<62, 10)}
	}
	candidates := []string{"0", "1"}
	add := func(n int64) { candidates = append(candidates, strconv.FormatInt(n, 10)) }
	if n < 0 && n != -n {
		add(-n)
	}
	for _, shift := range []int{32, 16, 8, 4, 1} {
		if far := n / (1 << shift); far > 1 || far < -1 {
			add(far)
		}
	}
	for part := n / 4; part != 0 && (n/part <= 8 || -exactUpTo <= n && n <= exactUpTo); part /= 2 {
		add(n - part)
	}
	if n > 1 && n < 4 {
		add(n - 1)
	} else if n < -1 && n > -4 {
		add(n + 1)
	}
	return append(candidates, text)
}

func simplerFloats(text string) []string {
	f, err := strconv.ParseFloat(text, 64)
	candidates := []string{"0.0", "1.0"}
	if whole := float64(int64(f)); err == nil && whole != f && f > -1e15 && f < 1e15 {
		candidates = append(candidates, FloatText(whole, 64))
	}
	return append(candidates, text)
}

func simplerStrings(text string) []string {
	var candidates []string
	for _, runes := range shorter(splitRunes(text), 1) {
		joined := ""
		for _, r := range runes {
			joined += r
		}
		candidates = append(candidates, joined)
	}
	return append(candidates, text)
}

// splitRunes splits text into its runes. Invalid bytes are left as they are.
func splitRunes(text string) []string {
	var runes []string
	start := 0
	for i := range text {
		if i > start {
			runes = append(runes, text[start:i])
			start = i
		}
	}
	if start < len(text) {
		runes = append(runes, text[start:])
	}
	return runes
}

// shorter returns shorter lists of whole groups: none, the halves, and all but one.
func shorter[T any](all []T, group int) [][]T {
	if len(all) == 0 {
		return nil
	}
	lists := [][]T{nil}
	if half := len(all) / group / 2 * group; half > 0 {
		lists = append(lists, all[:half:half], all[half:])
	}
	for i := len(all) - group; i >= 0 && len(all) <= maxSingles*group; i -= group {
		lists = append(lists, slices.Concat(all[:i], all[i+group:]))
	}
	return lists
}
