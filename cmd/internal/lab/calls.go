package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/build"
)

// driverEnvironment is the environment that drivers have: one processor, no preemption by time.
var driverEnvironment = append(os.Environ(), "GOMAXPROCS=1", "GODEBUG=asyncpreemptoff=1,gcshrinkstackoff=1")

// A cost is a line that the program measure prints.
type cost struct {
	name                                 string
	plain, off, on, allocations, written float64
}

// calls measures single calls.
func (b *bench) calls(ctx context.Context) error {
	dir, err := b.fixture()
	if err != nil {
		return err
	}
	m, err := b.instrument(dir, "./calls")
	if err != nil {
		return err
	}
	source, err := os.ReadFile(filepath.Join(dir, "calls", "calls.go"))
	if err != nil {
		return err
	}
	plain := bytes.Replace(source, []byte("package calls"), []byte("package plain"), 1)
	m.overlay[filepath.Join(dir, "plain", "plain.go")] = plain
	out, version, err := b.run(ctx, dir, "./measure", m)
	if err != nil {
		return err
	}
	costs := map[string]cost{}
	for line := range strings.Lines(out) {
		var c cost
		if _, err := fmt.Sscan(line, &c.name, &c.plain, &c.off, &c.on, &c.allocations, &c.written); err != nil {
			return fmt.Errorf("line %q: %w", line, err)
		}
		costs[c.name] = c
	}
	printCalls(version, costs)
	return nil
}

// run builds a command of the fixture with the overlay. It returns the output of the command and the Go
// version.
func (b *bench) run(ctx context.Context, dir, command string, m *instrumented) (out, version string, err error) {
	binary, err := b.build(ctx, build.Request{
		Dir: dir, Package: command, Overlay: m.overlay, Env: append(os.Environ(), "GOWORK=off"),
	})
	if err != nil {
		return "", "", err
	}
	cmd := exec.CommandContext(ctx, binary.Path)
	cmd.Env = driverEnvironment
	printed, err := cmd.Output()
	if err != nil {
		return "", "", fmt.Errorf("run %s: %w", command, err)
	}
	return string(printed), binary.GoVersion, nil
}

func printCalls(version string, costs map[string]cost) {
	fmt.Printf("%s, digests, one P. A plain call of func(int, int) int takes %.2f ns here.\n\n",
		version, costs["scalar"].plain)
	fmt.Println("| call, recorded at entry and exit | ns plain | ns off | ns on | on / plain scalar " +
		"| allocations | bytes an event |")
	fmt.Println("|---|---|---|---|---|---|---|")
	for _, line := range []struct{ name, text string }{
		{"scalar", "two ints in, one out"},
		{"text", "a string of 12 bytes in, an int out"},
		{"list1", "a list of one link in, an int out"},
		{"list1000", "a list of 1,000 links in, an int out"},
		{"map100", "a map[string]int of 100 in, an int out"},
	} {
		c := costs[line.name]
		fmt.Printf("| %s | %.2f | %.2f | %.0f | %.1f | %g | %.1f |\n",
			line.text, c.plain, c.off, c.on, c.on/costs["scalar"].plain, c.allocations, c.written/2)
	}
	long, short := costs["list1000"], costs["list1"]
	link := (long.on - short.on) / (2 * 999)
	fmt.Printf("\nA link of the list (a pointer and a struct with two fields) takes %.1f ns a walk, "+
		"%.1f times a loop that sums it.\n",
		link, link/(costs["walk1000"].plain/1000))
	fmt.Printf("An entry of the map takes %.1f ns a walk.\n", costs["map100"].on/200)
	fmt.Printf("Writing both events of the scalar call with encoding/json (kind, goroutine, function, values by name) "+
		"takes %.0f ns: %.0f times recording it.\n",
		costs["json"].plain, costs["json"].plain/(costs["scalar"].on-costs["scalar"].plain))
}
