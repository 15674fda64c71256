package diff

import "github.com/spectradiff/spectradiff/internal/spectra"

// A Node is a function execution of the old version, the new version, or a pair of both.
type Node struct {
	Function spectra.Symbol     // by its new name
	Old, New *spectra.Execution // one of them is nil when only the other version ran it
	Class    Class
	Moved    bool // the pair stands in another order among its siblings
	Entry    Match
	Exit     Match // the way it ended included
	Left     bool  // the goroutines that it left behind differ
	Step     int   // of a child of the root: the index of the driven statement; -1 for stray goroutines
	Parent   *Node
	Children []*Node // in the order of the run, executions of the old version alone where they would be
	Hidden   []Hidden
	// Deviation is the report about the node. It is nil below a node that only one version ran: that
	// node's deviation stands for all below it.
	Deviation *Deviation

	above above
}

// An above says what lies between a node and the root.
type above struct {
	known  bool
	driven *Node // the driven call that holds the node, or is it; nil for the root
	alike  bool  // the node, or a caller, ended alike: what deviates below may not have arrived at the end
	ended  bool  // a caller ended in each version that ran it
}

// up returns what lies between a node, or none, and the root.
func (n *Node) up() above {
	switch {
	case n == nil || n.Parent == nil:
		return above{}
	case n.above.known:
		return n.above
	}
	a := n.Parent.up()
	if a.driven == nil {
		a.driven = n
	} else {
		a.ended = a.ended || !open(n.Parent.Old) && !open(n.Parent.New)
	}
	a.alike = a.alike || n.Class == Same || n.Class == Reordered
	return a
}

// open reports whether the run ended while an execution, or none, was going on.
func open(e *spectra.Execution) bool { return e != nil && e.How == spectra.Open }

// A Hidden is an execution of a function that only one version has. It is no node: its callees
// belong to the node that holds it.
type Hidden struct {
	Execution *spectra.Execution
	Before    int // number of the node's children that came earlier
}

// Class is the way in which a node deviates, or that it does not.
type Class uint8

// The classes. Only Container, Follower, OldOnly and NewOnly are deviations.
const (
	Same      Class = iota
	Container       // entry equal, exit differs: something deviated inside
	Follower        // entry differs: something deviated before
	NewOnly         // no counterpart in the old run
	OldOnly         // no counterpart in the new run
	Reordered       // an equal execution occurs elsewhere in the other run: count or trace differ, no value
	Unknown         // truncated or unstable: neither equal nor different
)

// Deviates reports whether the class is a deviation.
func (c Class) Deviates() bool { return c >= Container && c <= OldOnly }

// Match is the result of comparing two states.
type Match uint8

// The results.
const (
	Equal Match = iota
	Different
	Undecided
)

// Execution returns the execution of the new version, or of the old one where there is no other.
func (n *Node) Execution() *spectra.Execution {
	if n.New != nil {
		return n.New
	}
	return n.Old
}

// Walk visits n and all below it, callers first, until visit returns false.
func (n *Node) Walk(visit func(*Node) bool) bool {
	if !visit(n) {
		return false
	}
	for _, child := range n.Children {
		if !child.Walk(visit) {
			return false
		}
	}
	return true
}

// Clean reports whether nothing is known to deviate at the node's entry. What deviates below such a node may
// have begun in it.
func (n *Node) Clean() bool {
	return n.Class == Same || n.Class == Container || n.Class == Unknown && n.Old != nil && n.New != nil
}
