// Command generated stands for the programs that are put together at run time: it names what probes and
// tables in the target call. No program of the module calls it, so the check for functions that nothing
// reaches starts here as well as at the commands; it also checks that the names are those which
// spectra/instrument, replay/driver and the benchmark write.
package main

import (
	zspectra "github.com/spectradiff/spectradiff/spectra/rt"
	"github.com/spectradiff/spectradiff/spectra/rt/driver"
)

func main() {
	probe()
	zspectra.Register(zspectra.Package{})
	zspectra.RegisterOperations(nil)
	zspectra.RegisterTypes(nil)
	zspectra.RegisterObserved("", nil)
	zspectra.Collect[int](nil)
	zspectra.CollectPairs[int, int](nil)
	driver.Main()
	measure()
}

// probe makes the calls that are added to every function.
func probe() {
	frame := zspectra.Enter(nil)
	defer frame.Exit()
	zspectra.Go()
	zspectra.Tick()
}

// measure makes the calls of programs that are measured without a driver.
func measure() {
	zspectra.Awake()
	zspectra.Configure(zspectra.Config{})
	zspectra.Count(nil)
	zspectra.Loop(nil, 0)
	zspectra.Length()
}
