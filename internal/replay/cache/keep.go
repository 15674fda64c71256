package cache

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Keep writes the content of an entry that is one file, in the place of what was there.
func (c *Cache) Keep(kind Kind, name string, content []byte) error {
	var packed bytes.Buffer
	to := gzip.NewWriter(&packed)
	_, err := to.Write(content)
	if err = errors.Join(err, to.Close()); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	file := c.file(kind, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	part, err := os.CreateTemp(filepath.Dir(file), partPrefix)
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	defer os.Remove(part.Name())
	_, err = packed.WriteTo(part)
	if err = errors.Join(err, part.Close()); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	return Place(part.Name(), file)
}

// Kept returns what Keep wrote, and false if there is nothing, or it is damaged.
func (c *Cache) Kept(kind Kind, name string) (content []byte, ok bool) {
	file := c.file(kind, name)
	if _, ok := c.Sealed(file); !ok {
		return nil, false
	}
	packed, err := os.Open(file)
	if err != nil {
		return nil, false
	}
	defer packed.Close()
	in, err := gzip.NewReader(packed)
	if err != nil {
		return nil, false
	}
	content, err = io.ReadAll(in)
	return content, err == nil
}

// file returns the file of an entry that is one file, and holds the entry.
func (c *Cache) file(kind Kind, name string) string {
	return filepath.Join(c.Hold(kind, name), "content")
}
