package env

import (
	"context"
	"fmt"
	"os"
	"runtime"

	"github.com/spectradiff/spectradiff/internal/replay/fleet"
	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

// ProgramHash returns a hash of the running program: two builds may have the same version.
func ProgramHash() (string, error) {
	name, err := os.Executable()
	if err != nil {
		return "", err
	}
	return fleet.HashFile(name)
}

// KindOf returns the kind of the tasks of this program, confined by some layers.
func KindOf(tool string, layers sandbox.Layers) (fleet.Kind, error) {
	program, err := ProgramHash()
	if err != nil {
		return fleet.Kind{}, fmt.Errorf("read the program of the tool: %w", err)
	}
	system := runtime.GOOS + "/" + runtime.GOARCH
	return fleet.Kind{
		Program: program, Version: tool, System: system, Layers: layers.String(), C: fleet.Libraries(),
		Programs: sandbox.Programs(),
	}, nil
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

// Shares returns what each worker did, and how many tasks none of them managed. Without workers it returns none.
func (e *Environment) Shares() ([]fleet.Share, int) {
	if e.fleet == nil {
		return nil, 0
	}
	return e.fleet.Shares()
}
