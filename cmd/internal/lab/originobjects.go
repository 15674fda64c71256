package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// objects reads what names stand for in a repository, such as HASH or HASH:FILE; "" = there is no such thing. Contents
// that are the same are read once.
func objects(ctx context.Context, dir string, names []string) ([]string, error) {
	out, err := gitInput(ctx, dir, strings.NewReader(strings.Join(names, "\n")+"\n"),
		"cat-file", "--batch-check=%(objectname)")
	if err != nil {
		return nil, err
	}
	ids := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(ids) != len(names) {
		return nil, fmt.Errorf("git knows %d of %d objects", len(ids), len(names))
	}
	contents, err := contentsOf(ctx, dir, ids)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(names))
	for i, id := range ids {
		texts[i] = contents[id]
	}
	return texts, nil
}

// contentsOf reads objects, each once. What is no object is left out.
func contentsOf(ctx context.Context, dir string, ids []string) (map[string]string, error) {
	contents := map[string]string{}
	var ask strings.Builder
	for _, id := range ids {
		if _, known := contents[id]; !known && !strings.Contains(id, " ") { // "NAME missing"
			contents[id] = ""
			fmt.Fprintln(&ask, id)
		}
	}
	out, err := gitInput(ctx, dir, strings.NewReader(ask.String()), "cat-file", "--batch=%(objectname) %(objectsize)")
	if err != nil {
		return nil, err
	}
	for out != "" {
		head, rest, _ := strings.Cut(out, "\n")
		id, about, _ := strings.Cut(head, " ")
		size, err := strconv.Atoi(about)
		if err != nil { // it is missing: not everything was cloned
			out = rest
			continue
		}
		contents[id], out = rest[:size], rest[size+1:]
	}
	return contents, nil
}

// A cloneState is what a run must leave as it is.
type cloneState struct{ head, refs, index, status string }

// stateOf reads the state of a clone, without letting git write its index anew.
func stateOf(ctx context.Context, clone string) (s cloneState, err error) {
	head, err := os.ReadFile(filepath.Join(clone, ".git", "HEAD"))
	if err != nil {
		return s, err
	}
	index, err := os.ReadFile(filepath.Join(clone, ".git", "index"))
	if err != nil && !os.IsNotExist(err) {
		return s, err
	}
	sum := sha256.Sum256(index)
	s.head, s.index = string(head), hex.EncodeToString(sum[:])
	if s.refs, err = gitOutput(ctx, clone, "for-each-ref"); err != nil {
		return s, err
	}
	s.status, err = gitOutput(ctx, clone, "--no-optional-locks", "status", "--porcelain", "--ignored")
	return s, err
}

// differing names what is not the same in two states.
func (s cloneState) differing(from cloneState) (parts []string) {
	for _, part := range []struct{ name, was, is string }{
		{"HEAD", s.head, from.head}, {"refs", s.refs, from.refs}, {"index", s.index, from.index},
		{"working tree", s.status, from.status},
	} {
		if part.was != part.is {
			parts = append(parts, part.name)
		}
	}
	return parts
}
