package gotest

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// setting writes the statements that set a package variable, or one of the environment, until the test ends.
func (b *body) setting(st *sequence.Statement, op *api.Operation) (statement, []types.Type, error) {
	if op.Name == api.SetsEnvironment {
		text, err := b.environment(st)
		return statement{text: text}, nil, err
	}
	declared := b.packageOf(op)
	if declared == nil {
		return statement{}, nil, fmt.Errorf("no package %s", op.Package)
	}
	v, err := b.value(&st.Args[0], op.Params[0])
	if err != nil {
		return statement{}, nil, err
	}
	before, variable := b.fresh("before"), b.qualified(declared, op.Symbol.Name())
	text := fmt.Sprintf("%s := %s\ndefer func() { %[2]s = %[1]s }()\n%[2]s = %[3]s", before, variable, v)
	return statement{text: text}, nil, nil
}

// environment writes the statement that sets a variable of the environment. Names and values that the system refuses
// change nothing, but fail a test.
func (b *body) environment(st *sequence.Statement) (string, error) {
	for i := range st.Args {
		if arg := &st.Args[i]; arg.Kind != sequence.String || i == 0 && !api.Settable(arg.Text) ||
			strings.Contains(arg.Text, "\x00") {
			return "", fmt.Errorf("a variable of the environment that can't be set")
		}
	}
	name, set := quoted(st.Args[0].Text), quoted(st.Args[1].Text)
	if !b.looksAt(printedOf) {
		return fmt.Sprintf("t.Setenv(%s, %s)", name, set), nil
	}
	os, before, known := b.imported("os", "os"), b.fresh("before"), b.fresh("known") // an example has no t
	return fmt.Sprintf("%[1]s, %[2]s := %[3]s.LookupEnv(%[4]s)\ndefer func() {\n%[3]s.Setenv(%[4]s, %[1]s)\n"+
		"if !%[2]s {\n%[3]s.Unsetenv(%[4]s)\n}\n}()\n%[3]s.Setenv(%[4]s, %[5]s)", before, known, os, name, set), nil
}
