// Package keep saves what a run made in the folder of the flag --keep:
//
//	DIR/old/…                     instrumented sources, below the module's folders
//	DIR/old/driver                the program that plays sequences
//	DIR/old/spectra/*.spectra     raw spectra, see package archive
//	DIR/new/…                     the same of the new version
//
// In: what the stages made. Out: files. If the folder is not set, nothing is saved, so callers need not
// check that. The package reads nothing back and never removes what it did not write.
package keep

// A Folder is where files are saved. If it is "", nothing is.
type Folder string
