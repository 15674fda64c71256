package sandbox

// Rules are what nothing but the filter confines.
type filterRules struct {
	Connects        bool // it may make sockets of the usual families: it fetches modules
	HostFiles       bool // the host's files can be seen: their attributes can't be changed then
	HostProcesses   bool // the host's processes have numbers
	SignalsConfined bool // signals to them are denied already
}
