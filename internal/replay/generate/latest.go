package generate

import "slices"

// Latest is a bounded list that drops its oldest things.
type Latest[T any] []T

// Add adds a thing. At most so many stay.
func (l *Latest[T]) Add(thing T, most int) {
	if len(*l) == most {
		*l = (*l)[1:]
	}
	*l = append(*l, thing)
}

// Take removes the latest things, at most so many, and returns them in their order.
func (l *Latest[T]) Take(most int) []T {
	n := max(0, len(*l)-most)
	taken := slices.Clone((*l)[n:])
	*l = (*l)[:n]
	return taken
}

// everySecond returns every second element of a list.
func everySecond[T any](list []T) (some []T) {
	for i := 1; i < len(list); i += 2 {
		some = append(some, list[i])
	}
	return some
}
