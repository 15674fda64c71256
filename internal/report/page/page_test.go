package page_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/page"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

var update = flag.Bool("update", false, "write the golden files anew")

func write(t testing.TB, r *report.Report) string {
	t.Helper()
	var out bytes.Buffer
	if err := page.Write(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// fixed matches what is the same in all pages, and is no part of golden files.
var fixed = regexp.MustCompile(`(?s)<style>.*?</style>|<script>.*?</script>|content="default-src[^"]*"`)

func TestGolden(t *testing.T) {
	for _, c := range []struct {
		name   string
		make   func(testing.TB) *report.Report
		reason string
	}{
		{"sample", sample, "every part of the page"},
		{"same", func(t testing.TB) *report.Report { return finished(t, base()) }, "nothing deviates"},
		{"unchanged", func(t testing.TB) *report.Report { return finished(t, new(report.Report)) }, "nothing is known"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := fixed.ReplaceAllString(write(t, c.make(t)), "(fixed)")
			file := "testdata/" + c.name + ".html"
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s (%s) differs; run go test ./internal/report/page -update and read the change\n%s",
					file, c.reason, got)
			}
		})
	}
}

// A shape is what a page is made of beside texts.
type shape struct {
	elements map[string]int      // how many there are of each
	pairs    map[string]bool     // "element attribute"
	ids      map[string]int      // how often an id occurs
	scripts  []string            // that run
	styles   []string            // likewise
	data     []string            // scripts that hold data
	links    map[string][]string // values of attributes that lead somewhere
	policy   string
}

// leading are attributes that lead somewhere, or do something.
var leading = []string{"href", "src", "action", "formaction", "data", "poster", "srcset", "style", "http-equiv"}

// shapeOf parses a page.
func shapeOf(t testing.TB, text string) shape {
	t.Helper()
	root, err := html.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	s := shape{map[string]int{}, map[string]bool{}, map[string]int{}, nil, nil, nil, map[string][]string{}, ""}
	for n := range root.Descendants() {
		switch n.Type {
		case html.ElementNode:
			s.element(n)
		case html.CommentNode:
			t.Errorf("there is a comment: %.100q", n.Data)
		}
	}
	return s
}

func (s *shape) element(n *html.Node) {
	s.elements[n.Data]++
	is := map[string]string{}
	for _, a := range n.Attr {
		s.pairs[n.Data+" "+a.Key] = true
		is[a.Key] = a.Val
	}
	if id, ok := is["id"]; ok {
		s.ids[id]++
	}
	for _, key := range leading {
		if value, ok := is[key]; ok {
			s.links[key] = append(s.links[key], value)
		}
	}
	if is["http-equiv"] == "Content-Security-Policy" {
		s.policy = is["content"]
	}
	inside := ""
	if n.FirstChild != nil {
		inside = n.FirstChild.Data
	}
	switch {
	case n.DataAtom == atom.Style:
		s.styles = append(s.styles, inside)
	case n.DataAtom == atom.Script && is["type"] == "application/json":
		s.data = append(s.data, inside)
	case n.DataAtom == atom.Script:
		s.scripts = append(s.scripts, inside)
	}
}

// check fails the test if a page could do more than a harmless one.
func (s *shape) check(t testing.TB, text string, harmless *shape) {
	t.Helper()
	for pair := range s.pairs {
		if !harmless.pairs[pair] {
			t.Errorf("an element and attribute of its own: %s", pair)
		}
	}
	for name := range s.elements {
		if harmless.elements[name] == 0 {
			t.Errorf("an element of its own: %s", name)
		}
	}
	for _, once := range []string{"html", "head", "body", "title", "style", "main", "h1", "form", "input", "footer"} {
		if s.elements[once] != harmless.elements[once] {
			t.Errorf("%d elements %s, want %d", s.elements[once], once, harmless.elements[once])
		}
	}
	if !slices.Equal(s.scripts, harmless.scripts) || !slices.Equal(s.styles, harmless.styles) ||
		s.policy != harmless.policy {
		t.Error("another script, style sheet or policy")
	}
	for _, data := range s.data {
		if !json.Valid([]byte(data)) {
			t.Errorf("no JSON: %.200q", data)
		}
	}
	for _, link := range s.links["href"] {
		if !strings.HasPrefix(link, "#") || s.ids[link[1:]] != 1 {
			t.Errorf("a link that leads to no place of the page, or to several: %.100q", link)
		}
	}
	for id, n := range s.ids {
		if n > 1 {
			t.Errorf("%d elements with id %q", n, id)
		}
	}
	if !utf8.ValidString(text) {
		t.Error("no UTF-8")
	}
	odd := func(r rune) bool { return r != '\n' && r != '\t' && !unicode.IsPrint(r) }
	if i := strings.IndexFunc(text, odd); i >= 0 {
		t.Errorf("a character that does more than to be read, at byte %d: %.60q", i, text[i:])
	}
}

// TestPolicy: exactly the scripts and styles of the page may run, and it loads nothing.
func TestPolicy(t *testing.T) {
	text := write(t, sample(t))
	s := shapeOf(t, text)
	s.check(t, text, &s)
	if len(s.scripts) != 1 || len(s.styles) != 1 || len(s.data) == 0 {
		t.Fatalf("%d scripts, %d styles, %d with data", len(s.scripts), len(s.styles), len(s.data))
	}
	for _, inside := range append(s.scripts, s.styles...) {
		sum := sha256.Sum256([]byte(inside))
		if hash := base64.StdEncoding.EncodeToString(sum[:]); !strings.Contains(s.policy, "'sha256-"+hash+"'") {
			t.Errorf("the policy does not allow %.60q", inside)
		}
	}
	if !strings.HasPrefix(s.policy, "default-src 'none'; ") || strings.Contains(s.policy, "unsafe") {
		t.Errorf("policy %q", s.policy)
	}
	for key, values := range s.links {
		if key != "href" && key != "http-equiv" || key == "http-equiv" && len(values) != 1 {
			t.Errorf("attribute %s: %q", key, values)
		}
	}
	if strings.Contains(s.styles[0], "url(") || strings.Contains(s.styles[0], "@import") {
		t.Error("the style sheet loads something")
	}
}

// TestTimeless: what differs between two runs with one seed is no part of the page.
func TestTimeless(t *testing.T) {
	r := sample(t)
	first := write(t, r)
	if again := write(t, r); again != first {
		t.Error("the same report is another page")
	}
	r.Generation.Seconds, r.Replay.Seconds, r.Tests.Seconds = 99.5, 98.5, 97.5
	for i := range r.Stages {
		name := r.Stages[i].Name
		r.Stages[i] = report.Stage{Name: name, Seconds: 96, CPUSeconds: 95, PeakBytes: 94e6, StartedPeakBytes: 93e6}
	}
	if again := write(t, r); again != first {
		t.Error("times or memory are in the page")
	}
}

// TestSize: a page has a bounded size, whatever is in the report.
func TestSize(t *testing.T) {
	if testing.Short() {
		t.Skip("it lays out megabytes: not with -short")
	}
	const most = 20 << 20
	for _, c := range []struct {
		reason            string
		roots, deviations int
		values            string // of each root
	}{
		{"10,000 deviations", 200, 50, ""},
		{"many roots", 2500, 1, ""},
		{"one root with many deviations", 1, 100_000, ""},
		{"long values that become longer", 300, 1, strings.Repeat("<&\x1b\u202e", 1000)},
	} {
		r := large(t, c.roots, c.deviations)
		if c.values != "" {
			for i := range r.Roots {
				fill(reflect.ValueOf(&r.Roots[i].Values).Elem(), c.values)
				fill(reflect.ValueOf(&r.Roots[i].Tree).Elem(), c.values)
			}
		}
		text := write(t, r)
		t.Logf("%s: %d bytes", c.reason, len(text))
		if len(text) > most {
			t.Errorf("%s: the page has %d bytes, more than %d", c.reason, len(text), most)
		}
	}
}

// TestHuge: a value of 10 MB is cut where the two sides differ.
func TestHuge(t *testing.T) {
	r := sample(t)
	long := strings.Repeat("a", 10<<20)
	r.Roots[0].Values = []report.Difference{{Path: "ret0", Old: long + "<old>" + long, New: long + "<new>" + long}}
	text := write(t, r)
	if len(text) > 1<<20 || !strings.Contains(text, "&lt;<del>old</del>&gt;") ||
		!strings.Contains(text, "&lt;<ins>new</ins>&gt;") {
		t.Errorf("a page of %d bytes, without the place where the values differ", len(text))
	}
}

// hostile are texts that mean something in a page, a script, a style sheet or an attribute.
var hostile = []string{
	"</script><script>alert(1)</script>", "<!-- ", "-->", "]]>", "\" onclick=\"alert(1)", "' x='",
	"<img src=x onerror=alert(1)>", "</style><style>*{display:none}</style>", "</pre></details></main>",
	"javascript:alert(1)", "\u2028\u2029", "\u202etxt.exe\u2066", "\x00\x1b[2J\r\n", "\xff\xfe\xed\xa0\x80",
	"&lt;&#x3c;", "{{.}}", "`${1}`", "</title>", "<plaintext>", "<svg/onload=alert(1)>", "\n\n::error::x", "a b\tc",
}

// FuzzWrite fills a report with any text. The page has no other structure than a harmless one.
func FuzzWrite(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	harmless := shapeOf(f, write(f, sample(f)))
	f.Fuzz(func(t *testing.T, text string) {
		r := sample(t)
		if n := fill(reflect.ValueOf(r).Elem(), text); n < 100 {
			t.Fatalf("only %d texts were filled", n)
		}
		got := write(t, r)
		s := shapeOf(t, got)
		s.check(t, got, &harmless)
	})
}

// fill sets all texts in a value but ids of deviations, and returns how many there are.
func fill(v reflect.Value, text string) (n int) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
		return 1
	case reflect.Struct:
		for i := range v.NumField() {
			id := v.Type().Field(i).Name == "ID" || v.Type() == reflect.TypeFor[report.Root]() &&
				v.Type().Field(i).Name == "Deviations"
			if !id {
				n += fill(v.Field(i), text)
			}
		}
	case reflect.Slice:
		for i := range v.Len() {
			n += fill(v.Index(i), text)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			to := reflect.New(v.Type().Elem()).Elem()
			n += fill(to, text)
			v.SetMapIndex(key, reflect.Value{})
			v.SetMapIndex(reflect.ValueOf(text).Convert(v.Type().Key()), to)
		}
	case reflect.Pointer:
		if !v.IsNil() {
			n = fill(v.Elem(), text)
		}
	}
	return n
}

func TestWriteError(t *testing.T) {
	file, err := os.Open(os.DevNull) // open for reading only, so every write fails
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := page.Write(file, sample(t)); err == nil {
		t.Error("no error from a writer that fails")
	}
}

// TestTiers: each tier has a meaning in the page.
func TestTiers(t *testing.T) {
	text := write(t, sample(t))
	for _, tier := range append(spectra.Tiers(), spectra.TierNondeterminism) {
		if !regexp.MustCompile(`<dt>` + string(tier) + `</dt><dd>[a-z]`).MatchString(text) {
			t.Errorf("no meaning of %s", tier)
		}
	}
}
