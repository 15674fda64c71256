// Package filter says which system calls a driver may make.
//
// In: what else confines the driver or command. Out: a program for the kernel's seccomp. It is a list of what is
// denied, so ordinary programs don't notice it; system calls that are younger than the list don't exist. What always
// holds: no sockets but for what may connect, no namespaces, no tracing, no objects that outlive the driver or that no
// limit counts. The program is the same for the same rules. This package changes nothing; who starts drivers enforces
// the program.
package filter

// Rules are what nothing but the filter confines.
type Rules struct {
	Connects        bool // it may make sockets of the usual families: it fetches modules
	HostFiles       bool // the host's files can be seen: their attributes can't be changed then
	HostProcesses   bool // the host's processes have numbers
	SignalsConfined bool // signals to them are denied already
}
