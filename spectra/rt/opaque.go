package rt

// This file defines the table of opaque types: their values are never part of a state. The
// field's reasons are one of: it belongs to the machine or the process (files, sockets,
// processes), to the scheduler (locks, timers, pools), or it is a cache whose content depends on
// timing.

import "strings"

// OpaqueTypes lists the types, by canonical name. A name that ends in "." stands for all types of
// that package.
var OpaqueTypes = []string{
	"sync.", "internal/sync.", "internal/poll.", "internal/weak.", "weak.", "unique.",
	"time.Timer", "time.Ticker",
	"runtime.Func", "runtime.Frame", "runtime.Frames", "runtime.Cleanup", "runtime.Pinner", "runtime.MemStats",
	"runtime.StackRecord", "runtime.MemProfileRecord", "runtime.BlockProfileRecord", "runtime.pinner",
	"runtime.g", "runtime.m", "runtime.p", "runtime.hchan", "runtime.itab", "runtime.timer", "runtime.timeTimer",
	"runtime.mutex", "runtime.rwmutex", "runtime.special", "runtime.mspan", "runtime._func", "runtime._panic", "runtime._defer",
	"internal/abi.Type", "internal/abi.ITab", "internal/abi.Name", "internal/abi.UncommonType", "internal/abi.MapType",
	"internal/abi.FuncType", "internal/abi.StructType", "internal/abi.InterfaceType", "internal/abi.PtrType",
	"internal/abi.SliceType", "internal/abi.ArrayType", "internal/abi.ChanType",
	"os.File", "os.Process", "os.ProcessState", "os.Root", "os.dirFS", "os/exec.Cmd",
	"net.TCPConn", "net.UDPConn", "net.IPConn", "net.UnixConn", "net.TCPListener", "net.UnixListener",
	"net.Resolver", "net.Dialer", "net.ListenConfig", "net.netFD", "net.pipe", "crypto/tls.Conn",
	"net/http.Transport", "net/http.Server", "net/http.http2Transport",
	"reflect.Value", "reflect.MapIter", "reflect.rtype", "hash/maphash.Seed", "hash/maphash.Hash",
	"math/rand.Rand", "math/rand/v2.Rand", "math/rand.rngSource", "math/rand.lockedSource",
	"math/rand/v2.PCG", "math/rand/v2.ChaCha8", "internal/chacha8rand.State",
	"testing.", "plugin.Plugin", "encoding/json.encodeState", "text/template.common",
}

// shown lists the types of which only some fields are compared: the others are derived from
// them or are caches.
var shown = map[string]fieldSet{
	"regexp.Regexp": {"expr": true, "longest": true},
	"time.Location": {"name": true},
}

// isOpaque says whether a type's values are left out of states.
func isOpaque(name string) bool {
	if config.opaque[name] {
		return true
	}
	return opaqueTable.has(name)
}

type opaqueSet struct {
	types    map[string]bool
	packages map[string]bool
}

var opaqueTable = makeOpaque(OpaqueTypes)

func makeOpaque(list []string) opaqueSet {
	s := opaqueSet{map[string]bool{}, map[string]bool{}}
	for _, name := range list {
		if pkg, ok := strings.CutSuffix(name, "."); ok {
			s.packages[pkg] = true
		} else {
			s.types[name] = true
		}
	}
	return s
}

func (s opaqueSet) has(name string) bool {
	if name == "" || name[0] == '*' || name[0] == '[' {
		return false
	}
	if base, _, generic := strings.Cut(name, "["); generic {
		name = base
	}
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return false
	}
	return s.types[name] || s.packages[name[:dot]]
}
