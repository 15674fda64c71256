package report

import (
	"fmt"
	"slices"
)

// A Lack is what was not compared for a reason that is none of the code: another run, or another machine, may have it.
// A warning says what it was.
type Lack string

// The lacks.
const (
	LackDependencies Lack = "dependencies" // code that needs modules, or a toolchain, that could not be fetched
	LackTests        Lack = "tests"        // all tests
	LackCommands     Lack = "commands"     // all commands
)

// Lacks lists the lacks.
func Lacks() []Lack { return []Lack{LackCommands, LackDependencies, LackTests} }

func (r *Report) checkLacks() error {
	for _, lack := range r.Lacks {
		if !slices.Contains(Lacks(), lack) {
			return fmt.Errorf("it lacks %q, which is no word for that", lack)
		}
	}
	if !slices.IsSorted(r.Lacks) {
		return fmt.Errorf("what it lacks is not in order: %q", r.Lacks)
	}
	return nil
}
