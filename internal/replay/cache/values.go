package cache

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// valueFile is the file of an entry that holds a value.
const valueFile = "value"

// ReadValue reads the value that is kept under a name into v, a pointer. It reports false if there is none, or it is
// damaged; v may then hold parts of it.
func (c *Cache) ReadValue(kind Kind, name string, v any) bool {
	file := filepath.Join(c.Hold(kind, name), valueFile)
	if _, ok := c.Sealed(file); !ok {
		return false
	}
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	unpacked, err := gzip.NewReader(f)
	return err == nil && json.NewDecoder(unpacked).Decode(v) == nil
}

// WriteValue keeps a value under a name, in the place of the one that was there. It is written as JSON, packed.
func (c *Cache) WriteValue(kind Kind, name string, v any) (err error) {
	file := filepath.Join(c.Hold(kind, name), valueFile)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	part, err := os.CreateTemp(filepath.Dir(file), partPrefix)
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	defer os.Remove(part.Name())
	packed := gzip.NewWriter(part)
	err = json.NewEncoder(packed).Encode(v)
	for _, end := range []func() error{packed.Close, part.Close} {
		if failed := end(); err == nil {
			err = failed
		}
	}
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	return Place(part.Name(), file)
}
