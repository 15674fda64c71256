package attack

// isNew says which version this is.
const isNew = false

// Share gives a share of n. It changed, and the report says so whatever else happens.
func Share(n int) int { return n / 2 }
