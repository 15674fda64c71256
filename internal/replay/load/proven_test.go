package load_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/load/loadtest"
)

// TestProven: what the parser or the type checker finds in a package is proven by its code, and so is what follows in
// others. What is missing may be there another time, and on another machine, which the words of the code don't decide.
func TestProven(t *testing.T) {
	const text = `-- go.mod --
module example.com/m

go 1.24
-- fine/a.go --
package fine
-- syntax/a.go --
package syntax

func F() int { return 1 + }
-- typed/a.go --
package typed

func F() int { return missing }
-- talks/a.go --
package talks

var V int = "dial tcp: module lookup disabled by GOPROXY=off"
-- above/a.go --
package above

import "example.com/m/typed"

func F() int { return typed.F() }
-- fetched/a.go --
package fetched

import "example.com/other"

func F() int { return other.F() }
-- below/a.go --
package below

import "example.com/m/fetched"

func F() int { return fetched.F() }
`
	dir := loadtest.Extract(t, txtar.Parse([]byte(text)), "")
	loaded, err := load.TypeCheck(t.Context(), loadtest.Config(dir))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range loaded.Broken {
		got = append(got, fmt.Sprint(b.Package[len("example.com/m/"):], " ", b.Proven, " ", b.Unfetched))
	}
	if want := []string{
		"above true false", "below false true", "fetched false true", "syntax true false", "talks true false",
		"typed true false",
	}; !slices.Equal(got, want) {
		t.Errorf("proven and not fetched: %v, want %v", got, want)
	}
	if !loaded.Unfetched {
		t.Error("nothing says that something could not be fetched")
	}
	for pattern, want := range map[string]bool{"./syntax": true, "./typed": true, "./talks": true, "./fetched": false} {
		cfg := loadtest.Config(dir)
		cfg.Patterns = []string{pattern}
		_, err := load.TypeCheck(t.Context(), cfg)
		if got := errors.As(err, new(*load.CodeError)); err == nil || got != want {
			t.Errorf("%s alone: an error of its code: %t, want %t: %v", pattern, got, want, err)
		}
		if got := errors.As(err, new(*load.UnfetchedError)); got == want {
			t.Errorf("%s alone: something could not be fetched: %t, want %t: %v", pattern, got, !want, err)
		}
	}
}
