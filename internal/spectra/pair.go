package spectra

// A Side is one of the two versions.
type Side string

// The sides. Their names are those of reports and messages.
const (
	Old Side = "old"
	New Side = "new"
)

// Sides lists both, old first.
func Sides() [2]Side { return [2]Side{Old, New} }

// Other returns the other version.
func (s Side) Other() Side {
	if s == Old {
		return New
	}
	return Old
}

// A Pair has one value for each version.
type Pair[T any] struct{ Old, New T }

// Both returns a pair of the same value.
func Both[T any](value T) Pair[T] { return Pair[T]{value, value} }

// MakePair calls the function for each side, old first, and returns the two results.
func MakePair[T any](value func(Side) T) Pair[T] { return Pair[T]{value(Old), value(New)} }

// Of returns a pointer to the value of one side.
func (p *Pair[T]) Of(s Side) *T {
	if s == Old {
		return &p.Old
	}
	return &p.New
}

// Each visits both values, old first.
func (p Pair[T]) Each(visit func(Side, T)) {
	visit(Old, p.Old)
	visit(New, p.New)
}
