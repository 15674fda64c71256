package names

// An OpaqueType is a type whose values are not compared, with the reason. A name that ends in "." stands for all types
// of that package about which the tables say nothing else.
type OpaqueType struct {
	Name   string // import path, a dot, and the type without type arguments
	Reason string
}

const (
	scheduling = "a lock or counter of tasks: who holds it is the scheduler's affair"
	machine    = "a thing of the machine: a file, process or connection"
	timing     = "its state follows the clock"
	cached     = "a cache: its content depends on timing and the garbage collector"
	seeded     = "random for every process"
	describing = "describes code and types of the build, not of the program's state"
	internals  = "of the runtime"
)

// OpaqueTypes lists types of the standard library and of protobuf that are never part of a state, by name. Types that
// users add are not in the list.
var OpaqueTypes = []OpaqueType{
	{"crypto/tls.Conn", machine},
	{"encoding/json.encodeState", "a buffer that is used again and again"},
	{"google.golang.org/protobuf/internal/filedesc.", describing},
	{"google.golang.org/protobuf/internal/impl.ExtensionInfo", describing},
	{"google.golang.org/protobuf/internal/impl.MessageInfo", describing},
	{"google.golang.org/protobuf/internal/impl.MessageState", describing},
	{"google.golang.org/protobuf/reflect/protoregistry.Files", describing},
	{"google.golang.org/protobuf/reflect/protoregistry.Types", describing},
	{"hash/maphash.Hash", seeded},
	{"hash/maphash.Seed", seeded},
	{"internal/abi.ArrayType", describing},
	{"internal/abi.ChanType", describing},
	{"internal/abi.FuncType", describing},
	{"internal/abi.ITab", describing},
	{"internal/abi.InterfaceType", describing},
	{"internal/abi.MapType", describing},
	{"internal/abi.Name", describing},
	{"internal/abi.PtrType", describing},
	{"internal/abi.SliceType", describing},
	{"internal/abi.StructType", describing},
	{"internal/abi.Type", describing},
	{"internal/abi.UncommonType", describing},
	{"internal/poll.", machine},
	{"internal/sync.", scheduling},
	{"internal/weak.", "says whether the garbage collector was there"},
	{"net.IPConn", machine},
	{"net.Resolver", machine},
	{"net.TCPConn", machine},
	{"net.TCPListener", machine},
	{"net.UDPConn", machine},
	{"net.UnixConn", machine},
	{"net.UnixListener", machine},
	{"net.netFD", machine},
	{"net.pipe", scheduling},
	{"net/http.http2Transport", cached},
	{"os.File", machine},
	{"os.Process", machine},
	{"os.ProcessState", machine},
	{"os.Root", machine},
	{"plugin.Plugin", describing},
	{"reflect.MapIter", "a place in a map whose order is random"},
	{"reflect.rtype", describing},
	{"runtime.BlockProfileRecord", internals},
	{"runtime.Cleanup", internals},
	{"runtime.Frame", describing},
	{"runtime.Frames", describing},
	{"runtime.Func", describing},
	{"runtime.MemProfileRecord", internals},
	{"runtime.MemStats", internals},
	{"runtime.Pinner", internals},
	{"runtime.StackRecord", describing},
	{"runtime._defer", internals},
	{"runtime._func", internals},
	{"runtime._panic", internals},
	{"runtime.g", internals},
	{"runtime.hchan", internals},
	{"runtime.itab", internals},
	{"runtime.m", internals},
	{"runtime.mspan", internals},
	{"runtime.mutex", internals},
	{"runtime.p", internals},
	{"runtime.pinner", internals},
	{"runtime.rwmutex", internals},
	{"runtime.special", internals},
	{"runtime.timeTimer", internals},
	{"runtime.timer", internals},
	{"sync.", scheduling},
	{"sync.Pool", cached},
	{"testing.", "the harness of tests, with times and output"},
	{"time.Ticker", timing},
	{"time.Timer", timing},
	{"unique.cloneSeq", internals},
	{"unique.uniqueMap", cached},
	{"weak.", "says whether the garbage collector was there"},
}

// A PartialType is a type of which only a part is compared, or its meaning instead of its fields: of sync.Map the
// entries.
type PartialType struct {
	Name string
	What string
	only map[string]bool // the fields that are compared; nil where package state compares the meaning
}

// PartialTypes lists the types of the standard library of which only a part is compared, by name.
var PartialTypes = []PartialType{
	{"bufio.Reader", "what is buffered, not the rest of the buffer", nil},
	{"bufio.Writer", "what is buffered, not the rest of the buffer", nil},
	{"bytes.Buffer", "the content that is left", nil},
	{"context.cancelCtx", "parent, error and cause", fields("Context", "err", "cause")},
	{"fmt.buffer", "the text: none is none, whether there is room for it or not", nil},
	{"fmt.fmt", "width, precision and flags, not the room for digits", fields("fmtFlags", "wid", "prec")},
	{"fmt.pp", "the text and the flags: it comes out of a pool with what others left", fields("buf", "fmt")},
	{"fmt.ss", "where it reads and how far it is, not the room for tokens", fields("rs", "count", "atEOF", "ssave")},
	{"math/big.nat", "the number: no digits are zero digits", nil},
	{"net.Dialer", "the settings that are data",
		fields("Timeout", "Deadline", "LocalAddr", "DualStack", "FallbackDelay", "KeepAlive")},
	{"net.ListenConfig", "the settings that are data", fields("KeepAlive")},
	{"net/http.Server", "the settings that are data, and the handler",
		fields("Addr", "Handler", "ReadTimeout", "ReadHeaderTimeout", "WriteTimeout", "IdleTimeout", "MaxHeaderBytes")},
	{"net/http.Transport", "the settings that are data",
		fields("DisableKeepAlives", "DisableCompression", "MaxIdleConns", "MaxIdleConnsPerHost", "MaxConnsPerHost",
			"IdleConnTimeout", "ResponseHeaderTimeout", "ExpectContinueTimeout", "ForceAttemptHTTP2")},
	{"os/exec.Cmd", "what is to be run", fields("Path", "Args", "Env", "Dir", "Err")},
	{"reflect.Value", "the value that it stands for", nil},
	{"regexp.Regexp", "the expression, and which match is preferred", fields("expr", "longest")},
	{"strings.Builder", "the text", fields("buf")},
	{"sync.Map", "the entries, by key", nil},
	{"sync.Once", "whether it was done", fields("done")},
	{"sync/atomic.Pointer", "what it points to", nil},
	{"text/template.common", "the functions and the option, not all templates of the set",
		fields("option", "parseFuncs")},
	{"time.Location", "the name", fields("name")},
	{"time.Time", "the instant and the location's name, not the monotonic clock", nil},
}

func fields(names ...string) map[string]bool {
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	return set
}

// partial has the names of PartialTypes, and shown the compared fields of those types that are compared by fields.
var partial, shown = func() (map[string]bool, map[string]map[string]bool) {
	all, some := map[string]bool{}, map[string]map[string]bool{}
	for _, p := range PartialTypes {
		all[p.Name] = true
		if p.only != nil {
			some[p.Name] = p.only
		}
	}
	return all, some
}()

// opaque has the names of OpaqueTypes.
var opaque = func() map[string]bool {
	set := map[string]bool{}
	for _, o := range OpaqueTypes {
		set[o.Name] = true
	}
	return set
}()
