package fleet

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/spectradiff/spectradiff/internal/replay"
)

// protocol is another one whenever a message changes.
const protocol = "5"

// Names at the server.
const (
	taskStream    = "SPECTRADIFF_TASKS"
	taskSubject   = "spectradiff.tasks" // .KIND.RUN
	resultStream  = "SPECTRADIFF_RESULTS"
	resultSubject = "spectradiff.results" // .RUN
	bucket        = "spectradiff"
	briefBucket   = "spectradiff_brief"
	workerSubject = "spectradiff.workers" // what workers say of themselves
	helloSubject  = "spectradiff.hello"   // asks workers to say it now, and says the kind of who asks
	runSubject    = "spectradiff.runs"    // .RUN, asks a client whether it is still there
	cancelSubject = "spectradiff.cancel"  // names a task that nobody waits for any more
)

// inlined is the size in bytes up to which things stand in a message. Larger ones are in the store of contents: servers
// take messages of 1 MB.
const inlined = 256 << 10

// A task is the message with a task.
type task struct {
	ID      string   `json:"id"`
	Run     string   `json:"run"`
	Binary  address  `json:"binary"`
	Folders []folder `json:"folders,omitempty"`
	Setup   address  `json:"setup"`

	Own *replay.TaskOwn `json:"own,omitempty"`
	At  address         `json:"at,omitempty"` // of Own, if it is not here

	Job *job `json:"job,omitempty"` // it is one, and has nothing of the above but ID and Run
}

// contents returns what the task needs of the store.
func (t *task) contents() map[address]bool {
	list := map[address]bool{t.Binary: true, t.Setup: true, t.At: true}
	for _, f := range t.Folders {
		list[f.Content] = true
	}
	if t.Job != nil {
		list[t.Job.At] = true
		for _, a := range t.Job.Folders {
			list[a] = true
		}
	}
	return list
}

// A job is a task that is no play.
type job struct {
	What    []byte    `json:"what,omitempty"`
	At      address   `json:"at,omitempty"` // of What, if it is not here
	Folders []address `json:"folders,omitempty"`
}

// A folder is one that drivers read.
type folder struct {
	At      string  `json:"at"` // as drivers see it
	Content address `json:"content"`
}

// A result is the message with the result of a task.
type result struct {
	ID      string  `json:"id"`
	Worker  string  `json:"worker"`
	Replies []byte  `json:"replies,omitempty"`
	At      address `json:"at,omitempty"` // of Replies, if they are not here
	Failed  string  `json:"failed,omitempty"`
	Missing address `json:"missing,omitempty"` // it failed because the store lacks this content
	Seconds float64 `json:"seconds"`

	// Delivered is how often the server gave the task to a worker: more than once if one left, or was lost.
	Delivered uint64 `json:"delivered,omitempty"`

	lost string // why this is none, and the task is handed out again; "": it is one
}

// A presence is what a worker says of itself.
type presence struct {
	Worker  string   `json:"worker"`
	Host    string   `json:"host"`
	Kind    Kind     `json:"kind"`
	Slots   int      `json:"slots"`             // tasks that it does at the same time; 0: it leaves
	Running []string `json:"running,omitempty"` // tasks
	Jobs    []string `json:"jobs,omitempty"`    // those of Running that are jobs, which take long
}

// printable returns what somebody says of himself in the form in which it is shown.
func printable(text string) string { return printableUpTo(text, 200) }

func printableUpTo(text string, most int) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text[:min(len(text), most)])
}

// mostReason is the most that is said of why something failed, in bytes.
const mostReason = 8 << 10

// short returns a text of which the middle may be left out, so that a message has room for it.
func short(text string) string {
	if len(text) <= mostReason {
		return text
	}
	begin, end := text[:mostReason/2], text[len(text)-mostReason/2:]
	return strings.ToValidUTF8(begin, "") + " [...] " + strings.ToValidUTF8(end, "")
}

// encode returns a message. Its types have nothing that can't be encoded.
func encode(message any) []byte {
	data, err := json.Marshal(message)
	if err != nil {
		panic(fmt.Sprintf("fleet: encode a %T: %v", message, err))
	}
	return data
}
