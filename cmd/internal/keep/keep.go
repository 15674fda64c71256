// Package keep leaves what a run made in a folder of the user, who asked for it with --keep:
//
//	DIR/old/…                     instrumented sources, below the module's folders
//	DIR/old/driver                the program that plays sequences
//	DIR/old/spectra/*.spectra     raw spectra, see package archive
//	DIR/new/…                     the same of the new version
//
// In: what the stages made. Out: files. A folder that is not set keeps nothing, so callers need not ask.
// It reads nothing back and never removes what it did not write.
package keep

// A Folder is where things are left; "" leaves nothing.
type Folder string
