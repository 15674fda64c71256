// Command hostile attempts acts that no driver should get away with. The first argument selects the act. Each attempt
// prints "denied" or its result, so that a test can distinguish them.
package main

import (
	"cmp"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	actions := map[string]func([]string){
		"hello":  func([]string) { fmt.Println("hello"); fmt.Fprintln(os.Stderr, "hello on stderr") },
		"exit":   func(a []string) { code, _ := strconv.Atoi(a[0]); os.Exit(code) },
		"panic":  func([]string) { panic("on purpose") },
		"signal": func(a []string) { n, _ := strconv.Atoi(a[0]); raise(syscall.Signal(n)) },
		"stack":  func([]string) { debug.SetMaxStack(16 << 20); recurse(0) },
		"spin":   func([]string) { fmt.Println("spinning"); spin() },
		"memory": func([]string) { allocate() },
		"write":  write, "remove": remove, "big": big, "open": open, "fds": fds,
		"children": children, "daemon": daemon, "sleep": func([]string) { pause() },
		"dial": dial, "kill": kill, "trace": trace, "read": read, "where": where, "files": files, "proc": proc,
		"attributes": attributes, "own attributes": ownAttributes, "datagram": datagram, "own": own,
		"segment": segment, "calls": calls, "sibling": sibling,
		"hold": hold, "family": family, "fill": fill, "map": mapFile,
		"privileged": privileged, "shell": shell,
	}
	actions[os.Args[1]](os.Args[2:])
}

func report(name string, err error) {
	if err != nil {
		fmt.Println(name, "denied:", err)
		return
	}
	fmt.Println(name, "DONE")
}

func raise(s syscall.Signal) {
	if err := syscall.Kill(os.Getpid(), s); err != nil {
		fmt.Println(err)
	}
	pause()
}

func pause() { <-make(chan int) }

func init() {
	// An event to wait for, so that pause is no deadlock.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGWINCH)
}

func spin() {
	for {
	}
}

func recurse(n int) int { return recurse(n+1) + 1 }

func allocate() {
	var all [][]byte
	for {
		b := make([]byte, 16<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		all = append(all, b)
	}
}

// write tries all ways to change each file or folder.
func write(paths []string) {
	for _, path := range paths {
		report("create "+path, os.WriteFile(path+".new", []byte("x"), 0o644))
		report("overwrite "+path, os.WriteFile(path, []byte("x"), 0o644))
		report("truncate "+path, os.Truncate(path, 0))
		report("remove "+path, os.Remove(path))
		report("rename "+path, os.Rename(path, path+".old"))
		report("chmod "+path, os.Chmod(path, 0o777))
		report("link "+path, os.Link(path, "link"))
		report("mkdir "+path, os.Mkdir(path+".dir", 0o755))
	}
}

func remove([]string) {
	work, _ := os.Getwd()
	report("remove home", os.RemoveAll(filepath.Join(os.Getenv("HOME"), "x")))
	for _, dir := range []string{os.Getenv("HOME"), work, "/"} {
		_ = os.RemoveAll(dir)
	}
	_, err := os.ReadDir(os.Getenv("HOME"))
	fmt.Println("home gone:", os.IsNotExist(err))
}

func big([]string) {
	f, err := os.Create("big")
	if err != nil {
		fmt.Println(err)
		return
	}
	block := make([]byte, 1<<20)
	for i := 0; i < 64; i++ {
		if _, err := f.Write(block); err != nil {
			fmt.Println(err)
			return
		}
	}
}

func open([]string) {
	n := 0
	for ; n < 10000; n++ {
		if _, err := syscall.Open("/dev/null", syscall.O_RDONLY, 0); err != nil {
			break
		}
	}
	fmt.Println(n)
}

// fds lists the open descriptors, except Go's own.
func fds([]string) {
	for fd := 0; fd < 4096; fd++ {
		var s syscall.Stat_t
		if syscall.Fstat(fd, &s) == nil {
			target, _ := os.Readlink("/proc/self/fd/" + strconv.Itoa(fd))
			if !strings.HasPrefix(target, "anon_inode:") {
				fmt.Print(fd, " ")
			}
		}
	}
	fmt.Println()
}

// again returns a command for another process of this program.
func again(args ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		// Without /proc, a command gets its own path from the environment.
		self = cmp.Or(os.Getenv("SELF"), "/driver")
	}
	return exec.Command(self, args...)
}

// shell runs a shell command, if there is a shell.
func shell(args []string) {
	out, err := exec.Command("/bin/sh", "-c", args[0]).CombinedOutput()
	fmt.Printf("%s%v\n", out, err)
}

// children starts a number of processes and then waits forever.
func children(args []string) {
	n, _ := strconv.Atoi(args[0])
	made := 0
	for i := 0; i < n; i++ {
		if err := again("sleep", args[1]).Start(); err != nil {
			fmt.Println("stopped:", err)
			break
		}
		made++
	}
	fmt.Println("made", made)
	pause()
}

// daemon leaves a process in a new session, with a parent that has ended.
func daemon(args []string) {
	c := again("sleep", args[1])
	if args[0] == "twice" {
		c = again("daemon", "once", args[1])
	}
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := c.Start(); err != nil {
		fmt.Println(err)
		return
	}
	if args[0] == "once" {
		return
	}
	_ = c.Wait()
	fmt.Println("daemon started")
	if len(args) > 2 {
		return
	}
	pause()
}

func dial(args []string) {
	tcp, udp, path, abstract := args[0], args[1], args[2], args[3]
	connect := func(name string, d net.Dialer, network, address string) {
		c, err := d.Dial(network, address)
		if err == nil {
			_, err = c.Write([]byte("x"))
		}
		report(name, err)
	}
	connect("tcp", net.Dialer{Timeout: 5 * time.Second}, "tcp", tcp)
	multipath := net.Dialer{Timeout: 5 * time.Second}
	multipath.SetMultipathTCP(true)
	connect("mptcp", multipath, "tcp", tcp)
	connect("udp", net.Dialer{}, "udp", udp)
	connect("unix", net.Dialer{}, "unix", path)
	connect("abstract", net.Dialer{}, "unix", abstract)
	_, err := net.Listen("tcp", "127.0.0.1:0")
	report("listen", err)
	for name, family := range map[string]int{"netlink": syscall.AF_NETLINK, "packet": syscall.AF_PACKET, "vsock": 40} {
		_, err := syscall.Socket(family, syscall.SOCK_RAW, 0)
		report(name, err)
	}
}

func kill(args []string) {
	for _, who := range append(args, strconv.Itoa(os.Getppid())) {
		pid, _ := strconv.Atoi(who)
		if pid > 0 {
			report("kill "+who, syscall.Kill(pid, syscall.SIGKILL))
			report("tgkill "+who, tgkill(pid))
		}
	}
	fmt.Println("kill all", syscall.Kill(-1, syscall.SIGTERM) != nil)
	_ = syscall.Kill(1, syscall.SIGTERM)
	fmt.Println("alive")
}

func tgkill(pid int) error {
	if _, _, e := syscall.RawSyscall(syscall.SYS_TGKILL, uintptr(pid), uintptr(pid), uintptr(syscall.SIGKILL)); e != 0 {
		return e
	}
	return nil
}

func trace(args []string) {
	for _, pid := range append(args, "1", strconv.Itoa(os.Getppid())) {
		n, _ := strconv.Atoi(pid)
		if n == 0 {
			continue
		}
		_, err := os.ReadFile("/proc/" + pid + "/environ")
		report("environ", err)
		f, err := os.OpenFile("/proc/"+pid+"/mem", os.O_RDWR, 0)
		if err == nil {
			f.Close()
		}
		report("mem", err)
		report("ptrace", syscall.PtraceAttach(n))
	}
	report("mount", syscall.Mount("tmpfs", "/dev", "tmpfs", 0, ""))
	report("unshare", syscall.Unshare(syscall.CLONE_NEWUSER))
	c := again("hello")
	c.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER}
	report("clone", c.Run())
}

// privileged tries acts that only root may do, on a file of another user and on the machine.
func privileged(paths []string) {
	report("mount", syscall.Mount("tmpfs", "/dev", "tmpfs", 0, ""))
	report("mknod", syscall.Mknod("disk", syscall.S_IFBLK|0o600, 1<<8))
	report("setuid", syscall.Setuid(1234))
	report("chroot", syscall.Chroot("/"))
	for _, path := range paths {
		report("chmod "+path, os.Chmod(path, 0o777))
		report("chown "+path, os.Chown(path, 1, 1))
	}
}

func read(paths []string) {
	for _, path := range paths {
		_, err := os.ReadFile(path)
		report("read "+path, err)
	}
}

func where([]string) {
	work, _ := os.Getwd()
	host, _ := os.Hostname()
	fmt.Println(work, os.Getenv("HOME"), os.TempDir(), host, os.Getuid(), os.Args[0])
	for _, e := range os.Environ() {
		fmt.Println("env", e)
	}
	_, err := time.LoadLocation("Europe/Berlin")
	fmt.Println("zone", err)
	report("temp", os.WriteFile(filepath.Join(os.TempDir(), "x"), nil, 0o644))
	report("home", os.WriteFile(filepath.Join(os.Getenv("HOME"), "x"), nil, 0o644))
	report("work", os.WriteFile("x", nil, 0o644))
}

// files answers on descriptor 4 with the text from descriptor 3.
func files([]string) {
	text, err := io.ReadAll(os.NewFile(3, "in"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Fprintf(os.NewFile(4, "out"), "got %s", text)
	n, err := os.Stdin.Read(make([]byte, 1))
	fmt.Println("stdin", n, err)
}

func proc([]string) {
	names, _ := filepath.Glob("/proc/[0-9]*")
	for i, name := range names {
		names[i] = filepath.Base(name)
	}
	fmt.Println("processes", names)
	c := again("hello")
	c.Stdout = os.Stdout
	if err := c.Run(); err != nil {
		fmt.Println(err)
	}
}
