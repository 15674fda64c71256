package wire

// Event kinds. A stream is a list of events; every event belongs to the goroutine named by the
// last EventGoroutine before it.
const (
	EventEnter     = 1 // uvarint point, state: a function was entered
	EventExit      = 2 // byte how (Exit…), state: the innermost open execution ended
	EventGoroutine = 3 // uvarint goroutine, uvarint parent, uvarint ticket (0 = unknown): later events are of this one
	EventGo        = 4 // uvarint ticket (0 = about to): the innermost open execution starts a goroutine, now or later
	EventStep      = 5 // uvarint statement index: the driver is about to run this statement

	// EventLeft: a goroutine has not ended when the sequence has. What follows is uvarint goroutine, uvarint ticket,
	// byte (Left…), string reason, string start.
	EventLeft = 6
)

// How an execution ended.
const (
	ExitReturn = 0
	ExitPanic  = 1
	ExitGoexit = 2
)

// What a goroutine that has not ended does.
const (
	LeftRunning = 0
	LeftWaiting = 1
)

// Flags of a state: flags byte, then 16 bytes of digest (little endian), then what the flags say,
// in the order of the flags below.
const (
	StateTruncated = 1 // the walk ended at its budget of nodes: the digest proves nothing
	StateValues    = 2 // uvarint length, then that many bytes of slots follow
	StateSite      = 4 // uvarint line of the call in the caller's source follows (entry states only)
)

// Slots of a state: uvarint slot number, then a value. Slots 0… are the point's receiver,
// parameters, captured variables and results in the order of their declaration.
const (
	SlotPanic  = 1 << 12 // the panic value
	SlotGlobal = 1 << 13 // + the index of the package variable in the configuration
)

// Value tokens. Strings are a uvarint length and the bytes; ids number the nodes of one state in
// the order of their first visit, from 1.
const (
	ValueNil       = 'n' // nil pointer, slice, map, interface, function, channel
	ValueBool      = 'b' // byte
	ValueInt       = 'i' // varint
	ValueUint      = 'u' // uvarint
	ValueFloat     = 'f' // 8 bytes, bits of a float64 (a float32 is widened), one NaN
	ValueComplex   = 'c' // two floats' bits
	ValueString    = 's' // string
	ValueBytes     = 'B' // uvarint id, string: a slice of bytes
	ValuePointer   = '*' // uvarint id, value
	ValueRef       = 'r' // uvarint id of a node visited before
	ValueInside    = 'R' // uvarint id, string path: a place in a node visited before
	ValueOverlap   = 'O' // uvarint id, string path, value: the node shares memory with that one, from that place on
	ValueNode      = '@' // uvarint id, value: the memory of the value itself, a package variable's, is that node
	ValueStruct    = '{' // string type, uvarint n, n times: string field, value
	ValueArray     = 'A' // uvarint length, values
	ValueSlice     = 'S' // uvarint id, uvarint length, values
	ValueMap       = 'm' // uvarint id, uvarint length, then key and value in key order
	ValueInterface = 'I' // string dynamic type, value
	ValueFunc      = 'p' // string symbol
	ValueChan      = 'h' // uvarint id, uvarint capacity, uvarint length, buffered values
	ValueClosed    = 'x' // the same of a channel that was closed
	ValueOpaque    = 'o' // string type
	ValueTruncated = 't' // the walk ended here
)

// Frame types.
const (
	FrameHello     = 'H' // driver → tool: body see Hello in docs/design.md
	FrameConfigure = 'C' // tool → driver
	FrameRun       = 'R' // tool → driver: one batch of sequences
	FrameOutcome   = 'O' // driver → tool: the outcome of one sequence
	FrameVariables = 'V' // tool → driver: empty; driver → tool: the compared package variables as they are now, blocks
	FrameQuit      = 'Q' // tool → driver
)

// Statement kinds of a sequence on the wire.
const (
	StatementCall  = 'c' // string operation, uvarint n, n values
	StatementValue = 'f' // uvarint n, n values, the first of which is the function value to call
	StatementSet   = 's' // string field, value target (pointer to struct), value
	StatementLet   = 'l' // string type, value
)

// Argument values of a sequence on the wire.
const (
	ArgRef     = 'r' // uvarint statement, uvarint result
	ArgNil     = 'n' // nil of the expected type
	ArgZero    = 'z' // zero value of the expected type
	ArgBool    = 'b' // byte
	ArgInt     = 'i' // varint
	ArgUint    = 'u' // uvarint
	ArgFloat   = 'f' // 8 bytes
	ArgComplex = 'c' // 16 bytes
	ArgString  = 's' // string
	ArgTyped   = 't' // string type, value: for a slot of interface type
	ArgAddress = '&' // value: pointer to a new variable that holds it
	ArgStruct  = '{' // uvarint n, n times: string field, value
	ArgList    = '[' // uvarint n, values: slice or array
	ArgMap     = 'm' // uvarint n, n times: key, value
	ArgStub    = 'F' // uvarint n, n values: a recording function that returns these (zero values when n is 0)
	ArgVarying = 'V' // uvarint n, n stubs: call i returns what the i-th one does, and further calls what the last does
	ArgChan    = 'C' // uvarint capacity
	ArgClosed  = 'D' // uvarint n, n values: a closed channel that holds these
	ArgYields  = 'Y' // uvarint n, n values: a recording iterator that yields these, or pairs of them
	ArgCalls   = 'B' // uvarint n, n values: a recording function that calls the first one it is handed, with these
)

// Statuses with which the driver itself ends, besides 0. The header has the status, the process exits with
// it: the target may exit with any status, too. Where the runtime ends the process because the time bubble
// failed, the header has StatusBubble and the process another one.
const (
	StatusFresh  = 124 // the process can't play another sequence, or not the running one
	StatusBubble = 125 // the time bubble failed, not the target
	StatusFault  = 126 // the driver failed; standard error says how
)

// Limits of what a driver keeps of a sequence. An answer with more is none of the driver's.
const (
	OutputSize = 1 << 16 // bytes of standard output, and of standard error
	ShownText  = 303     // bytes of the text of a value, with the dots that follow where it was cut
	LongText   = 1 << 12 // bytes of any other text: what went wrong, the name of a type or of a file
	StubCalls  = 4096    // calls of functions that were arguments; the last one stands for all further ones
	Files      = 1024    // files and folders in the scratch folders; likewise
)

// What is noted of the operands of one sequence. An answer with more is none of the driver's.
const (
	Operands    = 400
	OperandText = 1 << 10 // bytes of a text; longer ones are not noted
)

// SiteChanged is the bit of the number of a place in changed code.
const SiteChanged = 1 << 31

// ValuedNodes is how many nodes the values of a recording have at most where only some functions keep them.
const ValuedNodes = 1 << 18

// SiteEnvironment is the number of no place: the operand is the name of a variable of the environment that was asked
// for.
const SiteEnvironment = 1<<31 - 1

// Complaint is the beginning of lines that the driver itself writes to standard error.
const Complaint = "spectradiff driver: "

// EventsFile is the descriptor of the memory of events in a driver that begins.
const EventsFile = 5

// Layout of the start of the memory of events: 8 bytes each, little endian, then a text.
const (
	HeaderSequence  = 0 // index of the running sequence + 1; 0 = none
	HeaderStatement = 8
	HeaderStatus    = 16 // status with which the driver itself ended; 0 = it did not
	HeaderMark      = 24 // EventsMark
	HeaderPackage   = 32 // the package with tests that is being initialised, and a zero; only the zero = none
	HeaderSize      = 512
)

// EventsMark tells the memory of events from another file with its number, as a process has that a test starts.
const EventsMark = "spectra\n"

// MostPackage is the length of the longest path that HeaderPackage has room for.
const MostPackage = HeaderSize - HeaderPackage - 1
