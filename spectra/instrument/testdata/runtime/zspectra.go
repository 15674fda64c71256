// Package zspectra stands in for the runtime in tests: it counts what the probes hand over.
package zspectra

var On = false

type Point struct{ Entries, Exits, In, Out int }

type Var struct {
	Name string
	Ptr  any `json:"-"`
}

type Package struct {
	Path     string
	Points   []Point
	Counters []uint8
	Vars     []Var
}

type Frame struct {
	point *Point
	slots []any
}

var (
	Packages []Package
	Steps    int
	Gos      int
	Mixed    bool // an exit got other pointers than its entry
)

func Register(p Package) { Packages = append(Packages, p) }

func Enter(p *Point, slots ...any) Frame {
	p.Entries++
	p.In = len(slots)
	return Frame{p, slots}
}

func (f *Frame) Exit(slots ...any) {
	f.point.Exits++
	f.point.Out = len(slots)
	for i, s := range f.slots {
		if s != slots[i] {
			Mixed = true
		}
	}
}

func Go() { Gos++ }

func Tick() { Steps++ }
