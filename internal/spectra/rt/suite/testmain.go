package suite

import (
	"reflect"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/rt"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// TestMain usually ends the process when the tests have run. A process costs as much as many variants of a test, so
// what it asks for becomes a panic, which ends TestMain alone, and the next test has the same process. Not every
// TestMain works twice: one that does not come to its tests because it ran before is run in another process.

// testMains are the TestMain of packages. go test builds one program of a package and its external tests, so that of
// either is for all tests, examples among them.
var testMains = map[string]func(*testing.M){}

// Main says that tests of a package are run by its TestMain.
func Main(path string, main func(*testing.M)) { testMains[path] = main }

// mains counts how often the TestMain of a package has begun in this process, by the package.
var mains = map[string]int{}

// over is the panic of a TestMain that asks for the end of the process, with this status, when the tests have run.
type over int

// left is called when TestMain asks for the end of the process.
func (p *Package) left(code int) {
	switch {
	case when == "":
		panic(over(code))
	case when == wire.BeforeTest && mains[p.Path] > 1:
		rt.Again()
	}
}

// main runs TestMain, and reports whether the tests passed.
func (p *Package) main(testMain func(*testing.M), m *testing.M) (passed bool) {
	mains[p.Path]++
	defer func() {
		switch v := recover().(type) {
		case nil:
		case over:
			passed = v == 0
		default:
			if when == wire.BeforeTest && mains[p.Path] > 1 {
				rt.Again()
			}
			panic(v)
		}
	}()
	testMain(m)
	return status(m) == 0
}

// status returns what m.Run has returned: the status with which the process ends if TestMain does not end it.
func status(m *testing.M) int {
	if code := reflect.ValueOf(m).Elem().FieldByName("exitCode"); code.CanInt() {
		return int(code.Int())
	}
	return 0
}
