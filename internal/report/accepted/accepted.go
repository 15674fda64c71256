// Package accepted reads and writes the list of accepted roots that a repository keeps, and applies it to a report.
//
// In: the content of the list's file, a report. Out: entries, sorted by fingerprint, one for each; the report with its
// roots marked and the verdict that is left; the content of the file. It is a JSON array with one entry a line, so that
// branches which accept different roots merge. What was read and is written leads to the same entries, and written
// twice to the same bytes. Fields of an entry that this version does not know survive: a later version wrote them, and
// an older one that adds an entry must not drop what others decided. A file that is damaged is refused, with the line
// and what to do. The package never reads a file or a clock.
package accepted

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
)

// File is where a repository keeps the list, relative to its root.
const File = ".spectradiff/accepted.json"

// An Entry says that a root is accepted.
type Entry struct {
	Fingerprint string
	Function    string
	Tier        string // "" = not known
	Reason      string
	Author      string // "" = not known
	Date        string // 2006-01-02; "" = not known

	more map[string]json.RawMessage // fields that this version does not know, without spaces
}

// A List is a list of entries, sorted by fingerprint, of which it has each once.
type List []Entry

// Find returns the entry of a fingerprint, or nil if there is none.
func (l List) Find(fingerprint string) *Entry {
	i, found := slices.BinarySearchFunc(l, fingerprint, func(e Entry, wanted string) int {
		return cmp.Compare(e.Fingerprint, wanted)
	})
	if !found {
		return nil
	}
	return &l[i]
}

// With returns the list with further entries. One of a fingerprint that is there takes the place of that; fields that
// this version does not know stay.
func (l List) With(entries ...Entry) List {
	of := make(map[string]Entry, len(l)+len(entries))
	for _, e := range l {
		of[e.Fingerprint] = e
	}
	for _, e := range entries {
		if before, ok := of[e.Fingerprint]; ok && e.more == nil {
			e.more = before.more
		}
		of[e.Fingerprint] = e
	}
	return sorted(of)
}

// Without returns the list without some fingerprints.
func (l List) Without(fingerprints ...string) List {
	of := make(map[string]Entry, len(l))
	for _, e := range l {
		of[e.Fingerprint] = e
	}
	for _, f := range fingerprints {
		delete(of, f)
	}
	return sorted(of)
}

func sorted(of map[string]Entry) List {
	list := make(List, 0, len(of))
	for _, f := range slices.Sorted(maps.Keys(of)) {
		list = append(list, of[f])
	}
	return list
}

// Of returns the entry for a root.
func Of(root *report.Root, how report.Acceptance) Entry {
	return Entry{
		Fingerprint: root.Fingerprint, Function: root.Function, Tier: string(root.Tier),
		Reason: how.Reason, Author: how.Author, Date: how.Date,
	}
}

// Acceptance returns what a report says of the entry.
func (e *Entry) Acceptance() report.Acceptance {
	return report.Acceptance{Reason: e.Reason, Author: e.Author, Date: e.Date}
}

// Stale returns the entries whose function the comparison ran and whose root it did not show. Of all others nothing can
// be said: the list is for every comparison of the repository, and each sees its own changes only.
func Stale(r *report.Report, list List) List {
	shown, ran := map[string]bool{}, r.Ran()
	for i := range r.Roots {
		shown[r.Roots[i].Fingerprint] = true
	}
	stale := List{}
	for _, e := range list {
		if ran[e.Function] && !shown[e.Fingerprint] {
			stale = append(stale, e)
		}
	}
	return stale
}

// Apply marks the roots of a report that the list accepts, and decides its verdict anew. The report names the stale
// entries, which Apply returns.
func Apply(r *report.Report, list List) (List, error) {
	of := make(map[string]report.Acceptance, len(list))
	for i := range list {
		of[list[i].Fingerprint] = list[i].Acceptance()
	}
	var unseen []report.Stale
	stale := Stale(r, list)
	for i := range stale {
		e := &stale[i]
		unseen = append(unseen, report.Stale{
			Fingerprint: e.Fingerprint, Function: e.Function, Acceptance: e.Acceptance(),
		})
	}
	if err := r.Accept(of, unseen); err != nil {
		return nil, fmt.Errorf("apply accepted findings: %w", err)
	}
	return stale, nil
}

// Write returns the content of the file.
func Write(list List) ([]byte, error) {
	var out bytes.Buffer
	out.WriteString("[")
	for i := range list {
		line, err := list[i].line()
		if err != nil {
			return nil, fmt.Errorf("write accepted findings: entry %d: %w", i+1, err)
		}
		if i > 0 {
			out.WriteString(",")
		}
		out.WriteString("\n" + line)
	}
	out.WriteString("\n]\n")
	return out.Bytes(), nil
}

// line returns the line of an entry, without a comma. The fields that this version does not know come last, sorted.
func (e *Entry) line() (string, error) {
	if err := e.Check(); err != nil {
		return "", err
	}
	var parts []string
	for _, field := range e.fields() {
		if *field.value != "" {
			parts = append(parts, quoted(field.name)+": "+quoted(*field.value))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(e.more)) {
		parts = append(parts, quoted(name)+": "+string(e.more[name]))
	}
	return "{" + strings.Join(parts, ", ") + "}", nil
}

// A field is one that this version knows.
type field struct {
	name  string
	value *string
}

// fields returns the fields in the order in which they are written.
func (e *Entry) fields() []field {
	return []field{
		{"fingerprint", &e.Fingerprint}, {"function", &e.Function}, {"tier", &e.Tier}, {"reason", &e.Reason},
		{"author", &e.Author}, {"date", &e.Date},
	}
}

// quoted returns a text as JSON, with <, > and & as they are.
func quoted(text string) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a text always has a JSON form
	return strings.TrimSuffix(out.String(), "\n")
}
