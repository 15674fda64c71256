package page

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"html/template"
	"strings"
	"sync"

	"github.com/spectradiff/spectradiff/internal/report/text"
)

//go:embed assets
var assets embed.FS

// libraries draw the icicle; each needs those before it. assets/d3/licences.txt has their versions and licences.
var libraries = []string{
	"d3-array", "d3-color", "d3-interpolate", "d3-format", "d3-time", "d3-time-format", "d3-scale", "d3-selection",
	"d3-dispatch", "d3-timer", "d3-ease", "d3-transition", "d3-hierarchy", "d3-flamegraph.umd",
}

// A frame has the parts that are the same in all pages. The policy allows them, and nothing else to run or to be
// loaded.
type frame struct {
	Policy        string
	Style, Script template.HTML

	templates *template.Template
}

// frameOf makes the frame when a page is written for the first time: most runs write none.
var frameOf = sync.OnceValue(func() *frame {
	css, js := asset("page.css"), scripts()
	functions := template.FuncMap{"count": count, "plural": text.Plural, "joined": strings.Join}
	return &frame{
		Policy: "default-src 'none'; base-uri 'none'; form-action 'none'; script-src " + hash(js) +
			"; style-src " + hash(css) + " " + hash(libraryStyle(js)),
		Style:     template.HTML("<style>" + css + "</style>"),
		Script:    template.HTML("<script>" + js + "</script>"),
		templates: template.Must(template.New("").Funcs(functions).ParseFS(assets, "assets/*.html")),
	}
})

// asset returns an embedded file.
func asset(name string) string {
	data, err := assets.ReadFile("assets/" + name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(data)
}

// scripts returns the libraries, with their licences in front, and the page's own script.
func scripts() string {
	var out strings.Builder
	out.WriteString("/*!\n" + asset("d3/licences.txt") + "*/\n")
	for _, name := range libraries {
		out.WriteString(asset("d3/"+name+".min.js") + "\n")
	}
	out.WriteString(asset("page.js"))
	return out.String()
}

// libraryStyle returns the style sheet that d3-flame-graph adds to the page when it is loaded.
func libraryStyle(script string) string {
	_, rest, _ := strings.Cut(script, "textContent=`")
	css, _, _ := strings.Cut(rest, "`")
	return css
}

// hash returns a source of the policy: the script or style sheet with exactly this text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
