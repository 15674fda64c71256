package diff

import "github.com/spectradiff/spectradiff/internal/spectra"

// States lists the differences between two states that were recorded with values, topmost first.
func States(old, new spectra.State) []Difference {
	return differences(old.Slots(), new.Slots(), nil, func(s string) string { return s })
}
