package instrument

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// itself stands for the text that a reader is given, in the samples of what makes a difference to it.
const itself = "\x01"

// readers are functions of the standard library that read an argument, a text, in a way of their own, with texts that
// they read in different ways. It is the first one but for those of readsOther.
var readers = map[string][]string{
	"path.Base":               paths,
	"path.Dir":                paths,
	"path.Ext":                paths,
	"path.Clean":              paths,
	"path.IsAbs":              paths,
	"path/filepath.Base":      paths,
	"path/filepath.Dir":       paths,
	"path/filepath.Ext":       paths,
	"path/filepath.Clean":     paths,
	"path/filepath.IsAbs":     paths,
	"path/filepath.ToSlash":   paths,
	"path/filepath.IsLocal":   leaving,
	"path/filepath.Rel":       leaving,
	"path/filepath.Join":      leaving,
	"path.Join":               leaving,
	"os.OpenInRoot":           leaving,
	"strings.TrimSpace":       spaces,
	"strings.Fields":          spaces,
	"strings.ToLower":         {"X" + itself, itself + "É"},
	"strings.ToUpper":         {"x" + itself, itself + "é"},
	"strconv.Atoi":            numbers,
	"strconv.ParseInt":        numbers,
	"strconv.ParseUint":       numbers,
	"strconv.ParseFloat":      numbers,
	"strconv.ParseBool":       {"true", "false", "1", "x"},
	"strconv.Unquote":         {`"` + itself + `"`, "`" + itself + "`", `"\n"`, `"`},
	"net.ParseIP":             {"8.8.8.8", "::1", "x"},
	"net.ParseCIDR":           {"10.0.0.0/8", "::1/64", "x"},
	"net.SplitHostPort":       {itself + ":80", "[::1]:80", "8.8.8.8", "::1"},
	"net/url.Parse":           urls,
	"net/url.ParseRequestURI": urls,
	"net/url.ParseQuery":      {"a=1&b=2&a=3", "a;b", "%zz", itself + "&" + itself},
	"net/url.QueryUnescape":   escapes,
	"net/url.PathUnescape":    escapes,
	"html.UnescapeString":     {"&lt;" + itself, "&#65;"},
	"time.ParseDuration":      {"1s", "-1h", "1", "0"},
	"mime.ParseMediaType":     {itself + "; charset=utf-8", "text/html", "x/"},
}

// readsOther says which argument is read where that is not the first one, by its number or, below 0, from the end.
var readsOther = map[string]int{"path/filepath.Rel": 1, "path/filepath.Join": -1, "path.Join": -1, "os.OpenInRoot": 1}

var (
	leaving = []string{"../" + itself, "/" + itself, "..", ".", itself + "/../../x"}
	paths   = []string{"/" + itself, "x/" + itself, itself + "/", itself + ".x", "../" + itself, "a/./b//c", "."}
	spaces  = []string{" " + itself, itself + "\n", itself + " x", "\t"}
	numbers = []string{"0", "1", "-1", "1.5", "9223372036854775808", "0x1", "x"}
	urls    = []string{"http://u:p@h:80/p?q=1#f", "/" + itself, itself + "?q=1", "//h/p", "%zz", "h:80"}
	escapes = []string{"%41" + itself, "%zz", "+" + itself, "%"}
)

// reader wraps the text that a changed function hands to one that reads it.
func (w *operandWalk) reader(n *ast.CallExpr, fn *types.Func) {
	name := fn.Pkg().Path() + "." + fn.Name()
	samples, at := readers[name], readsOther[name]
	if at < 0 {
		at += len(n.Args)
	}
	if !w.changed || samples == nil || fn.Signature().Recv() != nil {
		return
	}
	if at < 0 || at >= len(n.Args) || n.Ellipsis.IsValid() {
		return
	}
	e := n.Args[at]
	if w.typeOf(e) == types.Typ[types.String] && w.pkg.TypesInfo.Types[e].Value == nil && !w.misread(e) {
		w.call(e, e, ".Reads(", w.site(n.Lparen), "", fmt.Sprintf(", %q", strings.Join(samples, "\x00")))
	}
}
