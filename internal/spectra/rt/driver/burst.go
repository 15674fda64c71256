package driver

import (
	"reflect"
	"runtime"
	"strings"
)

// burst reports whether the panic under way is the runtime's complaint about a bubble. That is a value of a
// type that only the runtime makes, none of whose texts comes from the target, or a text that code of the
// runtime raised itself.
func burst(value any) bool {
	v := reflect.ValueOf(value)
	if v.Kind() != reflect.String || !strings.Contains(v.String(), "synctest") {
		return false
	}
	if t := v.Type(); t != reflect.TypeFor[string]() {
		return t.PkgPath() == "runtime" && t.Name() == "plainError"
	}
	switch raiser() {
	case "runtime", "time", "internal/synctest": // the runtime's code has these names too
		return true
	}
	return false
}

// raiser returns the package of the function that raised the panic under way.
func raiser() string {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for raised, more := false, true; more; {
		var f runtime.Frame
		f, more = frames.Next()
		if raised {
			slash := strings.LastIndexByte(f.Function, '/') + 1
			name, _, _ := strings.Cut(f.Function[slash:], ".")
			return f.Function[:slash] + name
		}
		raised = f.Function == "runtime.gopanic"
	}
	return ""
}
