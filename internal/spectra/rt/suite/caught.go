package suite

import "testing"

// A caught panic is that of a goroutine of a test. Under go test it would end the process; here it ends the operation,
// so that the driver can go on with other tests.
type caught struct {
	value interface{}
	yes   bool
}

// panicked is the first panic of the running test.
var panicked caught

// Still returns t, unless the test has panicked: then that part of it does not begin.
func Still(t *testing.T) *testing.T {
	if panicked.yes {
		t.SkipNow()
	}
	return t
}

// Caught ends a part of a test that panics, if it is deferred there. In a program of go test that ends the process.
func Caught(t testing.TB) {
	if programs != nil {
		return
	}
	v := recover()
	if v == nil {
		return
	}
	if !panicked.yes {
		panicked = caught{v, true}
	}
	t.FailNow()
}

// raise panics as the test did, once its cleanups have run.
func raise() {
	if p := panicked; p.yes {
		panicked = caught{}
		panic(p.value)
	}
}
