package wire

// Numbers in the values that the operation of a test is given, which say what of it runs. All others are numbers of
// holes.
const (
	OnlyPart  = -1 // only the subtest of this name
	ListParts = -2 // if true, no subtest: their names are printed
)

// EndOfParts ends the printed names of subtests, which have a line each.
const EndOfParts = "\x00"
