package rt

import (
	"syscall"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

var units = takeUnits()

// takeUnits takes the choice out of the environment, before the target can see it.
func takeUnits() string {
	text, _ := syscall.Getenv(wire.UnitsVariable)
	_ = syscall.Unsetenv(wire.UnitsVariable)
	return text
}

// Other reports whether the other version's code of a unit runs.
func Other(unit int) bool { return unit < len(units) && units[unit] == wire.UnitOther }
