package spread

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// line returns a span.
func line(id, parent, name string, from, to int) string {
	at := func(ms int) string {
		return time.Date(2026, 1, 1, 0, 0, 0, ms*int(time.Millisecond), time.UTC).Format(time.RFC3339Nano)
	}
	return fmt.Sprintf(`{"Name":%q,"SpanContext":{"SpanID":%q},"Parent":{"SpanID":%q},"StartTime":%q,"EndTime":%q}`,
		name, id, parent, at(from), at(to)) + "\n"
}

// trace is a run of 100 ms: 20 ms, then four pieces of 20 ms, of which plays take 15.
func trace() string {
	text := line("r", "", "run", 0, 100) + line("s", "r", "confirm", 10, 100) + line("e", "s", "each", 20, 100)
	for i := range 4 {
		p := fmt.Sprintf("p%d", i)
		text += line(p, "e", "piece", 20+20*i, 40+20*i) + line(p+"a", p, "play", 20+20*i, 25+20*i) +
			line(p+"b", p, "play", 25+20*i, 35+20*i)
	}
	return text + line("inner", "p0", "each", 21, 22)
}

func TestSimulate(t *testing.T) {
	r, err := Read(strings.NewReader(trace()))
	if err != nil {
		t.Fatal(err)
	}
	const ms = time.Millisecond
	if len(r.Groups) != 1 || r.Groups[0].Stage != "confirm" || r.Serial() != 20*ms {
		t.Fatalf("got %+v", r)
	}
	for _, c := range []struct {
		reason        string
		workers, jobs int
		cost          Cost
		want          time.Duration
	}{
		{"alone, as it was", 0, 1, Cost{}, 100 * ms},
		{"alone with two processors", 0, 2, Cost{}, 60 * ms},
		{"one worker that costs nothing", 1, 1, Cost{}, 20*ms + 50*ms}, // two pieces, and 5 ms of each other one
		{"as many as pieces: the client is left with one, and what it does of the others", 3, 1, Cost{}, 20*ms + 35*ms},
		{"more are of no use", 60, 1, Cost{}, 20*ms + 35*ms},
		{"a way of 10 ms for each play", 1, 2, Cost{Wait: 10 * ms}, 20*ms + 40*ms},
		{"bytes that take 5 ms for each play", 1, 2, Cost{Traffic: Traffic{Task: 50}, Rate: 1e4}, 20*ms + 40*ms},
		{"a link that all bytes go through", 3, 1, Cost{Traffic: Traffic{Task: 200}, Rate: 1e4}, 20*ms + 120*ms},
		{"a driver that comes when all is done", 1, 1, Cost{Traffic: Traffic{Once: 800}, Rate: 1e4}, 100 * ms},
		{"a driver that two fetch through one link", 2, 1, Cost{Traffic: Traffic{Once: 200}, Rate: 1e4}, 20*ms + 65*ms},
	} {
		if got := r.Simulate(c.workers, c.jobs, c.cost); got != c.want {
			t.Errorf("%s: %v, want %v", c.reason, got, c.want)
		}
	}
	several, err := Read(strings.NewReader(trace() + line("r2", "", "run", 100, 160) + line("r3", "", "run", 160, 260)))
	if err != nil {
		t.Fatal(err)
	}
	for workers, want := range []time.Duration{260 * ms, 170 * ms, 110 * ms} {
		if got := several.Divide(workers, 10*ms, Cost{}); got != want {
			t.Errorf("runs divided among %d workers: %v, want %v", workers, got, want)
		}
	}
	serial, longest, client := r.Bounds(Cost{Client: ms})
	if serial != 20*ms || longest != 20*ms || client != 28*ms {
		t.Errorf("bounds %v, %v, %v", serial, longest, client)
	}
	for _, bad := range []string{"", "{", line("s", "", "confirm", 0, 1)} {
		if _, err := Read(strings.NewReader(bad)); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}

// TestTraffic: what a task moves in the mean, and what each worker fetches once.
func TestTraffic(t *testing.T) {
	moved := func(id, parent, name string, sent, received int) string {
		const attribute = `{"Key":"bytes.%s","Value":{"Type":"INT64","Value":%d}}`
		return strings.TrimSuffix(line(id, parent, name, 0, 1), "}\n") + `,"Attributes":[` +
			fmt.Sprintf(attribute, "sent", sent) + "," + fmt.Sprintf(attribute, "received", received) + "]}\n"
	}
	got, err := ReadTraffic(strings.NewReader(line("r", "", "run", 0, 100) + moved("c", "a", "content", 500, 0) +
		moved("f", "a", "file", 0, 0) + moved("d", "f", "content", 70_000, 0) + moved("a", "p", "task", 100, 1000) +
		moved("b", "p", "task", 100, 300)))
	if want := (Traffic{Task: 1000, Once: 70_000}); got != want || err != nil {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	if _, err := ReadTraffic(strings.NewReader(trace())); err == nil {
		t.Error("of a run without workers: no error")
	}
}

// TestReady: the first stage that plays tells when loading and building is done; what is built later does not count.
func TestReady(t *testing.T) {
	stage := func(name string, from, to int) string {
		text := line(fmt.Sprint(name, from), "r", name, from, to)
		return strings.TrimSuffix(text, "}\n") + `,"Attributes":[{"Key":"kind","Value":{"Value":"stage"}}]}` + "\n"
	}
	text := stage("load", 5, 10) + stage("build", 10, 30) + stage("variables", 30, 31) + stage("generate", 31, 50) +
		stage("build", 50, 70) + stage("tests", 70, 100) + line("r", "", "run", 5, 100)
	r, err := Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if r.Ready != 26*time.Millisecond {
		t.Errorf("ready after %v", r.Ready)
	}
}
