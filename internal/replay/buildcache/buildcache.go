// Package buildcache is the program that the go command starts for GOCACHEPROG: a build cache that reads another one,
// such as the user's, and writes to a folder of its own.
//
// In: requests of the go command, as JSON (go doc cmd/go/internal/cacheprog). Out: answers, with the files that hold
// what was asked for. What is put is kept in the own folder. What the other cache has is taken from there, as long
// as it is complete, or copied to the own folder where that shall hold all. It is never changed: so a build by somebody
// whom nobody trusts is as quick as one of the user, and the user's builds take nothing of it. The program
// is the tool's own executable, so main must begin with
//
//	if buildcache.Child() {
//		return
//	}
package buildcache

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// word is the first argument of the program, and copying of one that also keeps what it reads. Two folders follow. They
// are no variables of the environment, which what the go command starts would have, too.
const (
	word    = "-spectradiff-build-cache"
	copying = "-spectradiff-build-cache-copying"
)

// ready says that this process can be started as the program.
var ready atomic.Bool

// Child serves the go command if this process was started for that, and then returns true.
func Child() bool {
	ready.Store(true)
	if len(os.Args) != 4 || os.Args[1] != word && os.Args[1] != copying {
		return false
	}
	if err := Serve(os.Stdin, os.Stdout, os.Args[2], os.Args[3], os.Args[1] == copying); err != nil {
		fmt.Fprintln(os.Stderr, "spectradiff: build cache:", err)
	}
	return true
}

// Variable returns the variable with which a go command reads the build cache below and writes to the folder own, and
// the program that it must see. It names none if main does not call Child.
func Variable(below, own string) (entry, program string) { return variable(word, below, own) }

// Copying returns the same for a go command whose own folder shall hold all that it needs.
func Copying(below, own string) (entry, program string) { return variable(copying, below, own) }

func variable(how, below, own string) (entry, program string) {
	program, err := os.Executable()
	words := []string{program, how, below, own}
	if err != nil || !ready.Load() || strings.Contains(strings.Join(words, ""), "'") { // it can't be quoted
		return "GOCACHEPROG=", ""
	}
	return "GOCACHEPROG='" + strings.Join(words, "' '") + "'", program
}

// A request is a question of the go command, an answer one of ours. A request with a body is followed by that, as a
// text in base64.
type request struct {
	ID       int64
	Command  string
	ActionID []byte
	OutputID []byte
	BodySize int64
}

type answer struct {
	ID            int64
	Err           string     `json:",omitempty"`
	KnownCommands []string   `json:",omitempty"`
	Miss          bool       `json:",omitempty"`
	OutputID      []byte     `json:",omitempty"`
	Size          int64      `json:",omitempty"`
	Time          *time.Time `json:",omitempty"`
	DiskPath      string     `json:",omitempty"`
}

// Serve answers requests until the go command closes the cache. What it finds below it also puts in its own folder if
// it copies.
func Serve(in io.Reader, out io.Writer, below, own string, copies bool) error {
	read, write := json.NewDecoder(in), json.NewEncoder(out)
	if err := write.Encode(answer{KnownCommands: []string{"get", "put", "close"}}); err != nil {
		return err
	}
	for {
		var r request
		var body []byte
		err := read.Decode(&r)
		if err == nil && r.BodySize > 0 {
			err = read.Decode(&body)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		a := answer{Miss: true}
		switch r.Command {
		case "get":
			a = find(below, own, copies, r.ActionID)
		case "put":
			a = put(own, r, body)
		}
		a.ID = r.ID
		if r.Command == "close" {
			a.Miss = false
		}
		if err := write.Encode(a); err != nil || r.Command == "close" {
			return err
		}
	}
}

// find looks an action up.
func find(below, own string, copies bool, id []byte) answer {
	a := get(own, id)
	if !a.Miss {
		return a
	}
	if a = get(below, id); a.Miss || !copies {
		return a
	}
	body, err := os.ReadFile(a.DiskPath)
	if err != nil {
		return answer{Miss: true}
	}
	return put(own, request{ActionID: id, OutputID: a.OutputID}, body)
}

// Files of a cache, as the go command lays them out: an action names its output.
func actionFile(folder string, id []byte) string { return file(folder, id, "-a") }
func outputFile(folder string, id []byte) string { return file(folder, id, "-d") }

func file(folder string, id []byte, kind string) string {
	name := hex.EncodeToString(id)
	return filepath.Join(folder, name[:min(2, len(name))], name+kind)
}

// get looks an action up in a folder.
func get(folder string, id []byte) answer {
	miss := answer{Miss: true}
	text, err := os.ReadFile(actionFile(folder, id))
	fields := strings.Fields(string(text))
	if err != nil || len(fields) != 5 || fields[0] != "v1" || fields[1] != hex.EncodeToString(id) {
		return miss
	}
	output, err := hex.DecodeString(fields[2])
	size, noSize := strconv.ParseInt(fields[3], 10, 64)
	when, noTime := strconv.ParseInt(fields[4], 10, 64)
	if errors.Join(err, noSize, noTime) != nil {
		return miss
	}
	name := outputFile(folder, output)
	if info, err := os.Stat(name); err != nil || info.Size() != size {
		return miss
	}
	at := time.Unix(0, when)
	return answer{OutputID: output, Size: size, Time: &at, DiskPath: name}
}

// put keeps an output in a folder.
func put(folder string, r request, body []byte) answer {
	name := outputFile(folder, r.OutputID)
	now := time.Now()
	entry := fmt.Sprintf("v1 %x %x %20d %20d\n", r.ActionID, r.OutputID, len(body), now.UnixNano())
	err := save(name, body)
	if err == nil {
		err = save(actionFile(folder, r.ActionID), []byte(entry))
	}
	if err != nil {
		return answer{Err: err.Error()}
	}
	return answer{OutputID: r.OutputID, Size: int64(len(body)), Time: &now, DiskPath: name}
}

// save writes a file that readers always find complete.
func save(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	part, err := os.CreateTemp(filepath.Dir(name), "part-")
	if err != nil {
		return err
	}
	defer os.Remove(part.Name())
	_, err = part.Write(text)
	if err = errors.Join(err, part.Close()); err != nil {
		return err
	}
	return os.Rename(part.Name(), name)
}
