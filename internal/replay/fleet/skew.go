package fleet

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Client and worker each say once why one has nothing done by the other, and by what it could have.

// goes says why a worker does no jobs of this kind, which has some; "" if it does.
func (k Kind) goes(other Kind) string {
	if other.Go == k.Go {
		return ""
	}
	if other.Go == "" {
		return "it only plays"
	}
	var differing []string
	here, there := settings(k.Settings), settings(other.Settings)
	for _, name := range sortedNames(here, there) {
		if here[name] != there[name] && name != VersionName {
			differing = append(differing, name)
		}
	}
	switch a, b := here[VersionName], there[VersionName]; {
	case a != b:
		return fmt.Sprintf("its go command is %s, and here it is %s", b, a)
	case len(differing) == 0:
		return "its go command has other settings"
	}
	return "its go command has another " + strings.Join(differing, ", ") + "; see go env"
}

// VersionName is the setting whose value is not only known as a hash.
const VersionName = "GOVERSION"

// settings takes Kind.Settings apart.
func settings(text string) map[string]string {
	list := map[string]string{}
	for _, one := range strings.Fields(text) {
		name, value, _ := strings.Cut(one, "=")
		list[name] = value
	}
	return list
}

func sortedNames(of ...map[string]string) (names []string) {
	for _, list := range of {
		for name := range list {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// greeted notes what a client says of itself.
func (w *Worker) greeted(data []byte) {
	var of Kind
	if json.Unmarshal(data, &of) != nil {
		return
	}
	of = of.printable()
	text := "has nothing done here: " + w.Kind.differs(of)
	if w.Kind.differs(of) == "" {
		if of.Go == "" || w.Kind.Go == "" || w.Kind.goes(of) == "" { // it has no jobs, or this worker wants none
			return
		}
		text = "has no whole pieces done here: " + w.Kind.goes(of)
	}
	w.mu.Lock()
	said := w.said[text] || len(w.said) == mostSaid
	w.said[text] = true
	w.mu.Unlock()
	if !said {
		w.Log("a comparison %s", text)
	}
}

// mostSaid is how many kinds of clients a worker names.
const mostSaid = 100
