// Package tags finds the releases of a module among the tags of a repository.
//
// In: the names of tags, the first and the last release as the user named them, and the folder of the module that he is
// in. Out: the tags of these and of the releases in between, in the order of semantic versions, each version once. A
// tag of a release is v and a version, as in v1.2.0, behind the folder of its module if that is not the repository's
// root, as in lib/v1.2.0. The order is that of versions, not of commits: a release of an older branch, which the newer
// ones do not contain, stands at its place. Nothing but the names is looked at.
package tags

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"
)

// A Range asks for the releases from First to Last.
type Range struct {
	First, Last string
	Folder      string // of the module in the repository; "." = its root
	Pre         bool   // versions before a release count, too, such as v1.2.0-rc.1
}

// Of returns the tags of the releases in a range, at least two.
func (r Range) Of(tags []string) ([]string, error) {
	prefix := prefixOf(r.Folder)
	first, last := r.tag(tags, r.First, prefix), r.tag(tags, r.Last, prefix)
	if dir, _ := path.Split(first); semver.IsValid(strings.TrimPrefix(first, dir)) {
		prefix = dir
	}
	for _, end := range []string{first, last} {
		version, of := strings.CutPrefix(end, prefix)
		if !of || !semver.IsValid(version) || !slices.Contains(tags, end) {
			const text = "%s..%s: %s is no tag of a release%s; other revisions can be listed one by one, as in %s %s"
			return nil, fmt.Errorf(text, r.First, r.Last, end, near(tags, prefix, end), first, last)
		}
	}
	from, to := strings.TrimPrefix(first, prefix), strings.TrimPrefix(last, prefix)
	if semver.Compare(from, to) >= 0 {
		return nil, fmt.Errorf("%s..%s: %s is not older than %s; write the older release first, and another one last",
			r.First, r.Last, first, last)
	}
	return r.between(tags, prefix, from, to), nil
}

// between returns the tags with a prefix whose versions lie between two, and those of these themselves.
func (r Range) between(tags []string, prefix, from, to string) []string {
	var list []string
	for _, version := range versionsOf(tags, prefix) {
		switch {
		case version == from || version == to:
		case semver.Compare(version, from) <= 0 || semver.Compare(version, to) >= 0:
			continue
		case semver.Prerelease(version) != "" && !r.Pre:
			continue
		}
		if n := len(list); n > 0 && semver.Compare(version, list[n-1]) == 0 { // v1.2 beside v1.2.0
			continue
		}
		list = append(list, version)
	}
	for i := range list {
		list[i] = prefix + list[i]
	}
	return list
}

// prefixOf returns what stands before the versions in the tags of the module in a folder. A folder that is named after
// a major version is no part of it.
func prefixOf(folder string) string {
	if _, major, ok := module.SplitPathVersion("m/" + folder); ok && major != "" {
		folder = path.Dir(folder)
	}
	if folder == "." || folder == "" {
		return ""
	}
	return folder + "/"
}

// tag returns the tag that a name stands for: of the module that the user is in, else as it is.
func (r Range) tag(tags []string, name, prefix string) string {
	if slices.Contains(tags, prefix+name) {
		return prefix + name
	}
	return name
}

// versionsOf lists the versions of the tags with a prefix, the oldest first. Of two that are the same, the one that is
// written in full comes first.
func versionsOf(tags []string, prefix string) []string {
	var versions []string
	for _, tag := range tags {
		if version, of := strings.CutPrefix(tag, prefix); of && semver.IsValid(version) {
			versions = append(versions, version)
		}
	}
	slices.SortFunc(versions, func(x, y string) int {
		return cmp.Or(semver.Compare(x, y), cmp.Compare(len(y), len(x)), cmp.Compare(x, y))
	})
	return versions
}

// maxNear is how many tags an error names.
const maxNear = 5

// near names the tags of releases that come next to a name.
func near(tags []string, prefix, name string) string {
	versions := versionsOf(tags, prefix)
	if len(versions) == 0 {
		return ", and there are no tags such as " + prefix + "v1.2.0"
	}
	at := len(versions)
	if version := strings.TrimPrefix(name, prefix); semver.IsValid(version) {
		at, _ = slices.BinarySearchFunc(versions, version, semver.Compare)
	}
	from := max(min(at-maxNear/2, len(versions)-maxNear), 0)
	var names []string
	for _, version := range versions[from:min(from+maxNear, len(versions))] {
		names = append(names, prefix+version)
	}
	return "; tags near it: " + strings.Join(names, ", ")
}
