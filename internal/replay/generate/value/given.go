package value

import "github.com/spectradiff/spectradiff/internal/replay/sequence"

const (
	namedShare  = 0.75 // of those handed over again those that a parameter of the same name had, where there are any
	holdingText = 0.3  // of the texts among these: other texts that have it in them
	maxGiven    = 200  // bytes of a text that is handed over again
)

// A Given collects literals that a sequence has already, as far as a type has them.
type Given struct {
	Type        Type
	found, same []sequence.Value
}

// Add adds the literals in arguments, and in what they hold. They are the same if parameters of the same name had them.
func (g *Given) Add(args []sequence.Value, same bool) {
	for _, v := range args {
		if scalar, ok := g.Type.Taken(v); ok && len(scalar.Text) <= maxGiven {
			if g.found = append(g.found, scalar); same {
				g.same = append(g.same, scalar)
			}
		}
		g.Add(v.Elems, same)
		for _, f := range v.Fields {
			g.Add([]sequence.Value{f.Value}, same)
		}
	}
}

// Given returns one of the literals for a parameter of an operation, or a text in which one stands. It returns false if
// there is none. The operation may be nil.
func (s *Source) Given(g Given, op *Operation, param int) (sequence.Value, bool) {
	found := g.found
	if len(g.same) > 0 && s.Chance(namedShare) {
		found = g.same
	}
	if len(found) == 0 {
		return sequence.Value{}, false
	}
	v := Pick(s.Random, found)
	if v.Kind == sequence.String && s.Chance(holdingText) {
		v.Text = s.holding(v.Text, op, param)
	}
	return v, true
}
