// Package footprint remembers which blocks of a version its tests run.
//
// Input: the folders that decide what the tests of a package run (Content.Key), and the blocks that each test ran.
// Output: in a later run on the same content, whether a test is known to run none of some blocks.
//
// The content are the Go files of the tested package and of all packages of the module that it or its tests need,
// testdata folders, vendored sources and all files that are not Go of the whole version, because tests read such files
// wherever they lie, and the settings that the caller names. Where anything of it differs there is another key, so what
// is remembered is true as long as it is found. What is damaged is forgotten. Only the cache is written.
package footprint

import (
	"bytes"
	"encoding/gob"
	"fmt"
	"maps"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/cache"
)

// A Ran is what a test ran: numbers that the caller gives blocks, sorted, by the paths of packages. A number means the
// same in each run on the same content. Of packages that are missing nothing is known.
type Ran map[string][]int

// Misses reports whether it is known that none of some blocks ran.
func (r Ran) Misses(blocks Ran) bool {
	for path, wanted := range blocks {
		ran, known := r[path]
		if !known && len(wanted) > 0 {
			return false
		}
		for _, i := range wanted {
			if _, hit := slices.BinarySearch(ran, i); hit {
				return false
			}
		}
	}
	return true
}

// Tests are the footprints of the tests of one package, by their names.
type Tests map[string]Ran

// Add adds what a test ran to what is known of it.
func (t Tests) Add(name string, ran Ran) {
	if t[name] == nil {
		t[name] = Ran{}
	}
	maps.Copy(t[name], ran)
}

// A Store keeps footprints between runs.
type Store struct {
	Cache *cache.Cache
	Salt  string // of the tool, since another build may see other blocks, and of what else tests depend on
}

// Read returns what is remembered under a key, empty if nothing is.
func (s *Store) Read(key string) Tests {
	data, ok := s.Cache.Kept(cache.Footprints, key)
	tests := Tests{}
	if !ok || gob.NewDecoder(bytes.NewReader(data)).Decode(&tests) != nil {
		return Tests{}
	}
	return tests
}

// Write remembers tests under a key, in the place of those that were there.
func (s *Store) Write(key string, t Tests) error {
	var data bytes.Buffer
	if err := gob.NewEncoder(&data).Encode(t); err != nil {
		return fmt.Errorf("remember what tests run: %w", err)
	}
	return s.Cache.Keep(cache.Footprints, key, data.Bytes())
}
