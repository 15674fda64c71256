package env

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/spectradiff/spectradiff/internal/replay/fleet"
	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

// programHash returns a hash of the running program: two builds may have the same version.
var programHash = sync.OnceValues(func() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	return fleet.HashFile(name)
})

// KindOf returns the kind of the tasks of this program, confined by some layers. It does no jobs.
func KindOf(tool string, layers sandbox.Layers) (fleet.Kind, error) {
	program, err := programHash()
	if err != nil {
		return fleet.Kind{}, fmt.Errorf("read the program of the tool: %w", err)
	}
	system := runtime.GOOS + "/" + runtime.GOARCH
	return fleet.Kind{
		Program: program, Version: tool, System: system, Layers: layers.String(), C: fleet.Libraries(),
		Programs: sandbox.Programs(), Processor: fleet.Processor(), Model: fleet.Model(), Kernel: fleet.Kernel(),
	}, nil
}

// JobKindOf returns the same with the go command of this machine, for jobs. Without one none are done.
func JobKindOf(tool string, layers sandbox.Layers) (fleet.Kind, error) {
	kind, err := KindOf(tool, layers)
	if settings, failed := gocommand.Unconfined().Settings(); failed == nil {
		sum := sha256.Sum256([]byte(settings))
		kind.Go, kind.Settings = hex.EncodeToString(sum[:8]), summary(settings)
	}
	return kind, err
}

// summary returns settings as fleet.Kind has them.
func summary(settings string) string {
	var list []string
	for line := range strings.Lines(settings) {
		name, quoted, _ := strings.Cut(strings.TrimSpace(line), "=")
		value, err := strconv.Unquote(quoted)
		switch {
		case err != nil || value == "":
			continue
		case name != fleet.VersionName:
			sum := sha256.Sum256([]byte(value))
			value = hex.EncodeToString(sum[:3])
		}
		list = append(list, name+"="+value)
	}
	return strings.Join(list, " ")
}

// Layers returns the layers that confine here. It is an error if these are too few, unless that is allowed.
func Layers(unconfined bool) (sandbox.Layers, error) {
	s, err := sandbox.Open(sandbox.Options{Unconfined: unconfined})
	if err != nil {
		return sandbox.Layers{}, fmt.Errorf("sandbox: %w", err)
	}
	return s.Layers(), s.Close()
}

// Gather connects to the server of the options, for jobs: pieces of a run that other machines do from its beginning to
// its end.
func Gather(ctx context.Context, o Options) (*fleet.Client, error) {
	layers, err := Layers(o.NoSandbox)
	if err != nil {
		return nil, err
	}
	kind, err := JobKindOf(o.Tool, layers)
	if err != nil {
		return nil, err
	}
	return fleet.Connect(ctx, o.Nats, kind, o.Log)
}

// join has workers play, too.
func (e *Environment) join(ctx context.Context) error {
	kind, err := KindOf(e.tool, e.commands.Layers())
	if err != nil {
		return err
	}
	if e.fleet, err = fleet.Connect(ctx, e.nats, kind, e.Logf); err != nil {
		return err
	}
	e.Hands = e.fleet
	if report := e.Progress; report != nil {
		e.Progress = func(stage string, done, total int) { report(stage+e.fleet.Status().String(), done, total) }
	}
	return nil
}

// Account returns what the workers did.
func (e *Environment) Account() fleet.Account { return e.fleet.Account() }
