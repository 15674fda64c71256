package cache

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// sealSuffix ends the name of a seal.
const sealSuffix = ".seal"

// A seal describes a complete file or folder. It is stored in a small file beside it. A file or folder without a valid
// seal is incomplete or damaged, and has to be made again.
//
// A file is compared by its content. In a folder, which may have many files, contents are read only if sizes, modes,
// times or numbers of files differ from the seal. The kernel lets nobody choose the change time of a file, so an edit
// always shows. A copy of a cache differs in times only, and is valid.
type seal struct {
	Stamp  string   `json:"stamp"`  // hash of sizes, modes, times, file numbers and notes
	Digest string   `json:"digest"` // hash of modes, contents and notes
	Notes  []string `json:"notes,omitempty"`
}

// Seal marks a file or folder as complete, with notes of the caller.
func Seal(path string, notes ...string) error {
	s, err := sealOf(path, notes)
	if err != nil {
		return fmt.Errorf("seal %s: %w", path, err)
	}
	return s.write(path)
}

// Place seals a file and then gives it its name. It replaces a file of that name.
func Place(file, name string) error {
	s, err := sealOf(file, nil)
	if err == nil {
		err = s.write(name)
	}
	if info, failed := os.Lstat(name); failed == nil && info.IsDir() && err == nil {
		err = os.RemoveAll(name)
	}
	if err == nil {
		err = os.Rename(file, name)
	}
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	return nil
}

// Sealed reports whether a file or folder is unchanged since Seal, and returns the notes. If it is not, the caller
// makes it again.
func (c *Cache) Sealed(path string) (notes []string, ok bool) {
	notes, ok = sealed(path)
	if _, err := os.Lstat(path); err == nil && !ok {
		c.log("cache: %s is damaged or not complete, and is made again", path)
	}
	return notes, ok
}

func sealed(path string) (notes []string, ok bool) {
	text, err := os.ReadFile(path + sealSuffix)
	if err != nil {
		return nil, false
	}
	var s seal
	if json.Unmarshal(text, &s) != nil {
		return nil, false
	}
	stamp := s.Stamp
	if info, err := os.Lstat(path); err != nil {
		return nil, false
	} else if info.IsDir() {
		if stamp, err = stampOf(path, s.Notes); err == nil && stamp == s.Stamp {
			return s.Notes, true
		}
	}
	digest, err := digestOf(path, s.Notes)
	if err != nil || digest != s.Digest {
		return nil, false
	}
	if stamp != s.Stamp {
		s.Stamp = stamp
		_ = s.write(path) // else the contents are read the next time too
	}
	return s.Notes, true
}

func sealOf(path string, notes []string) (s seal, err error) {
	s.Notes = notes
	if s.Stamp, err = stampOf(path, notes); err == nil {
		s.Digest, err = digestOf(path, notes)
	}
	return s, err
}

// write writes the seal of a path. Readers always find it complete.
func (s seal) write(path string) error {
	text, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("seal %s: %w", path, err)
	}
	part, err := os.CreateTemp(filepath.Dir(path), partPrefix)
	if err != nil {
		return fmt.Errorf("seal %s: %w", path, err)
	}
	defer os.Remove(part.Name())
	_, err = part.Write(text)
	if err = errors.Join(err, part.Close()); err == nil {
		err = os.Rename(part.Name(), path+sealSuffix)
	}
	if err != nil {
		return fmt.Errorf("seal %s: %w", path, err)
	}
	return nil
}

// stampOf returns a hash of the kernel's data about a file or all files below a folder. It reads no content. Every edit
// changes the hash.
func stampOf(path string, notes []string) (string, error) {
	return hashOf(path, notes, writeStat)
}

// digestOf returns a hash of the modes and contents of a file or of all files below a folder.
func digestOf(path string, notes []string) (string, error) {
	return hashOf(path, notes, func(all hash.Hash, name string) error { return WriteContent(all, name) })
}

// WriteContent writes what tells the content of a file from another one: its mode and a hash, or the target of a
// symbolic link.
func WriteContent(to io.Writer, name string) error {
	info, err := os.Lstat(name)
	if err != nil {
		return err
	}
	fmt.Fprintln(to, info.Mode())
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(name)
		fmt.Fprintf(to, "%q\n", target)
		return err
	case !info.Mode().IsRegular():
		return nil // it has no content to read
	}
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	content := sha256.New()
	_, err = io.Copy(content, file)
	fmt.Fprintf(to, "%x\n", content.Sum(nil))
	return err
}

// hashOf returns a hash of the notes and of the names below a path. Function add adds the data of each name.
func hashOf(path string, notes []string, add func(all hash.Hash, name string) error) (string, error) {
	all := sha256.New()
	fmt.Fprintf(all, "%q\n", notes)
	err := filepath.WalkDir(path, func(name string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(path, name)
		if err != nil {
			return err
		}
		fmt.Fprintf(all, "%q\n", rel)
		return add(all, name)
	})
	return hex.EncodeToString(all.Sum(nil)), err
}
