package spectra

// String says how a sequence ended.
func (e End) String() string {
	text := "unknown end"
	switch e.Kind {
	case Done:
		text = "ran to its end"
	case Exited:
		text = "ended the process"
	case Crashed:
		text = "crashed"
	case StepLimit:
		text = "reached the limit on steps"
	case Timeout:
		text = "reached the time limit"
	case Blocked:
		text = "blocked for ever"
	}
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	return text
}
