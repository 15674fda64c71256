package origins

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Commit is one of a history.
type Commit struct {
	Hash, Tree        string
	Author, Committer string // name, address and time, as the commit has them
	Encoding          string // of the message; "": UTF-8
	Message           string

	// Files are the contents of files in which faults may be seeded. A file that the commit does not have is not here.
	Files map[string]string
}

// ParseCommit reads a commit as git keeps it.
func ParseCommit(hash, raw string) (Commit, error) {
	c := Commit{Hash: hash}
	head, message, _ := strings.Cut(raw, "\n\n")
	c.Message = message
	for line := range strings.SplitSeq(head, "\n") {
		switch key, value, _ := strings.Cut(line, " "); key {
		case "tree":
			c.Tree = value
		case "author":
			c.Author = value
		case "committer":
			c.Committer = value
		case "encoding":
			c.Encoding = value
		}
	}
	if c.Tree == "" || c.Author == "" || c.Committer == "" {
		return c, fmt.Errorf("commit %s has no tree, author or committer", hash)
	}
	return c, nil
}

// verbatim reports whether a commit has the text of a function, once.
func (c Commit) verbatim(f Function) bool { return strings.Count(c.Files[f.File], f.Text) == 1 }

// A Seed is a fault that comes with a commit of its own, right behind the commit of that index.
type Seed struct {
	Fault
	After int
	Mode  string // of the fault's file, as git writes it: 100644
}

// Subject is what the commit of a seed says of itself.
func (s Seed) Subject() string { return "refactor: simplify " + s.Name }

// A History is a line of commits on top of another one, with faults among them.
type History struct {
	Base    Commit // the one below
	Commits []Commit
	Seeds   []Seed
}

// Verbatim reports whether all commits, the one below among them, have the text of a function, once.
func (h History) Verbatim(f Function) bool {
	return h.Base.verbatim(f) && !slices.ContainsFunc(h.Commits, func(c Commit) bool { return !c.verbatim(f) })
}

// Stream writes a history for git fast-import, as a branch. It returns the marks of the seeds' commits, in their order.
// The repository has the trees of all commits.
func (h History) Stream(to io.Writer, branch string) (marks []int, err error) {
	if len(h.Commits) == 0 {
		return nil, errors.New("stream a history: it has no commits")
	}
	s := &stream{Writer: bufio.NewWriter(to), branch: branch, blobs: map[string]int{}}
	s.before = h.Base.Hash
	marks = make([]int, len(h.Seeds))
	var active []Seed
	for i, c := range h.Commits {
		s.commit(c, "M 040000 "+c.Tree+" \"\"\n"+s.files(c, active))
		for k, seed := range h.Seeds {
			if seed.After != i {
				continue
			}
			active = append(active, seed)
			own := c // somebody's who worked on it at that time
			own.Message, own.Encoding = seed.Subject()+"\n", ""
			s.commit(own, s.files(c, active))
			marks[k] = s.mark
		}
	}
	if slices.Contains(marks, 0) {
		return nil, errors.New("stream a history: a seed is behind its end")
	}
	return marks, s.Flush()
}

// A stream writes commands of git fast-import. What goes wrong shows when it is flushed.
type stream struct {
	*bufio.Writer
	branch string
	before string // what the next commit is made on
	mark   int    // the last one that was given
	blobs  map[string]int
}

// files writes the contents of the files with faults, and returns the commands that put them into a commit.
func (s *stream) files(c Commit, faults []Seed) string {
	var commands strings.Builder
	written := map[string]bool{}
	for _, f := range faults {
		if _, there := c.Files[f.File]; !there || written[f.File] {
			continue
		}
		written[f.File] = true
		fmt.Fprintf(&commands, "M %s :%d %s\n", f.Mode, s.blob(faulty(c, f.File, faults)), f.File)
	}
	return commands.String()
}

// faulty returns a file of a commit with the faults that lie in it.
func faulty(c Commit, file string, faults []Seed) string {
	text := c.Files[file]
	for _, f := range faults {
		if f.File == file && c.verbatim(f.Function) {
			text = strings.Replace(text, f.Text, f.Faulty, 1)
		}
	}
	return text
}

// blob writes a content, once, and returns its mark.
func (s *stream) blob(text string) int {
	if s.blobs[text] == 0 {
		s.mark++
		s.blobs[text] = s.mark
		fmt.Fprintf(s, "blob\nmark :%d\ndata %d\n%s\n", s.mark, len(text), text)
	}
	return s.blobs[text]
}

// commit writes a commit on top of the one before.
func (s *stream) commit(c Commit, files string) {
	s.mark++
	fmt.Fprintf(s, "commit refs/heads/%s\nmark :%d\nauthor %s\ncommitter %s\n", s.branch, s.mark, c.Author, c.Committer)
	if c.Encoding != "" {
		fmt.Fprintf(s, "encoding %s\n", c.Encoding)
	}
	fmt.Fprintf(s, "data %d\n%s\nfrom %s\n%s\n", len(c.Message), c.Message, s.before, files)
	s.before = fmt.Sprint(":", s.mark)
}
