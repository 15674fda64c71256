package spectra

// Lines is a range of lines of a file, both ends included. Line 0 stands for no lines.
type Lines struct {
	File          string // relative to the module
	Line, EndLine int
}

// A Hunk is a run of lines that differ between the versions. The side that has none has Line 0.
type Hunk = Pair[Lines]
