package static

import "testing"

// TestCodeOnce checks that all methods of a Program use one SSA form.
func TestCodeOnce(t *testing.T) {
	program := loadOne(t, usersSource)
	first, err := program.Code()
	if err != nil {
		t.Fatal(err)
	}
	second, err := program.Code()
	if err != nil || first != second {
		t.Errorf("it was built twice: %v", err)
	}
	program.Forget()
	if again, err := program.Code(); err != nil || again == first {
		t.Errorf("it was not forgotten: %v", err)
	}
	if !first.Owns("example.com/m") || first.Owns("strings") {
		t.Error("it does not know whose packages it has")
	}
	named := map[string]bool{}
	for _, fn := range first.Functions {
		named[first.Symbol(fn).Short()] = true
	}
	for _, name := range []string{"(*T).Method", "Made", "Made.func1", ""} { // "" is what the builder made
		if !named[name] {
			t.Errorf("no function %q", name)
		}
	}
}

func TestCodeOfNothing(t *testing.T) {
	code, err := New(nil, nil).Code()
	if err != nil || len(code.Packages) > 0 || len(code.Functions) > 0 {
		t.Errorf("%v, error %v", code, err)
	}
}
