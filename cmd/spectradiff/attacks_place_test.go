//go:build linux

package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
	"unicode"

	"golang.org/x/sys/unix"
)

// secretPrefix begins all secrets. Nothing else has it, and no attack: it finds secrets by where they are.
const secretPrefix = "canary-of-"

// unfinished is in files that the user did not commit. The command may keep it in its cache, but not print it.
const unfinished = "unfinished-work-7c1e5a90"

func secretOf(place string) string {
	return secretPrefix + strings.ReplaceAll(place, " ", "-") + "-7c1e5a90"
}

// secretVariables are variables of which nobody may see the value.
var secretVariables = []string{
	"GITHUB_TOKEN", "ACTIONS_RUNTIME_TOKEN", "CI_JOB_TOKEN", "AWS_SECRET_ACCESS_KEY", "NPM_TOKEN", "SECRET",
}

// somebody is a user who has nothing to do with the attack.
const somebody = 65533

// fakes are programs that nobody may start. The folder with them comes first in PATH.
var fakes = []string{"git", "hg", "svn", "bzr", "fossil", "jj", "curl", "xdg-open"}

// makeHome fills the user's own folders: secrets, a program that nobody may start, and a file of somebody in the
// folder for temporary files.
func makeHome(work string) error {
	files := []struct {
		name, text string
		mode       fs.FileMode
	}{
		{"home/.ssh/id_rsa", "-----BEGIN KEY-----\n" + secretOf("id_rsa") + "\n", 0o600},
		{"home/.netrc", "machine example.com login x password " + secretOf("netrc") + "\n", 0o600},
		{"home/.gitconfig", "[http]\n\textraHeader = " + secretOf("gitconfig") + "\n", 0o644},
		{"home/.bashrc", "alias ls=ls\n", 0o644},
		{"home/.config/go/env", "GOPROXY=https://user:" + secretOf("saved settings") + "@example.com\n", 0o644},
		{"home/.config/go/telemetry/mode", "off 2024-01-01\n", 0o644},
		{"home/documents/letter.txt", "dear " + secretOf("letter") + "\n", 0o644},
		{"temporary/somebody", secretOf("temporary file") + "\n", 0o600},
		{"temporary/open", "everybody may write here\n", 0o666},
	}
	for _, name := range fakes {
		script := fmt.Sprintf("#!/bin/sh\necho %s \"$@\" >>%s\nexit 1\n", name, filepath.Join(work, "started"))
		files = append(files, struct {
			name, text string
			mode       fs.FileMode
		}{"bin/" + name, script, 0o755})
	}
	when := time.Date(2020, time.January, 1, 12, 0, 0, 0, time.UTC)
	for _, file := range files {
		name := filepath.Join(work, file.name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		err := os.WriteFile(name, []byte(file.text), file.mode)
		if err == nil {
			err = errors.Join(os.Chmod(name, file.mode), os.Chtimes(name, when, when))
		}
		if err == nil {
			err = unix.Setxattr(name, "user.canary", []byte("sings"), 0)
			if errors.Is(err, unix.ENOTSUP) {
				err = nil
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// giveTo makes a user the owner of all below a folder, but for what is somebody's.
func giveTo(uid int, folder string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	return filepath.WalkDir(folder, func(name string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if filepath.Base(name) == "somebody" {
			return os.Lchown(name, somebody, somebody)
		}
		return os.Lchown(name, uid, uid)
	})
}

// changing are the folders, below that of an attack, in which the command may write.
var changing = []string{"cache", "out"}

// A snapshot says for every file what others could change of it.
type snapshot map[string]string

// takeSnapshot looks at all files below a folder.
func takeSnapshot(folder string) (snapshot, error) {
	all := snapshot{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		name := strings.TrimPrefix(path, folder+"/")
		switch {
		case err != nil: // names can be too long to look at them
			all[name[:min(len(name), 200)]] = err.Error()
			return nil
		case name == folder:
			return nil
		case slices.Contains(changing, name) && entry.IsDir():
			return fs.SkipDir
		}
		all[name], err = describe(path, entry)
		return err
	})
	return all, err
}

func describe(path string, entry fs.DirEntry) (string, error) {
	info, err := entry.Info()
	if err != nil {
		return "", err
	}
	stat := info.Sys().(*syscall.Stat_t)
	text := fmt.Sprintf("%s, owner %d:%d", info.Mode(), stat.Uid, stat.Gid)
	if entry.Name() != "temporary" { // the command makes its own folder there, for a while
		text += ", " + info.ModTime().UTC().Format(time.RFC3339Nano)
	}
	switch {
	case info.Mode().IsRegular():
		content, err := os.ReadFile(path)
		if err != nil {
			return "", err
		}
		text += fmt.Sprintf(", %d links, %d bytes, content %.8x", stat.Nlink, len(content), sha256.Sum256(content))
	case info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		if err != nil {
			return "", err
		}
		text += ", to " + target
	}
	names := make([]byte, 4096)
	if n, err := unix.Llistxattr(path, names); err == nil {
		for _, name := range strings.Split(string(names[:n]), "\x00") {
			value := make([]byte, 4096)
			if n, err := unix.Lgetxattr(path, name, value); err == nil {
				text += fmt.Sprintf(", %s=%q", name, value[:n])
			}
		}
	}
	return text, nil
}

// changes returns how two snapshots differ.
func changes(before, after snapshot) (complaints []string) {
	for name, was := range before {
		if is, exists := after[name]; !exists {
			complaints = append(complaints, name+" is gone")
		} else if is != was {
			complaints = append(complaints, fmt.Sprintf("%s was %s, and is %s", name, was, is))
		}
	}
	for name, is := range after {
		if _, existed := before[name]; !existed {
			complaints = append(complaints, fmt.Sprintf("%q was made: %s", name, is))
		}
	}
	slices.Sort(complaints)
	return complaints
}

// success is what a function of an attack returns when the attack succeeds. Its source has the word in two parts.
const success = "ESC" + "APED"

// checkText complains about a text that the command printed: about secrets, about the word for success, and unless
// it is JSON about what a terminal or a build machine takes for commands.
func checkText(what, text string) (complaints []string) {
	for _, secret := range append(systemSecrets(), secretPrefix, unfinished, success) {
		if at := strings.Index(text, secret); at >= 0 {
			line, _, _ := strings.Cut(text[at:min(at+200, len(text))], "\n")
			complaints = append(complaints, fmt.Sprintf("%s has %q", what, line))
		}
	}
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimSuffix(line, "\n")
		if at := strings.IndexFunc(line, harmful); at >= 0 {
			complaints = append(complaints, fmt.Sprintf("%s has a raw sign in line %d: %.200q", what, number, line))
		}
		if order.MatchString(line) {
			complaints = append(complaints, fmt.Sprintf("%s has a command in line %d: %.200q", what, number, line))
		}
	}
	return complaints
}

// order is what build machines take for a command: two colons begin a line, the others are anywhere.
var order = regexp.MustCompile(`^\s*::|##(vso)?\[`)

// harmful reports whether a terminal does more with a character than to show it, or shows another order than
// there is.
func harmful(r rune) bool {
	return r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
}

// systemSecrets returns texts of the machine's own files that no report has.
func systemSecrets() (all []string) {
	for _, name := range []string{"/etc/passwd", "/etc/shadow", "/etc/machine-id"} {
		text, _ := os.ReadFile(name) // ordinary users can't read all of them
		if line, _, _ := strings.Cut(string(text), "\n"); line != "" {
			all = append(all, line)
		}
	}
	return all
}

// checkFolder complains about secrets in the files of a folder.
func checkFolder(folder string) (complaints []string, err error) {
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) || err == nil && !entry.Type().IsRegular() {
			return nil
		}
		if err != nil {
			return err
		}
		content, err := os.ReadFile(path)
		if at := strings.Index(string(content), secretPrefix); at >= 0 {
			complaints = append(complaints, fmt.Sprintf("%s has %q", path, content[at:min(at+40, len(content))]))
		}
		return err
	})
	return complaints, err
}
