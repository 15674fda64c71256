package drivers

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/build"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// WhyUnreached returns for each of some functions that no sequence ran, by their names in new, why that may be.
// Refused says of those that no sequence can call why. Executed holds the numbers of the blocks of old that ran.
func (d *Drivers) WhyUnreached(
	functions []spectra.Symbol, refused map[string]string, executed map[uint32]bool,
) map[string]string {
	if len(functions) == 0 {
		return nil
	}
	u := unreached{Drivers: d, executed: executed, alone: d.Plan.Alone()}
	reasons := map[string]string{}
	for _, f := range functions {
		reasons[string(f)] = u.reason(d.Plan.OldName(f), refused[string(f)])
	}
	return reasons
}

type unreached struct {
	*Drivers
	executed map[uint32]bool
	alone    map[spectra.Symbol]spectra.Side
}

// reason returns why a function of old did not run; refused is why no sequence can call it, if none can.
func (u *unreached) reason(function spectra.Symbol, refused string) string {
	pkg := function.Package()
	switch {
	case slices.Contains(u.Plan.Distant, pkg):
		return "its package is too far from the change to be compared; --all compares it"
	case !slices.Contains(u.Plan.Driven, pkg):
		return "its package is not compared"
	}
	skipped := u.Compiled.Old.Skipped
	if i := slices.IndexFunc(skipped, func(s build.Skip) bool { return s.Package == pkg }); i >= 0 {
		return "its package is not driven: " + skipped[i].Reason
	}
	if s := u.alone[function]; s != "" { // nothing can call it in both
		return fmt.Sprintf("only %s has it, and nothing that ran calls it there", s)
	}
	if u.ran(function) { // what runs no changed block of old is not played on new
		return "it ran, but none of its changed lines"
	}
	if refused != "" {
		return refused
	}
	if why := u.Versions.Old.Packages.WithoutProbes(function); why != "" {
		return "it can't be recorded, so whether a call ran it is not known: " + why
	}
	for _, op := range u.Plan.Callable.Operations.Old {
		if op.Symbol == function {
			return "no generated call reached it; a longer --budget may"
		}
	}
	return u.uncalled(function)
}

// uncalled returns why a function did not run that sequences can't call.
func (u *unreached) uncalled(function spectra.Symbol) string {
	users := u.Plan.Sides.Old.Program.Mentioning(function)
	if len(users) == 0 {
		return "nothing that was compared calls it; a test that does would help"
	}
	ran := slices.DeleteFunc(slices.Clone(users), func(user spectra.Symbol) bool { return !u.ran(user) })
	if len(ran) > 0 {
		return fmt.Sprintf("%s ran, but not the part that uses it", listed(ran))
	}
	return fmt.Sprintf("used only by %s, which did not run", listed(users))
}

func (u *unreached) ran(function spectra.Symbol) bool {
	return slices.ContainsFunc(u.Versions.Old.Packages.BlocksOf(function), func(id uint32) bool {
		return u.executed[id]
	})
}

// listedUsers is how many functions a reason names.
const listedUsers = 3

func listed(functions []spectra.Symbol) string {
	var names []string
	for _, f := range functions[:min(len(functions), listedUsers)] {
		names = append(names, f.Short())
	}
	text := strings.Join(names, ", ")
	if more := len(functions) - len(names); more > 0 {
		return fmt.Sprintf("%s and %d more", text, more)
	}
	return text
}
