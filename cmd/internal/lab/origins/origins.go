// Package origins seeds faults into a history, so that it is known with which commit each of them came.
//
//	functions  those of a package in which a fault can show              Functions
//	faults     edits of one place of a function                          Faults
//	history    the commits as one line, with the faults among them       History.Stream, as git fast-import reads it
//	halving    how often git bisect asks on such a line                  Halving
//
// In: the source of packages, commits as git keeps them, a source of randomness. Out: functions, faults, a stream for
// git. A fault is a commit of its own, which every later commit goes on from: wherever the function's text is found as
// it is, and once only, the faulty text stands in its place. Everything else of a commit stays: its other files,
// author, committer, dates, message. A merge becomes an ordinary commit. Signatures are lost, as they would not hold.
//
// A fault parses; whether it compiles is for the caller to see. The same randomness leads to the same faults. The
// package reads, writes and runs nothing.
package origins

// A Function is a function or method in which a fault can be seeded.
type Function struct {
	Symbol string // as reports name it: example.com/m/p.(*T).Add
	Name   string // as its package names it: (*T).Add
	File   string
	Line   int
	Text   string // its declaration, as it stands in File
}

// A Fault is a function with one place that is written otherwise.
type Fault struct {
	Function

	Faulty  string // in place of Text
	Was, Is string // the expression that differs, without and with the fault
	Depth   int    // blocks around it that may not run; 0: it runs unless the function ends before
}

// Halving returns how many commits git bisect asks for on a line of n commits of which the at-th, counted from 1, is
// the first bad one. The last commit is known to be bad, the one before the line to be good. On a line git asks for
// the one in its middle, the older of two, but never for the oldest of more than two; on lines of several thousand it
// takes one that is near enough.
func Halving(n, at int) (asked int) {
	for ; n > 1; asked++ {
		if half := max(n/2, min(n-1, 2)); at <= half {
			n = half
		} else {
			n, at = n-half, at-half
		}
	}
	return asked
}
