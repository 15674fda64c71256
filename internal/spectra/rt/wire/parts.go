package wire

// Numbers in the values that the operation of a test is given, which say what of it runs. All others are numbers of
// holes: not below zero in sources, and what Outside gives.
const (
	OnlyPart   = -1 // only the subtest of this name
	ListParts  = -2 // if true, no subtest: their names are printed
	ListInputs = -3 // if true, what comes from outside, or is computed, is printed when the test has ended
)

// EndOfParts ends the printed names of subtests, which have a line each, and the printed inputs.
const EndOfParts = "\x00"

// Numbers in the values that the operation of a command is given. What is not there is left out.
const (
	CommandArgument = 0   // and more: arguments, in this order
	CommandInput    = 100 // standard input
	CommandFile     = 200 // and more: names of files in the working folder
	CommandContent  = 300 // and more: what these files hold
	CommandParts    = 100 // how many arguments and files there are at most
)

// StatusText is how the result of a command begins that ends with a status other than 0, which follows.
const StatusText = `error "the command fails", status `

// An Input is the kind of something that a test is given and that no literal of it says. Each is printed in a line: the
// kind, the name, and the usual value, both in Go syntax.
type Input byte

// The kinds of inputs.
const (
	InputFile  Input = 'f' // the content of a file that is opened for reading; the name is a path
	InputText  Input = 't' // a computed text; the name is the number of its hole
	InputSet   Input = 's' // the value of a variable of the environment
	InputUnset Input = 'u' // a variable of the environment that is not set, or is set to nothing if it usually is not
)

// MostInput is the length of the values of inputs in bytes; longer ones are no inputs.
const MostInput = 8 << 10

// Outside returns the number of the hole for an input from outside: far below zero, and, as good as always, another
// one for another kind or name.
func Outside(kind Input, name string) int {
	hash := uint32(2166136261) // FNV-1a
	for _, c := range []byte(string(rune(kind)) + name) {
		hash = (hash ^ uint32(c)) * 16777619
	}
	return -int(hash&(1<<30-1)) - 1<<10
}

// What the detail of an end of the process says behind its status if a test asked for that, or if TestMain did before
// the test began. Where TestMain does so after the test, as is usual, it says no more.
const (
	InTest     = " in the test"
	BeforeTest = " before the test began"
)
