package repository

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/index"

	"github.com/spectradiff/spectradiff/internal/replay/repository/attributes"
)

// A conversion is what git does to a file when it commits it, as far as it is another content then.
type conversion struct {
	lines    string // how ends of lines are undone; "": they are not
	ident    bool   // "$Id: … $" is "$Id$"
	filter   string // name of the program that does it
	encoding string // of the file on disk
}

// How ends of lines are undone.
const (
	always = "always"
	auto   = "auto" // in what looks like text, unless the index has such ends
)

// largeFile is the maximum size of a file whose content is converted in memory.
const largeFile = 64 << 20

// A converter finds what git would commit of files on disk: a checkout may have written other bytes than the commit
// has, and git takes these back. Nothing is run for that.
type converter struct {
	*Repository
	index   indexed
	shared  []attributes.File            // that come before those of folders
	info    []attributes.File            // that come after them
	folders map[string][]attributes.File // by folder, what is said in it and above
}

func (r *Repository) converter(x indexed) *converter {
	c := &converter{Repository: r, index: x, folders: map[string][]attributes.File{}}
	everywhere := []string{"/etc/gitattributes", r.userFile("attributesfile", "attributes")}
	for _, name := range everywhere {
		if file, ok := attributes.Read(name, ""); ok {
			c.shared = append(c.shared, file)
		}
	}
	if file, ok := attributes.Read(filepath.Join(r.common, "info", "attributes"), ""); ok {
		c.info = append(c.info, file)
	}
	return c
}

// above returns the files of attributes of a folder and of those above it.
func (c *converter) above(folder string) []attributes.File {
	if known, ok := c.folders[folder]; ok {
		return known
	}
	files, base := c.shared, ""
	if folder != "." {
		files, base = c.above(path.Dir(folder)), folder+"/"
	}
	if own, ok := attributes.Read(filepath.Join(c.Root, filepath.FromSlash(base), ".gitattributes"), base); ok {
		files = append(files[:len(files):len(files)], own)
	}
	c.folders[folder] = files
	return files
}

// conversion returns what is done to a file that has that path.
func (c *converter) conversion(name string) conversion {
	files := c.above(path.Dir(name))
	given := attributes.Of(append(files[:len(files):len(files)], c.info...), name)
	of := conversion{ident: given["ident"] == attributes.Set}
	if filter := given["filter"]; filter != attributes.Set && filter != attributes.Unset {
		of.filter = filter
	}
	if encoding := given["working-tree-encoding"]; encoding != attributes.Set && encoding != attributes.Unset &&
		!strings.EqualFold(encoding, "UTF-8") {
		of.encoding = encoding
	}
	const unconverted = "-"
	words := map[string]string{
		attributes.Set: always, attributes.Unset: unconverted, "input": always, "auto": auto,
	}
	text := cmp.Or(words[given["text"]], words[given["crlf"]])
	if end := given["eol"]; text == "" && (end == "lf" || end == "crlf") {
		text = always
	}
	if ends := c.config.Setting("core", "", "autocrlf"); truth(ends) || strings.EqualFold(ends, "input") {
		text = cmp.Or(text, auto)
	}
	if text != unconverted {
		of.lines = text
	}
	return of
}

// convert replaces files on disk by what git would commit of them, where that is something else. It returns warnings
// about those of which it is not known.
func (c *converter) convert(ctx context.Context, files []file) (warnings []string, err error) {
	of := make([]conversion, len(files))
	for i, f := range files {
		if f.mode != modeSymlink && f.disk != "" {
			of[i] = c.conversion(f.path)
		}
	}
	notes := make([]string, len(files))
	err = parallel(ctx, len(files), func() (func(int) error, func()) {
		read := c.objects.reader()
		return func(i int) error {
			if of[i] == (conversion{}) {
				return nil
			}
			note, err := c.file(&files[i], of[i], read)
			if errors.Is(err, os.ErrNotExist) { // deleted since the folder was listed, which copying it notices
				return nil
			}
			notes[i] = note
			return err
		}, read.close
	})
	return unconverted(files, notes), err
}

// unconverted warns of files that are compared as they are on disk, once for each reason.
func unconverted(files []file, reasons []string) (warnings []string) {
	by := map[string][]string{}
	for i, reason := range reasons {
		if reason != "" {
			by[reason] = append(by[reason], files[i].path)
		}
	}
	for _, reason := range slices.Sorted(maps.Keys(by)) {
		which := by[reason][0] + " is"
		if more := len(by[reason]) - 1; more > 0 {
			which = fmt.Sprintf("%s and %d more are", by[reason][0], more)
		}
		warnings = append(warnings, which+" compared as on disk, not as git would commit it: "+reason)
	}
	return warnings
}

// file replaces one file, or says why it can't. What git believes to be unchanged is the object of the index, whatever
// is on disk.
func (c *converter) file(f *file, of conversion, read *reader) (reason string, err error) {
	entry := c.index.entries[f.path]
	if entry != nil && c.objects.has(entry.Hash) {
		same := entry.ModifiedAt.Before(c.index.written) && unchanged(f.disk, entry)
		if !same {
			raw, err := blobHash(*f)
			if err != nil {
				return "", err
			}
			same = raw == entry.Hash
		}
		if same {
			f.disk, f.hash = "", entry.Hash
			return "", nil
		}
	}
	if of.filter == "lfs" {
		return "", c.pointer(f)
	}
	if reason := c.unknown(of); reason != "" {
		return reason + "; run `git status`, which notes what is unchanged", nil
	}
	return c.clean(f, of, entry, read)
}

// unknown says why it is not known what git would commit.
func (c *converter) unknown(of conversion) string {
	setting := func(key string) string { return c.config.Setting("filter", of.filter, key) }
	switch {
	case of.filter != "" && (setting("clean") != "" || setting("process") != ""):
		return fmt.Sprintf("the filter %s is not run", of.filter)
	case of.encoding != "":
		return "the encoding is " + of.encoding
	}
	return ""
}

// pointer replaces a file that Git LFS keeps elsewhere by the pointer to it.
func (c *converter) pointer(f *file) error {
	in, err := os.Open(f.disk)
	if err != nil {
		return err
	}
	defer in.Close()
	sum, head := sha256.New(), &headWriter{}
	size, err := io.Copy(io.MultiWriter(sum, head), in)
	if err != nil {
		return fmt.Errorf("read %s: %w", f.path, err)
	}
	if size > 0 && string(head.data) != lfsHeader { // Git LFS leaves these alone
		text := fmt.Sprintf("%sv1\noid sha256:%s\nsize %d\n", lfsHeader, hex.EncodeToString(sum.Sum(nil)), size)
		f.hold([]byte(text))
	}
	return nil
}

// hold gives a file on disk another content.
func (f *file) hold(text []byte) {
	f.disk, f.text, f.hash = "", text, plumbing.ComputeHash(plumbing.BlobObject, text)
}

// clean undoes ends of lines and identifications in a file.
func (c *converter) clean(f *file, of conversion, entry *index.Entry, read *reader) (reason string, err error) {
	info, err := os.Stat(f.disk)
	if err != nil {
		return "", err
	}
	if info.Size() > largeFile {
		return fmt.Sprintf("it has more than %d bytes", largeFile), nil
	}
	data, err := os.ReadFile(f.disk)
	if err != nil {
		return "", err
	}
	text := data
	if of.lines == always || of.lines == auto && looksLikeText(data) && !hasReturns(entry, read) {
		text = bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	}
	if of.ident {
		text = identification.ReplaceAll(text, []byte("$$Id$$"))
	}
	if !bytes.Equal(text, data) {
		f.hold(text)
		if entry != nil && f.hash == entry.Hash && c.objects.has(f.hash) {
			f.text = nil // which need not be held
		}
	}
	return "", nil
}

// identification matches what git writes for "$Id$".
var identification = regexp.MustCompile(`\$Id:[^$\n]*\$`)

// hasReturns reports whether a text in the index has ends of lines that git would undo; it then leaves all alone.
func hasReturns(entry *index.Entry, read *reader) bool {
	if entry == nil {
		return false
	}
	_, text, err := read.content(entry.Hash)
	return err == nil && bytes.Contains(text, []byte("\r\n")) && looksLikeText(text)
}

// looksLikeText reports whether git takes bytes for text where it is not told.
func looksLikeText(data []byte) bool {
	printable, others := 0, 0
	for i, b := range data {
		switch {
		case b == 0, b == '\r' && (i+1 == len(data) || data[i+1] != '\n'):
			return false
		case b == '\r', b == '\n':
		case b == '\b', b == '\t', b == '\f', b == 0x1b, b >= ' ' && b != 0x7f:
			printable++
		default:
			others++
		}
	}
	if bytes.HasSuffix(data, []byte{0x1a}) { // the end of a file of DOS
		others--
	}
	return printable>>7 >= others
}
