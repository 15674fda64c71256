package spectra

import "github.com/spectradiff/spectradiff/internal/spectra/rt/wire"

// String returns how a sequence ended, in words.
func (e End) String() string {
	text := "unknown end"
	switch e.Kind {
	case wire.EndDone:
		text = "ran to its end"
	case wire.EndExited:
		text = "ended the process"
	case wire.EndCrashed:
		text = "crashed"
	case wire.EndStepLimit:
		text = "reached the limit on steps"
	case wire.EndTimeout:
		text = "reached the time limit"
	case wire.EndBlocked:
		text = "blocked for ever"
	}
	if e.Detail != "" && e.Kind != wire.EndBlocked { // it says the same
		text += ": " + e.Detail
	}
	return text
}
