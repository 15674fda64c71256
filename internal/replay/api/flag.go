package api

// A Flag is what a command line may have to set a variable: its name with the dashes, and values that are not its usual
// one, "" for none.
type Flag struct {
	Name   string
	Values []string
}
