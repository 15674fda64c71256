package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/cache"
)

func cacheCommand() command {
	return command{
		name:  "cache",
		args:  "[clear]",
		short: "what the cache holds; clear empties it",
		long: `The cache holds versions, drivers and module files, which later comparisons take
again, and the reports of series: spectradiff in the user's folder for caches, or the
folder that SPECTRADIFF_CACHE names, with an absolute path. After a comparison, but
once an hour at most unless the limit is exceeded, entries that were unused for 30
days are removed, then the least recently used, down to 2G, or to what
SPECTRADIFF_CACHE_SIZE says, as in 500M; 0 is no limit. What a running comparison uses
stays. clear removes all the rest. What is damaged there is made again. A folder that
others can write is not used.`,
		flags: func(s *settings) *flagSet {
			f := newFlags("cache")
			f.BoolVar(&s.verbose, "v", false, "list the entries")
			return f
		},
		run: showCache,
	}
}

func showCache(std streams, set *settings, args []string) (int, error) {
	clear := len(args) == 1 && args[0] == "clear"
	if len(args) > 0 && !clear {
		return 0, &usageError{"cache", errors.New("want clear, or nothing")}
	}
	where, err := cache.FromEnvironment(os.Getenv)
	if err != nil {
		return 0, err
	}
	store, err := cache.Open(where, nil)
	if err != nil {
		return 0, err
	}
	if clear {
		return exitOK, clearCache(std.out, set, store)
	}
	contents, err := store.Contents()
	if err != nil {
		return 0, err
	}
	text := cacheText(contents)
	if set.verbose && len(contents.Entries) > 0 {
		text += "\n" + entriesText(contents.Entries)
	}
	_, err = io.WriteString(std.out, text)
	return exitOK, written(err)
}

// cacheText describes a cache by kinds of entries.
func cacheText(c cache.Contents) string {
	var out strings.Builder
	limit := "no limit"
	if c.Limit > 0 {
		limit = "limit " + cache.SizeText(c.Limit)
	}
	fmt.Fprintf(&out, "folder  %s\n", c.Folder)
	fmt.Fprintf(&out, "size    %s, %s", cache.SizeText(cache.Total(c.Entries)), limit)
	if c.Age > 0 {
		fmt.Fprintf(&out, ", entries go after %d days without use", c.Age/(24*time.Hour))
	}
	fmt.Fprintf(&out, "\n\n%-15s  %7s  %7s  %s\n", "kind", "entries", "size", "oldest use")
	for _, kind := range cache.Kinds() {
		entries := slices.DeleteFunc(slices.Clone(c.Entries), func(e cache.Entry) bool { return e.Kind != kind })
		oldest := "-"
		if len(entries) > 0 {
			oldest = day(slices.MinFunc(entries, func(e, f cache.Entry) int { return e.Used.Compare(f.Used) }))
		}
		size := cache.SizeText(cache.Total(entries))
		fmt.Fprintf(&out, "%-15s  %7d  %7s  %s\n", kind.Title(), len(entries), size, oldest)
	}
	return out.String()
}

// entriesText returns a list of entries, one a line.
func entriesText(entries []cache.Entry) string {
	var out strings.Builder
	for _, e := range entries {
		line := fmt.Sprintf("%-15s  %7s  %s  %s", e.Kind.Title(), cache.SizeText(e.Size), day(e), e.Name)
		if e.InUse {
			line += "  in use"
		}
		out.WriteString(line + "\n")
	}
	return out.String()
}

func day(e cache.Entry) string { return e.Used.Format(time.DateOnly) }

// clearCache empties the cache and prints which entries were removed and which were not.
func clearCache(w io.Writer, set *settings, store *cache.Cache) error {
	gone, left, err := store.Clear()
	text := fmt.Sprintf("freed %s: %s\n", cache.SizeText(cache.Total(gone)), counted(gone))
	if set.verbose {
		text += entriesText(gone)
	}
	if len(left) > 0 {
		size := cache.SizeText(cache.Total(left))
		text += fmt.Sprintf("left %s, which a running comparison uses: %s\n", size, counted(left))
		if set.verbose {
			text += entriesText(left)
		}
	}
	if _, failed := io.WriteString(w, text); written(failed) != nil {
		return failed
	}
	if err != nil {
		return fmt.Errorf("clear the cache: %w", err)
	}
	return nil
}

// counted returns the number of entries of each kind, as a text.
func counted(entries []cache.Entry) string {
	var parts []string
	for _, kind := range cache.Kinds() {
		n := 0
		for _, e := range entries {
			if e.Kind == kind {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", kind.Title(), n))
		}
	}
	if len(parts) == 0 {
		return "nothing"
	}
	return strings.Join(parts, ", ")
}
