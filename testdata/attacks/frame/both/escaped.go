package attack

// escaped says that an attack succeeded, in the new version only, so that it becomes a deviation.
func escaped(what string, err error) string {
	if !isNew || err != nil {
		return ""
	}
	return "ESC" + "APED: " + what
}
