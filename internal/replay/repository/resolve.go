package repository

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// minAbbreviation is the minimum number of digits of a hash, as in git.
const minAbbreviation = 4

// Worktree returns the working tree as a version.
func (r *Repository) Worktree() Commit {
	return Commit{Revision: worktree, Hash: worktree, Worktree: true}
}

// Resolve finds the commit of a revision, as gitrevisions(7) describes it. The resolver of go-git is not used: it
// prefers short hashes to references, reads HEAD^3 as HEAD^2, and does not know @{…}.
func (r *Repository) Resolve(revision string) (Commit, error) {
	read := r.objects.reader()
	defer read.close()
	s := resolver{r, read}
	h, err := s.revision(revision)
	if err == nil {
		h, err = s.peel(h, plumbing.CommitObject)
	}
	if err != nil {
		return Commit{}, fmt.Errorf("resolve revision %q: %w", revision, r.advise(revision, err))
	}
	c, err := read.commit(h)
	return Commit{Revision: revision, Hash: h.String(), Time: c.time}, err
}

// unknownRevision is the error for a name that nothing has.
type unknownRevision struct{ name string }

func (e *unknownRevision) Error() string {
	return fmt.Sprintf("no branch, tag or commit is called %q", e.name)
}

type resolver struct {
	*Repository
	read *reader
}

// revision resolves a revision with its suffixes. As in git, the text before the last ^, ~ or ^{…} is a revision
// itself.
func (s resolver) revision(text string) (hash, error) {
	if strings.HasPrefix(text, ":/") {
		return s.searchAll(text[2:])
	}
	if base, sign, n, ok := cutParent(text); ok {
		return s.relative(base, sign, n)
	}
	if at := strings.LastIndex(text, "^{"); at >= 0 && strings.HasSuffix(text, "}") {
		return s.braces(text[:at], text[at+2:len(text)-1])
	}
	for _, suffix := range []string{"^@", "^!", "^-"} {
		if strings.HasSuffix(text, suffix) {
			return hash{}, fmt.Errorf("%q names several commits; name one", text)
		}
	}
	return s.name(text)
}

// cutParent splits "base~3" or "base^2".
func cutParent(text string) (base string, sign byte, n int, ok bool) {
	head := strings.TrimRight(text, "0123456789")
	if head == "" || head[len(head)-1] != '~' && head[len(head)-1] != '^' {
		return "", 0, 0, false
	}
	n = 1
	if digits := text[len(head):]; digits != "" {
		var err error
		if n, err = strconv.Atoi(digits); err != nil {
			return "", 0, 0, false
		}
	}
	return head[:len(head)-1], head[len(head)-1], n, true
}

func (s resolver) relative(base string, sign byte, n int) (hash, error) {
	h, err := s.revision(base)
	if err != nil {
		return hash{}, err
	}
	if h, err = s.peel(h, plumbing.CommitObject); err != nil || n == 0 {
		return h, err
	}
	steps, parent := n, 1
	if sign == '^' {
		steps, parent = 1, n
	}
	for range steps {
		c, err := s.read.commit(h)
		if err != nil {
			return hash{}, err
		}
		if s.shallow[h] {
			return hash{}, &shallowEnd{h}
		}
		if parent > len(c.parents) {
			return hash{}, fmt.Errorf("commit %.12s has %d parents, not %d", h, len(c.parents), parent)
		}
		h = c.parents[parent-1]
	}
	return h, nil
}

// braces resolves base^{inner}.
func (s resolver) braces(base, inner string) (hash, error) {
	h, err := s.revision(base)
	if err != nil {
		return hash{}, err
	}
	kinds := map[string]plumbing.ObjectType{
		"":       plumbing.AnyObject,
		"commit": plumbing.CommitObject,
		"tree":   plumbing.TreeObject,
		"blob":   plumbing.BlobObject,
	}
	if pattern, ok := strings.CutPrefix(inner, "/"); ok {
		if h, err = s.peel(h, plumbing.CommitObject); err != nil {
			return hash{}, err
		}
		return s.search([]hash{h}, pattern)
	}
	if inner == "object" || inner == "tag" {
		_, err := s.read.object(h)
		return h, err
	}
	kind, ok := kinds[inner]
	if !ok {
		return hash{}, fmt.Errorf("unknown object type %q in ^{%s}; git knows commit, tree, blob, tag, object",
			inner, inner)
	}
	return s.peel(h, kind)
}

// peel follows annotated tags to an object of the wanted type. For a tree it takes the tree of a commit.
func (s resolver) peel(h hash, want plumbing.ObjectType) (hash, error) {
	for {
		obj, err := s.read.object(h)
		if err != nil {
			return hash{}, err
		}
		switch kind := obj.Type(); {
		case kind == plumbing.TagObject:
			_, data, err := s.read.content(h)
			if err != nil {
				return hash{}, err
			}
			if h, err = tagTarget(data); err != nil {
				return hash{}, err
			}
		case kind == want || want == plumbing.AnyObject:
			return h, nil
		case kind == plumbing.CommitObject && want == plumbing.TreeObject:
			c, err := s.read.commit(h)
			return c.tree, err
		default:
			return hash{}, fmt.Errorf("%.12s is a %s, not a %s; name a commit", h, kind, want)
		}
	}
}

// name resolves a revision without suffixes. Full hashes take precedence over references, and references over
// short hashes.
func (s resolver) name(text string) (hash, error) {
	if plumbing.IsHash(text) {
		return plumbing.NewHash(text), nil
	}
	if at := strings.Index(text, "@{"); at >= 0 && strings.HasSuffix(text, "}") {
		return s.at(text[:at], text[at+2:len(text)-1])
	}
	if text == "@" {
		text = "HEAD"
	}
	if h, _, ok := s.expand(text); ok {
		return h, nil
	}
	if text == "HEAD" && s.branch() != "" {
		return hash{}, fmt.Errorf("branch %s has no commit yet; commit first", s.branch())
	}
	if rev, path, ok := strings.Cut(text, ":"); ok {
		return hash{}, fmt.Errorf("it names the file or folder %q of %q; name a commit", path, rev)
	}
	digits := text
	if at := strings.LastIndex(text, "-g"); at > 0 {
		digits = text[at+2:] // git describe's form: v1.2-3-gabcdef
	}
	if len(digits) >= minAbbreviation && len(digits) < 40 && strings.Trim(digits, "0123456789abcdefABCDEF") == "" {
		return s.abbreviated(text, strings.ToLower(digits))
	}
	return hash{}, &unknownRevision{text}
}

// expand looks up a short reference name in the same places and in the same order as git.
func (s resolver) expand(short string) (h hash, full string, ok bool) {
	rules := []string{"%s", "refs/%s", "refs/tags/%s", "refs/heads/%s", "refs/remotes/%s", "refs/remotes/%s/HEAD"}
	for _, rule := range rules {
		name := fmt.Sprintf(rule, short)
		if h, _, ok := s.ref(name); ok {
			return h, name, true
		}
	}
	return hash{}, "", false
}

// abbreviated finds the only commit whose hash starts with the digits. Trees and blobs are ignored.
func (s resolver) abbreviated(text, digits string) (hash, error) {
	var commits []hash
	for _, h := range s.objects.withPrefix(digits) {
		if _, err := s.peel(h, plumbing.CommitObject); err == nil {
			commits = append(commits, h)
		}
	}
	switch len(commits) {
	case 0:
		return hash{}, &unknownRevision{text}
	case 1:
		return commits[0], nil
	}
	var list []string
	for _, h := range commits {
		list = append(list, h.String())
	}
	return hash{}, fmt.Errorf("the abbreviation is ambiguous; write one of %s", strings.Join(list, ", "))
}

var checkoutMessage = regexp.MustCompile(`^checkout: moving from (\S+) to `)

// at resolves base@{inner}.
func (s resolver) at(base, inner string) (hash, error) {
	n, err := strconv.Atoi(inner)
	switch {
	case err == nil && n < 0 && base == "":
		return s.previous(-n)
	case err == nil && n >= 0:
		return s.logged(base, n)
	case inner == "u" || inner == "upstream" || inner == "push":
		return s.upstream(base)
	}
	return hash{}, fmt.Errorf("@{%s} is not supported; use a number, @{upstream} or a hash", inner)
}

// previous resolves @{-n}: the branch that was checked out n checkouts ago.
func (s resolver) previous(n int) (hash, error) {
	log := s.log("HEAD")
	for i := len(log) - 1; i >= 0; i-- {
		found := checkoutMessage.FindStringSubmatch(log[i].message)
		if found == nil {
			continue
		}
		if n--; n == 0 {
			return s.name(found[1])
		}
	}
	return hash{}, fmt.Errorf("the log of HEAD has fewer than %d checkouts", n)
}

// fullName returns the reference that a base before @{…} names. An empty base is the current branch.
func (s resolver) fullName(base string) (string, error) {
	if base == "" || base == "@" {
		if _, end, ok := s.ref("HEAD"); ok && base == "" {
			return end, nil
		}
		return "HEAD", nil
	}
	_, full, ok := s.expand(base)
	if !ok {
		return "", &unknownRevision{base}
	}
	return full, nil
}

func (s resolver) logged(base string, n int) (hash, error) {
	name, err := s.fullName(base)
	if err != nil {
		return hash{}, err
	}
	log := s.log(name)
	switch {
	case n < len(log):
		return log[len(log)-1-n].new, nil
	case n == len(log) && n > 0 && !log[0].old.IsZero():
		return log[0].old, nil
	case n == 0:
		h, _, _ := s.ref(name)
		return h, nil
	}
	return hash{}, fmt.Errorf("the log of %s has only %d entries", name, len(log))
}

// upstream resolves base@{upstream}. It also resolves @{push} in the usual case that both are the same.
func (s resolver) upstream(base string) (hash, error) {
	name, err := s.fullName(base)
	if err != nil {
		return hash{}, err
	}
	if name == "HEAD" {
		_, name, _ = s.ref("HEAD")
	}
	branch := strings.TrimPrefix(name, "refs/heads/")
	merge := s.config.Setting("branch", branch, "merge")
	remote := s.config.Setting("branch", branch, "remote")
	if merge == "" || remote == "" {
		return hash{}, fmt.Errorf("branch %s has no upstream; "+
			"set one with `git branch --set-upstream-to=origin/NAME`", branch)
	}
	if remote != "." {
		merge = "refs/remotes/" + remote + "/" + strings.TrimPrefix(merge, "refs/heads/")
	}
	h, _, ok := s.ref(merge)
	if !ok {
		return hash{}, fmt.Errorf("%s is not here; run `git fetch %s`", merge, remote)
	}
	return h, nil
}
