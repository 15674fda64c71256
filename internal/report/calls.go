package report

// MostCalls is how many roots have a call tree: the first ones.
const MostCalls = 20

// trimCalls leaves the call trees of the first roots, where several reports that each had as many became one.
func (r *Report) trimCalls() {
	for i := min(MostCalls, len(r.Roots)); i < len(r.Roots); i++ {
		r.Roots[i].Calls = nil
	}
}

// Calls is the call tree of the first sequence of a root, merged from both versions, with the states in which the
// executions began and ended.
type Calls struct {
	Nodes []Call `json:"nodes"`          // callers before callees, in the order of the run
	Left  int    `json:"left,omitempty"` // executions for which there is no node
}

// A Call is an execution of a function, or several that do not deviate.
type Call struct {
	Depth int `json:"depth"`

	Function string     `json:"function,omitempty"` // by its new name; absent: of several functions
	Status   CallStatus `json:"status"`
	Root     bool       `json:"root,omitempty"` // the deviation begins in it
	Go       bool       `json:"go,omitempty"`   // the first of a goroutine

	// Executions is how many it stands for, with all below. 0: one, and its callees follow.
	Executions int `json:"executions,omitempty"`

	Ended *Endings   `json:"ended,omitempty"` // nil: it returned, wherever it ran
	Entry *CallState `json:"entry,omitempty"` // nil: not recorded, or left out
	Exit  *CallState `json:"exit,omitempty"`
}

// A CallStatus says how an execution deviates, or that it does not.
type CallStatus string

// The statuses.
const (
	CallEqual     CallStatus = "equal"
	CallContainer CallStatus = "container" // it begins alike and ends differently
	CallFollower  CallStatus = "follower"  // it begins differently
	CallOldOnly   CallStatus = "old-only"
	CallNewOnly   CallStatus = "new-only"
	CallReordered CallStatus = "reordered" // an equal execution is elsewhere in the other run
	CallUnknown   CallStatus = "unknown"   // its states are unstable, or were not recorded whole
)

// Endings says how an execution ended in both versions, such as "panicked"; absent where a version did not run it.
type Endings struct {
	Old string `json:"old,omitempty"`
	New string `json:"new,omitempty"`
}

// A CallState is the state at the begin or the end of an execution in both versions.
type CallState struct {
	Values  []CallValue `json:"values,omitempty"`  // receiver, parameters, results, package variables that differ
	Differ  []CallValue `json:"differ,omitempty"`  // the parts that differ, topmost first
	Shared  []CallValue `json:"shared,omitempty"`  // places that are the same as another one, or share memory with it
	Omitted int         `json:"omitted,omitempty"` // entries of these lists that are left out
}

// A CallValue is a value in both versions, as a text that is cut; "(none)" where a version has none.
type CallValue struct {
	Path   string `json:"path"`
	Old    string `json:"old,omitempty"`
	New    string `json:"new,omitempty"`    // absent: as old
	Varies bool   `json:"varies,omitempty"` // a part of it differs from run to run; then there are no texts
}
