package build

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

//go:embed runtime syscall fmt internal
var runtimeSource embed.FS

// A patch replaces one piece of text that must occur exactly once.
type patch struct {
	file, old, new string
	// Only releases that contain the text where have the place. Releases that contain unless, if set, do not.
	where, unless string
}

var runtimePatches = []patch{
	// Random choices.
	{file: "runtime/rand.go", old: "func rand() uint64 {\n",
		new: "func rand() uint64 {\n\tif gp := getg(); gp == gp.m.curg {\n\t\treturn zspectra_rand()\n\t}\n"},
	{file: "runtime/rand.go", old: "func maps_rand() uint64 {\n\treturn rand()\n",
		new: "func maps_rand() uint64 {\n\treturn zspectra_maprand()\n"},
	{file: "runtime/rand.go", old: "\tglobalRand.state.Init(*seed)\n",
		new: "\tzspectra_randinit(seed)\n\tglobalRand.state.Init(*seed)\n"},
	{file: "runtime/select.go", old: "cheaprandn(uint32(norder + 1))",
		new: "uint32(zspectra_rand() % uint64(norder+1))"},
	{file: "runtime/time.go", old: "t.rand = cheaprand()", new: "t.rand = zspectra_timerorder()",
		where: "randomizes order of timers"},
	{file: "crypto/internal/sysrand/rand.go", old: "func Read(b []byte) {\n", new: `//
//go:linkname zspectra_rand runtime.zspectra_rand
func zspectra_rand() uint64

// Read fills b from the repeatable stream.
func Read(b []byte) {
	word := uint64(0)
	for i := range b {
		if i%8 == 0 {
			word = zspectra_rand()
		}
		b[i] = byte(word)
		word >>= 8
	}
}

func zspectra_read(b []byte) {
`},

	// Scheduling: the seed decides, not the clock. During initialisation all goroutines see a clock that the overlay
	// keeps. A goroutine that yields goes behind the others of its P, and a short system call keeps the P.
	{file: "runtime/proc.go", old: "const forcePreemptNS = 10 * 1000 * 1000", new: "const forcePreemptNS = 1 << 60"},
	{file: "runtime/proc.go", old: "if randomizeScheduler && next && randn(2) == 0 {",
		new: "if next && zspectra_shuffle() {"},
	{file: "runtime/proc.go", old: "func gosched_m(gp *g) {\n\tgoschedImpl(gp, false)\n",
		new: "func gosched_m(gp *g) {\n\tgoyield_m(gp)\n"},
	{file: "runtime/proc.go",
		old: "runqempty(pp) && sched.nmspinning.Load()+sched.npidle.Load() > 0 && pd.syscallwhen+10*1000*1000 > now",
		new: "pd.syscallwhen+50*1000*1000 > now"},

	// A program that asks for more than one thread at a time is told that it has them.
	{file: "runtime/debug.go", old: "func GOMAXPROCS(n int) int {\n",
		new: "func GOMAXPROCS(n int) int {\n\treturn zspectra_threads(n)\n}\n\n" +
			"func zspectra_gomaxprocs(n int) int {\n"},
	{file: "runtime/debug.go", old: "func NumCPU() int {\n",
		new: "func NumCPU() int {\n\treturn zspectra_processors\n}\n\nfunc zspectra_numcpu() int {\n"},
	{file: "runtime/debug.go", old: "func SetDefaultGOMAXPROCS() {\n",
		new: "func SetDefaultGOMAXPROCS() {\n\tzspectra_threads(zspectra_processors)\n}\n\n" +
			"func zspectra_setdefault() {\n", where: "func SetDefaultGOMAXPROCS() {\n"},

	{file: "runtime/time.go", old: "\treturn time_now()\n",
		new: "\tif ns := zspectra_clock(); ns != 0 {\n\t\treturn ns / 1e9, int32(ns % 1e9), ns\n\t}\n" +
			"\treturn time_now()\n"},
	{file: "runtime/time.go", old: "\treturn nanotime()\n",
		new: "\tif ns := zspectra_clock(); ns != 0 {\n\t\treturn ns\n\t}\n\treturn nanotime()\n"},
	{file: "runtime/time.go", old: "func time_runtimeNow() (sec int64, nsec int32, mono int64) {\n",
		new: "func time_runtimeNow() (sec int64, nsec int32, mono int64) {\n\tzspectra_look()\n"},
	{file: "runtime/time.go", old: "func timeSleep(ns int64) {\n",
		new: "func timeSleep(ns int64) {\n\tzspectra_sleep(ns)\n"},

	{file: "runtime/synctest.go", old: "const synctestBaseTime = 946684800000000000",
		new: "synctestBaseTime := zspectra_start + 1000*1000*1000"},

	// Goroutines and timers note their start.
	{file: "runtime/runtime2.go", old: "// goid of goroutine that created this goroutine\n",
		new: "// goid of goroutine that created this goroutine\n\tzspectra_ticket uint64\n"},
	{file: "runtime/proc.go", old: "\tnewg.parentGoid = callergp.goid\n",
		new: "\tnewg.parentGoid = callergp.goid\n\tnewg.zspectra_ticket = zspectra_born(fn.fn, callergp)\n"},
	{file: "runtime/time.go", old: "\tseq    uintptr\n\n\t// If non-nil, the timers containing t.\n",
		new: "\tseq    uintptr\n\tzspectra_ticket uint64\n\n\t// If non-nil, the timers containing t.\n"},
	{file: "runtime/time.go", old: "\tt.timer.init(nil, nil)\n",
		new: "\tt.timer.init(nil, nil)\n\tif c == nil {\n\t\tt.zspectra_ticket = zspectra_take(getg())\n\t}\n"},
	{file: "runtime/time.go", old: "\treturn t.reset(when, period)\n}\n\n// Go runtime.\n",
		new: "\tif !t.isChan {\n\t\tt.zspectra_ticket = zspectra_take(getg())\n\t}\n\treturn t.reset(when, period)\n" +
			"}\n\n// Go runtime.\n"},
	{file: "runtime/time.go", old: "\tf(arg, seq, delay)\n",
		new: "\tzspectra_firing = t.zspectra_ticket\n\tf(arg, seq, delay)\n\tzspectra_firing = 0\n"},

	// Addresses of code and values don't count, nor does the past of the process. Stacks are printed without offsets
	// into functions and without arguments, and goroutines are counted from the start of the sequence.
	{file: "fmt/print.go", old: "u = uintptr(value.UnsafePointer())",
		new: "u = zspectra_place(uintptr(value.UnsafePointer()))"},
	{file: "runtime/traceback.go",
		old: "\tfile, line := funcline(f, tracepc)\n\tprint(\"\\t\", file, \":\", line)\n\tif pc > f.entry() {\n",
		new: "\tfile, line := funcline(f, tracepc)\n\tzspectra_print(file, int(line))\n\tif false {\n"},
	{file: "runtime/traceback.go",
		old: "\tfile, line := u.fileLine(uf)\n\tprintFuncName(u.srcFunc(uf).name())\n\tprint(\"(...)\\n\")\n" +
			"\tprint(\"\\t\", file, \":\", line)\n",
		new: "\tfile, line := u.fileLine(uf)\n\tprintFuncName(u.srcFunc(uf).name())\n\tprint(\"(...)\\n\")\n" +
			"\tzspectra_print(file, line)\n"},
	{file: "runtime/traceback.go", old: "\t\t\tprint(\"\\t\", file, \":\", line)\n",
		new: "\t\t\tzspectra_print(file, line)\n"},
	{file: "runtime/traceback.go", old: "\t\t\t\tif u.frame.pc > f.entry() {\n", new: "\t\t\t\tif false {\n"},
	{file: "runtime/traceback.go",
		old: "\t\t\t\targp := unsafe.Pointer(u.frame.argp)\n\t\t\t\tprintArgs(f, argp, u.symPC())\n",
		new: "\t\t\t\tprint(\"...\")\n"},
	// Only what runs a sequence is seen: tests take any other goroutine that waits for a leak.
	{file: "runtime/traceback.go", old: "func isSystemGoroutine(gp *g, fixed bool) bool {\n",
		new: "func isSystemGoroutine(gp *g, fixed bool) bool {\n\tif gp == zspectra_hidden {\n\t\treturn true\n\t}\n"},
	{file: "runtime/traceback.go", old: "print(\"goroutine \", gp.goid",
		new: "print(\"goroutine \", zspectra_counted(gp.goid)"},
	{file: "runtime/traceback.go", old: "print(\" in goroutine \", goid)",
		new: "print(\" in goroutine \", zspectra_counted(goid))"},

	{file: "runtime/symtab.go", old: "\treturn gostringnocopy(&md.funcnametab[nameOff])\n",
		new: "\treturn zspectra_name(gostringnocopy(&md.funcnametab[nameOff]))\n"},

	// Where code of a dependency lies, and in which version, says nothing of what it does. Tests find files beside
	// their sources, of which a driver knows names without the folder of the module.
	{file: "runtime/symtab.go", old: "\t\tframe.File, frame.Line = file, int(line)\n",
		new: "\t\tfile, frame.Line = zspectra_placed(file, int(line))\n\t\tframe.File = zspectra_source(file)\n"},
	{file: "runtime/symtab.go", old: "\t\treturn fi.file, int(fi.line)\n",
		new: "\t\treturn zspectra_placed(fi.file, int(fi.line))\n"},
	{file: "runtime/symtab.go", old: "\treturn file, int(line32)\n",
		new: "\treturn zspectra_placed(file, int(line32))\n"},

	// What a socket, a pipe or a terminal brings comes from outside. In a time bubble the other end belongs to the
	// bubble as well: a wait for it is as durable as any other wait, and deadlines go by the clock of the bubble.
	{file: "runtime/netpoll.go", old: "\treturn pd, 0\n", new: "\tzspectra_polls++\n\treturn pd, 0\n"},
	{file: "runtime/netpoll.go",
		old: "func poll_runtime_pollSetDeadline(pd *pollDesc, d int64, mode int) {\n",
		new: "func poll_runtime_pollSetDeadline(pd *pollDesc, d int64, mode int) {\n\tzspectra_deadline(pd)\n"},
	{file: "runtime/netpoll.go", old: "\t\td += nanotime()\n", new: "\t\td += zspectra_nanotime(pd)\n"},
	{file: "runtime/netpoll.go", old: "\tlock(&c.lock)\n\tpd.link = c.first\n\tc.first = pd\n",
		new: "\tif pd.rt.isFake {\n\t\treturn\n\t}\n\tlock(&c.lock)\n\tpd.link = c.first\n\tc.first = pd\n"},
	{file: "runtime/proc.go", old: "lastpoll != 0 && lastpoll+10*1000*1000 < now",
		new: "lastpoll != 0 && lastpoll+1000*1000*1000 < now"},
	{file: "runtime/proc.go", old: "func syscall_runtime_AfterFork() {\n",
		new: "func syscall_runtime_AfterFork() {\n\tzspectra_forked = true\n"},

	{file: "syscall/syscall_unix.go", old: "\treturn bind(fd, ptr, n)\n",
		new: "\treturn zspectra_bind(fd, sa, ptr, n)\n"},
	{file: "syscall/syscall_unix.go", old: "\treturn connect(fd, ptr, n)\n",
		new: "\treturn zspectra_connect(fd, sa, ptr, n)\n"},

	{file: "syscall/exec_unix.go", old: "\tenvvp, err := SlicePtrFromStrings(attr.Env)\n",
		new: "\tenvvp, err := SlicePtrFromStrings(zspectra_environment(argv0, attr.Env))\n"},

	// Files that tests read may have another content.
	{file: "os/file.go", old: "\tf.appendMode = flag&O_APPEND != 0\n\n\treturn f, nil\n",
		new: "\tf.appendMode = flag&O_APPEND != 0\n" +
			"\tlog, ok := testlog.Logger().(interface{ Opened(*File, string) })\n" +
			"\tif ok && flag&(O_WRONLY|O_RDWR) == 0 {\n" +
			"\t\tlog.Opened(f, name)\n\t}\n\n\treturn f, nil\n"},

	// End of the program.
	{file: "runtime/proc.go", old: "func os_beforeExit(exitCode int) {\n",
		new: "func os_beforeExit(exitCode int) {\n\tzspectra_exit(exitCode)\n"},
	{file: "runtime/panic.go", old: "\tpreprintpanics(&p)\n",
		new: "\tzspectra_panicked(p.arg)\n\tpreprintpanics(&p)\n"},
	{file: "runtime/panic.go", old: "func throw(s string) {\n", new: "func throw(s string) {\n\tzspectra_fatal(s)\n"},
	{file: "runtime/panic.go", old: "func fatal(s string) {\n", new: "func fatal(s string) {\n\tzspectra_fatal(s)\n"},

	// Time bubbles contain the sequence only. So waiting for a lock, or for a channel from outside, is as durable as
	// any other wait, but only after the other goroutines had their turn.
	{file: "runtime/runtime2.go", old: "var isIdleInSynctest = [len(waitReasonStrings)]bool{\n",
		new: `var isIdleInSynctest = [len(waitReasonStrings)]bool{
	waitReasonSyncMutexLock: true,
	waitReasonSyncRWMutexRLock: true,
	waitReasonSyncRWMutexLock: true,
	waitReasonChanReceive: true,
	waitReasonChanSend: true,
	waitReasonSelect: true,
	waitReasonIOWait: true,
`},
	{file: "runtime/runtime2.go", old: "\twaitReasonSynctestWaitGroupWait: true,\n",
		new:   "\twaitReasonSynctestWaitGroupWait: true,\n\twaitReasonSyncWaitGroupWait: true,\n",
		where: "waitReasonSynctestWaitGroupWait"},
	{file: "runtime/synctest.go", old: "\t\tnext := sg.timers.wakeTime()\n",
		new: "\t\tif zspectra_unsettled(&sg.mu, &sg.running) {\n\t\t\tcontinue\n\t\t}\n" +
			"\t\tnext := sg.timers.wakeTime()\n", where: "type synctestGroup struct"},
	{file: "runtime/synctest.go", old: "\t\tnext := bubble.timers.wakeTime()\n",
		new: "\t\tif zspectra_unsettled(&bubble.mu, &bubble.running) {\n\t\t\tcontinue\n\t\t}\n" +
			"\t\tnext := bubble.timers.wakeTime()\n", unless: "type synctestGroup struct"},
}

// patchRuntime extends the target's runtime. It returns the overlay files for the runtime below goroot: one with the
// recorder's hooks, and patched ones where the runtime makes random or timed choices, where crypto/rand gets its bytes,
// where files are opened, where sockets get ports, and where programs are started. If any place does not look as
// expected in this Go release, it returns an error and the whole runtime stays as it is.
func patchRuntime(goroot string) (map[string][]byte, error) {
	dir := filepath.Join(goroot, "src")
	files := map[string]string{}
	for _, p := range runtimePatches {
		text, ok := files[p.file]
		if !ok {
			b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(p.file)))
			if err != nil {
				return nil, fmt.Errorf("runtime of this Go release: %w", err)
			}
			text = string(b)
		}
		if !strings.Contains(text, p.where) || p.unless != "" && strings.Contains(text, p.unless) {
			continue
		}
		if n := strings.Count(text, p.old); n != 1 {
			return nil, fmt.Errorf("runtime of this Go release: %s has %d places like %q", p.file, n, p.old)
		}
		files[p.file] = strings.Replace(text, p.old, p.new, 1)
	}
	overlay, err := runtimeFiles(dir)
	if err != nil {
		return nil, err
	}
	for name, text := range files {
		overlay[filepath.Join(dir, filepath.FromSlash(name))] = []byte(text)
	}
	return overlay, nil
}

// runtimeFiles returns the files that are added to packages of the library.
func runtimeFiles(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := fs.WalkDir(runtimeSource, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		source, err := runtimeSource.ReadFile(name)
		added := "zspectra_" + strings.TrimSuffix(path.Base(name), ".txt")
		files[filepath.Join(dir, path.Dir(name), added)] = source
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("embedded runtime: %w", err)
	}
	return files, nil
}
