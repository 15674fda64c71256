package driver

// This file tells failures of the time bubble from those of the target. What was made in one bubble, as a
// channel or a timer, must not be used in another; newer runtimes end the process then, which they note by
// themselves (rt.OnBubbleFailure), older ones panic.

import (
	"fmt"
	"reflect"
	"strings"
)

// burst reports whether a panic is the runtime's complaint about a bubble. Only the runtime makes values of
// that type, and none of their texts comes from the target.
func burst(value any) bool {
	t := reflect.TypeOf(value)
	return t != nil && t.PkgPath() == "runtime" && t.Name() == "plainError" &&
		strings.Contains(fmt.Sprint(value), "synctest")
}
