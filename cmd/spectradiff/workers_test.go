package main

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/spectradiff/spectradiff/internal/replay/fleet"
)

// serveScript is the command "serve". It starts a server that ends with the script, and sets NATS to its address.
func serveScript(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: serve")
	}
	server, err := fleet.Serve(fleet.Serving{Host: "127.0.0.1", Port: -1, Store: ts.MkAbs(".server")})
	ts.Check(err)
	ts.Defer(server.Close)
	ts.Setenv("NATS", server.URL())
}

// awaitWorkers is the command "workers N". It waits until workers do N tasks at a time, of whatever kind.
func awaitWorkers(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: workers N")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	conn, err := nats.Connect(ts.Getenv("NATS"))
	ts.Check(err)
	defer conn.Close()
	said := make(chan *nats.Msg, 64)
	_, err = conn.ChanSubscribe("spectradiff.workers", said)
	ts.Check(err)
	ts.Check(conn.Publish("spectradiff.hello", nil))
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	of := map[string]int{}
	for sum := 0; sum < want; {
		select {
		case <-ctx.Done():
			ts.Fatalf("there are %d, want %d", sum, want)
		case m := <-said:
			var p struct {
				Worker string
				Slots  int
			}
			ts.Check(json.Unmarshal(m.Data, &p))
			sum += p.Slots - of[p.Worker]
			of[p.Worker] = p.Slots
		}
	}
}

// sameRuns is the command "sameruns A B". It fails unless two reports in JSON say the same but for durations and what
// else differs from run to run.
func sameRuns(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: sameruns A B")
	}
	var of [2]any
	for i, name := range args {
		ts.Check(json.Unmarshal([]byte(ts.ReadFile(name)), &of[i]))
		of[i] = withoutDurations(of[i])
	}
	if !reflect.DeepEqual(of[0], of[1]) {
		a, _ := json.MarshalIndent(of[0], "", "  ")
		b, _ := json.MarshalIndent(of[1], "", "  ")
		ts.Fatalf("%s and %s differ:\n%s\n%s", args[0], args[1], a, b)
	}
}

// runFields are the fields of reports that differ from run to run.
var runFields = []string{"seconds", "stages", "workers"}

func withoutDurations(value any) any {
	switch value := value.(type) {
	case map[string]any:
		maps.DeleteFunc(value, func(name string, _ any) bool { return slices.Contains(runFields, name) })
		for name := range value {
			value[name] = withoutDurations(value[name])
		}
	case []any:
		for i := range value {
			value[i] = withoutDurations(value[i])
		}
	}
	return value
}
