package impact

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/moduletest"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
)

var sources = map[string]string{
	"go.mod":     "module example.com/m\n\ngo 1.24\n\nrequire other.org/dep v1.0.0\n\nreplace other.org/dep => ./dep\n",
	"dep/go.mod": "module other.org/dep\n\ngo 1.24\n",
	"dep/dep.go": `package dep

type D struct{ N int }

func New() *D { return &D{} }

func (d *D) Get() int { return d.N }
`,
	"m.go": `package m

import (
	"fmt"
	"unsafe"

	"other.org/dep"
)

const limit = 3
const twice = 2 * limit

var table = map[string]int{"x": twice}

type Config struct{ Level int }

type Server struct {
	name   string
	config *Config
	next   *Server
}

type Key struct{ part Config }

type Named interface{ Name() string }

func Limit() int           { return limit }
func Table() int           { return table["x"] }
func ThroughTable() int    { return Table() }
func Literal() func() int  { return func() int { return twice + 0 } }
func (s *Server) Name() string { return s.name }
func (s *Server) level() int { return s.config.Level }
func Makes() *Server { return &Server{name: "x"} }
func Prints(s *Server) string { return fmt.Sprint(s) }
func printsName(s *Server) string { return fmt.Sprint(s.name) }
func local(list []*Server) int { return len(list) }
func compares(k [1]Key) func(any) bool { return func(o any) bool { return [1]Key{} == o } }
func count(names map[string]int) int { return len(names) }
func describes(x any) string { n, _ := x.(Named); return fmt.Sprint(n) }
func sized() uintptr { return unsafe.Sizeof(0) }
func any2[T any](v T) any { return v }
func Generic() { s := Makes(); inner(s) }
func inner(s Named) {}

var opened = dep.New()

func Opened() int { return opened.N }
func Gets(d interface{ Get() int }) int { return d.Get() }
type grid [twice]int

var each = []func() int{func() int { return limit }}

func newGrid() (g grid) { return g }
func usesGrid() int { g := newGrid(); return g[0] }
func Plain(n int) int { return n + 1 }

type hash = uint32
type hashes []hash
type sums struct{ all hashes }

var seed hash = 1

func bucket(s string) int { var h hash = 5381; return int(h) * len(s) }
func hashOf(s string) hash { return seed }
func describesHash(s string) string { return fmt.Sprintf("%T", hashOf(s)) }
func addsUp(s sums) int { return len(s.all) }
func gone[H hash](h H) {}
`,
}

// loadProgram returns the code of the module in sources.
func loadProgram(t *testing.T) *static.Program {
	t.Helper()
	dir := t.TempDir()
	moduletest.Write(t, dir, sources)
	return static.New(moduletest.Load(t, dir, "./..."), nil)
}

func set(names ...string) map[spectra.Symbol]bool {
	found := map[spectra.Symbol]bool{}
	for _, name := range names {
		found[spectra.Symbol("example.com/m."+name)] = true
	}
	return found
}

func TestFunctions(t *testing.T) {
	program := loadProgram(t)
	for _, c := range []struct {
		reason string
		change Origin
		want   string
	}{
		{"nothing changed", Origin{}, ""},
		{"a function counts with its literals", Origin{Functions: set("Literal.func1")}, "Literal"},
		{
			"a constant, also through others and through initialisers; callers don't use it",
			Origin{Values: set("limit")}, "Limit Literal Table glob. newGrid sized usesGrid",
		},
		{
			"a field's type: where it is written, handed over within others, printed or compared",
			Origin{Types: set("Config")},
			"(*Server).level Generic Makes Prints compares local printsName sized",
		},
		{"a struct: its literals, its fields, its methods", Origin{Types: set("Key")}, "compares sized"},
		{
			"an alias: where it is written, also through others, and where a value has its type from it",
			Origin{Types: set("hash")}, "addsUp bucket describesHash gone hashOf sized",
		},
		{
			"other code of a package of another module, also through a variable",
			Origin{Outside: func(path string) bool { return path == "other.org/dep" }}, "Opened",
		},
		{"other code of one that nothing mentions", Origin{Outside: func(string) bool { return false }}, ""},
	} {
		affected, err := FindAffected(program, c.change)
		found := affected.Functions
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, name := range slices.Sorted(maps.Keys(found)) {
			got = append(got, name.Short())
		}
		slices.Sort(got)
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", c.reason, got, c.want)
		}
	}
}

func TestTypes(t *testing.T) {
	affected, err := FindAffected(loadProgram(t), Origin{Types: set("Config")})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, name := range slices.Sorted(maps.Keys(affected.Types)) {
		got = append(got, name.Short())
	}
	if want := "Config Key Server"; !strings.HasPrefix(strings.Join(got, " "), want) {
		t.Errorf("got %q, want those that hold or point to one: %s", got, want)
	}
}
