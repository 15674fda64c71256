package generate

import "slices"

// Latest are things of which the oldest are dropped when there are too many.
type Latest[T any] []T

// Add adds a thing; so many are kept at most.
func (l *Latest[T]) Add(thing T, most int) {
	if len(*l) == most {
		*l = (*l)[1:]
	}
	*l = append(*l, thing)
}

// Take takes the latest things away, so many at most, and returns them in the order in which they came.
func (l *Latest[T]) Take(most int) []T {
	n := max(0, len(*l)-most)
	taken := slices.Clone((*l)[n:])
	*l = (*l)[:n]
	return taken
}

// EverySecond returns every second element of a list.
func everySecond[T any](list []T) (some []T) {
	for i := 1; i < len(list); i += 2 {
		some = append(some, list[i])
	}
	return some
}
