package generate

import (
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/generate/value"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// routedShare is the share of variants that ask for another route, if there are some.
const routedShare = 0.15

// routed gives one of the paths among some arguments, and the method near it, those of a route, by chance: one without
// the other leads nowhere. It reports whether it did.
func (g *generator) routed(args []sequence.Value) bool {
	if len(g.in.Routes) == 0 || !g.random.Chance(routedShare) {
		return false
	}
	var paths []int
	for i, v := range args {
		if _, path := cutPath(v); path != "" {
			paths = append(paths, i)
		}
	}
	if len(paths) == 0 {
		return false
	}
	at, route := value.Pick(g.random, paths), value.Pick(g.random, g.in.Routes)
	server, _ := cutPath(args[at])
	args[at].Text = server + route.Path
	method := -1
	for i := max(at-nearest, 0); i < min(at+nearest+1, len(args)); i++ {
		if slices.Contains(api.Methods, args[i].Text) && (method < 0 || i <= at) {
			method = i // the last one before the path, else the first one behind it
		}
	}
	if method >= 0 && route.Method != "" {
		args[method].Text = route.Method
	}
	return true
}

// cutPath cuts a text that is a path, or the address of one on a server, before the path; "": it is none.
func cutPath(v sequence.Value) (server, path string) {
	if v.Kind != sequence.String {
		return "", ""
	}
	rest := v.Text
	if scheme, after, ok := strings.Cut(rest, "://"); ok && strings.HasPrefix(scheme, "http") {
		slash := strings.IndexByte(after, '/')
		if slash < 0 {
			return rest, "/"
		}
		server, rest = scheme+"://"+after[:slash], after[slash:]
	}
	if !strings.HasPrefix(rest, "/") {
		return "", ""
	}
	return server, rest
}
