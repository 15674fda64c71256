package value

import "github.com/spectradiff/spectradiff/internal/replay/sequence"

const (
	namedShare  = 0.75 // share of repeated literals that come from a parameter of the same name, if there are any
	holdingText = 0.3  // share of repeated texts that are put into other texts
	maxGiven    = 200  // bytes of a text that is repeated
)

// A Given collects the literals of a sequence that fit a type.
type Given struct {
	Type        Type
	found, same []sequence.Value
}

// Add adds the literals in arguments, including nested ones. Same marks those of parameters with the same name.
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

// Given returns one of the literals for a parameter of an operation, or a text that contains one. It returns false if
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
