package static

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/moduletest"
)

// writesSources is a module in which a variable's name says what the analysis must find: constant ones
// begin with k or K, written ones with w or W.
var writesSources = map[string]string{
	"go.mod": "module m\n\ngo 1.24\n",
	"p/p.go": `package p

import (
	"embed"
	"errors"
	"flag"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"
	"unsafe"
)

type T struct{ N int; Next *T }

func (t *T) Set(n int) { t.N = n }
func (t T) Get() int   { return t.N }

type plain struct{ N, M int }

func (p plain) Sum() int { return p.N + p.M }
func (p *plain) Reset()  { p.N = 0 }

var (
	kNumber           = 1
	kTable            = [3]int{1, 2, 3}
	kMap              = map[string]int{"a": 1}
	kNested           = map[string][]string{"a": {"b"}}
	kPointers         = []*T{{N: 1}, {N: 2}}
	kError            = errors.New("e")
	kExpression       = regexp.MustCompile("x")
	kReplacer         = strings.NewReplacer("a", "b")
	kFunction         = func() int { return kNumber }
	kPlain            = plain{1, 2}
	kBytes            = []byte("abc")
	kInit             int
	kMade             map[string]int
	kLocation         = time.UTC
	kFiles            embed.FS
	kTime             = time.Unix(0, 0)
	KExported         = "x"
	kCut              = [4]int{1, 2, 3, 4}
	kMatrix           = [][]int{{1}, {2}}

	wNumber           int
	wIncremented      int
	wAddress          int
	wMap              = map[string]int{}
	wDeleted          = map[string]int{}
	wElement          = []int{1}
	wReturned         = []int{1}
	wField            plain
	wPointer          = &T{}
	wMethod           plain
	wMethodValue      plain
	wRangedOver       = [][]string{{"a"}}
	wShared           = wReturned
	wGiven            = makeMap()
	wRanged           int
	wAlias            = []*T{{}}
	wChannel          = make(chan int, 1)
	wSliced           [3]int
	wMutex            sync.Mutex
	wFlag             string
	wLiteralInInit    int
	wInitShared       []int
	wLinked           int
	wAny          any = makeMap()
	wInner            = []plain{{}}
	wPair, kOther     = makeMap(), 1
	wAppended         = []int{1}
	wCleared          = []int{1}
	WOutside          int
	WOutsideMap       = map[string]int{}
	kDefer            = plain{}
	wLongest          = regexp.MustCompile("x|xy")
	kErrorOfType error = &steady{"x"}
	wErrorOfType error = &changing{1}
	wErrorGiven       = giveError()
	wPulled           = 1
)

//go:linkname wLinked

var wInitSource []int

type steady struct{ text string }

func (e *steady) Error() string { return e.text }

type changing struct{ n int }

func (e *changing) Error() string { return "" }
func (e *changing) count()        { e.n++ }

func giveError() error { return &changing{2} }

func makeMap() map[string]int { return nil }

func init() {
	kInit = 3
	kMade = map[string]int{"x": kInit}
	kMade["y"] = 2
	flag.StringVar(&wFlag, "f", "", "")
	func() { wLiteralInInit = 1 }()
	wInitShared = wInitSource
}

func reads(s string) (n int) {
	for i, x := range kTable {
		n += x + i + kTable[i]
	}
	for k := range kMap {
		n += len(k) + kMap[k]
	}
	for k := range kNested {
		n += len(kNested[k][0])
	}
	for _, list := range wRangedOver {
		list[0] = "x"
	}
	n += int(unsafe.Sizeof(kNumber)) + kPointers[0].N + len(kPointers) + kInit + kMade["x"] + kPlain.Sum() + kPlain.N
	if kExpression.MatchString(kReplacer.Replace(s)) || string(kBytes) == s {
		n += kFunction()
	}
	switch kNumber {
	case kMatrix[0][0]:
	}
	for _, x := range kCut[1:3] {
		n += x + len(kCut[:2]) + kCut[1:][0]
	}
	x, y := kNumber, kPlain
	y.N = x
	defer kDefer.Sum()
	copy(make([]byte, 3), kBytes[1:])
	if kMap == nil || kLocation == nil || kTime.IsZero() || KExported == "" {
		_, _ = kFiles.Open("x")
	}
	return n
}

func fails() error { return fmt.Errorf("%w", kError) }

func writes(t *T) []int {
	wNumber = 1
	wIncremented++
	p := &wAddress
	*p = 2
	wMap["a"] = 1
	delete(wDeleted, "a")
	wElement[0] = 2
	wField.N = 1
	wPointer.N = 2
	wMethod.Reset()
	f := wMethodValue.Reset
	f()
	for wRanged = range 3 {
	}
	for _, a := range wAlias {
		a.N = 1
	}
	wChannel <- 1
	s := wSliced[:]
	s[0] = 1
	wMutex.Lock()
	wInner[0].N++
	_ = append(wAppended, 1)
	clear(wCleared)
	wLongest.Longest()
	_ = errors.Is(kErrorOfType, wErrorOfType) && wErrorGiven == nil && wPulled == 1
	return wReturned
}
`,
	"q/q.go": `package q

import (
	"m/p"
	_ "unsafe"
)

//go:linkname pulled m/p.wPulled
var pulled int

func F() string {
	p.WOutside = 1
	p.WOutsideMap["x"]++
	return p.KExported
}
`,
}

func TestWritten(t *testing.T) {
	dir := t.TempDir()
	moduletest.Write(t, dir, writesSources)
	program := New(moduletest.Load(t, dir, "./..."), nil)
	constant := 0
	for _, pkg := range program.Packages {
		if pkg.PkgPath != "m/p" {
			continue
		}
		for _, name := range pkg.Types.Scope().Names() {
			if packageVariable(pkg.Types.Scope().Lookup(name)) == nil {
				continue
			}
			want := name[0]|0x20 == 'w'
			if got := program.Written()["m/p."+name]; got != want {
				t.Errorf("%s: written is %t", name, got)
			}
			if !want {
				constant++
			}
		}
	}
	if constant < 15 {
		t.Errorf("%d variables are constant", constant)
	}
	for _, name := range program.Variables() {
		if !program.Written()[name] {
			t.Errorf("%s is listed and not written", name)
		}
	}
}
