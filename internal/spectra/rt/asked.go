//go:build zspectra_runtime

package rt

import "github.com/spectradiff/spectradiff/internal/spectra/rt/wire"

// Asked notes that a variable of the environment was asked for, while operands are noted.
func Asked(name string) {
	if Noting {
		add(Operand{Site: wire.SiteEnvironment, Alone: true, Left: name})
	}
}
