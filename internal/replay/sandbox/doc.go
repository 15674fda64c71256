package sandbox

// filterRules describe the confinement by other layers, and so the calls that the filter must deny. The filter is a
// list of denied calls, so ordinary programs do not notice it. System calls newer than the list do not exist. It always
// denies sockets, except for processes that may connect, and namespaces, tracing, and objects that outlive the driver
// or that no limit counts. The same rules give the same filter.
type filterRules struct {
	Connects        bool // it may make sockets of the usual families, to fetch modules
	HostFiles       bool // the host's files are visible, so their attributes must be protected
	HostProcesses   bool // the host's processes are visible by number
	SignalsConfined bool // another layer denies signals to them
}
