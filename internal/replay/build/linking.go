package build

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/fault"
)

// A Native is a package of the version that is not Go alone. A linker may find something of it twice in a program, or
// not at all.
type Native struct {
	Package string
	Main    bool
	Files   []string // which are not Go, or which cgo makes others of
	Users   []string // packages that a program can't have without it, it among them
}

const linking = "linking it with the others"

var (
	// exhausted matches what a linker prints when the machine is to blame.
	exhausted = regexp.MustCompile(`(?i)\bkilled\b|with signal|signal: |no space left|out of memory|` +
		`cannot allocate|exhausted|too many open`)

	// outer matches that of Go where the other one fails, which gets a line of its own with its flags.
	outer = regexp.MustCompile(`(?m)^.*link: running \S+ failed: .*\n.* -o .*\n`)

	// within matches where a linker found something, which need not be what it complains about.
	within = regexp.MustCompile("in function [`'‘\"]?[^`'’\":]*")

	// wanted matches the name of a library or symbol in a complaint: one in quotes, or behind a colon.
	wanted = regexp.MustCompile("(-l[\\w.+-]+)|[`'‘\"]_?(\\w+)['’\"]|(?:symbol|library):? _?(\\w+)\\b")

	// temporary matches the name of a folder that is another one each time.
	temporary = regexp.MustCompile(`[^\s:;]*go-link-\d+/`)
)

// unlinked returns the packages with files of ours that linkers complain about: those that they name, else those that
// need a package which mentions what they name. If it is not clear whose it is, it may be that of any package that is
// not Go alone. Commands come first: they are the ones that nobody meant to be in one program with others.
func (r *Request) unlinked(output string) fault.List {
	text, ok := r.complaints(output)
	if !ok {
		return nil
	}
	if list := r.named(text); len(list) > 0 {
		return list
	}
	var guilty []Native
	reasons := map[string]string{}
	for line := range strings.Lines(text) {
		for _, name := range wanted.FindAllStringSubmatch(within.ReplaceAllString(line, ""), -1) {
			for _, native := range r.Natives {
				if reasons[native.Package] == "" && native.mentions(name[1]+name[2]+name[3]) {
					guilty, reasons[native.Package] = append(guilty, native), strings.TrimSpace(line)
				}
			}
		}
	}
	if len(guilty) == 0 && outer.MatchString(output) {
		guilty = r.Natives
	}
	if slices.ContainsFunc(guilty, func(n Native) bool { return n.Main && len(r.using(n)) > 0 }) {
		guilty = slices.DeleteFunc(slices.Clone(guilty), func(n Native) bool { return !n.Main })
	}
	return r.withUsers(guilty, reasons, firstLines(text, 1))
}

// complaints returns what linkers printed about the driver, without what is other each time. It reports false if
// something else failed, or the machine is to blame.
func (r *Request) complaints(output string) (text string, ok bool) {
	for line := range strings.Lines(outer.ReplaceAllString(output, "")) {
		if path, header := strings.CutPrefix(strings.TrimSpace(line), "# "); header {
			if ok = path == r.Package; !ok {
				return "", false
			}
			continue
		}
		if strings.Contains(line, driverFolder+"/") && place.MatchString(line) {
			return "", false
		}
		text += temporary.ReplaceAllString(line, "")
	}
	return text, ok && !exhausted.MatchString(text)
}

// named returns the packages with files of ours that are named in what a linker printed, each with the first line.
func (r *Request) named(text string) (list fault.List) {
	for _, path := range slices.Sorted(maps.Keys(r.Parts)) {
		at := regexp.MustCompile(`(?m)^(?:.*[\s"'(,])?` + regexp.QuoteMeta(path) + `(?:[.\s"'),:].*)?$`)
		if line := at.FindString(text); line != "" {
			list = append(list, &fault.Fault{Package: path, Step: linking, Reason: unlinkedBy(line)})
		}
	}
	return list
}

func unlinkedBy(line string) string {
	return "it can't be linked with the others: " + strings.TrimSpace(line)
}

// mentions reports whether a file of the package has a name in its text.
func (n Native) mentions(name string) bool {
	at := regexp.MustCompile(`(?:^|\W)` + regexp.QuoteMeta(name) + `(?:\W|$)`)
	return slices.ContainsFunc(n.Files, func(file string) bool {
		text, err := os.ReadFile(file)
		return err == nil && at.Match(text)
	})
}

// using lists the packages with files of ours that a program can't have without a package.
func (r *Request) using(n Native) []string {
	return slices.DeleteFunc(slices.Clone(n.Users), func(path string) bool { return r.Parts[path] == "" })
}

// withUsers returns the faults of packages, and of those that can't be linked without them.
func (r *Request) withUsers(guilty []Native, reasons map[string]string, otherwise string) (list fault.List) {
	seen := map[string]bool{}
	for _, n := range guilty {
		line := cmp.Or(reasons[n.Package], otherwise)
		for _, user := range r.using(n) {
			if seen[user] {
				continue
			}
			seen[user] = true
			reason := unlinkedBy(line)
			if user != n.Package {
				reason = fmt.Sprintf("it needs %s, which can't be linked with the others: %s", n.Package, line)
			}
			list = append(list, &fault.Fault{Package: user, Step: linking, Reason: reason})
		}
	}
	return list
}
