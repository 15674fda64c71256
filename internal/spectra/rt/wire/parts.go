package wire

// Numbers in the values that the operation of a test is given, which say what of it runs. All others are numbers of
// holes.
const (
	OnlyPart  = -1 // only the subtest of this name
	ListParts = -2 // if true, no subtest: their names are printed
)

// EndOfParts ends the printed names of subtests, which have a line each.
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
