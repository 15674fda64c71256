package generate

import (
	"context"
	"go/types"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// TestSettings checks that an environment variable is set once code asks for it, a package variable at any time, and a
// variable of the Go runtime never. Settings must be at the beginning of sequences.
func TestSettings(t *testing.T) {
	in := fixture(t)
	newPlayer(t, &in)
	text := types.Typ[types.String]
	failure := types.Universe.Lookup("error").Type()
	in.Settings = []*api.Operation{
		{Name: "m/p.Limit =", Symbol: "m/p.Limit", Params: []types.Type{types.Typ[types.Int]}, Setting: true},
		{
			Name: api.SetsEnvironment, Symbol: "os.Setenv", Setting: true, Supplier: true,
			Params: []types.Type{text, text}, Results: []types.Type{failure},
		},
	}
	set := map[string]int{}
	in.Execute = func(_ context.Context, batch []sequence.Sequence) ([]Outcome, error) {
		outcomes := make([]Outcome, len(batch))
		for i, q := range batch {
			outcomes[i].Coverage = []uint32{uint32(len(q.Statements) % 7)}
			for at, st := range q.Statements {
				outcomes[i].Steps = append(outcomes[i].Steps, Step{})
				if name := st.Op; at == 0 && strings.HasSuffix(name, " =") || name == api.SetsEnvironment {
					if len(st.Args) > 1 {
						name = st.Args[0].Text
					}
					set[name]++
				}
			}
		}
		return outcomes, nil
	}
	in.Changed = func(uint32) bool { return true }
	in.Operands = func(_ context.Context, batch []sequence.Sequence) ([]Compared, error) {
		heard := make([]Compared, len(batch))
		for i := range heard {
			for _, name := range []string{"MODE", "GODEBUG", "a=b"} {
				o := Operand{Site: wire.SiteEnvironment, Alone: true, Left: name}
				heard[i].Operands = append(heard[i].Operands, o)
			}
		}
		return heard, nil
	}
	in.Limits.Candidates = 3000
	run(t, in)
	if set["MODE"] == 0 || set["m/p.Limit ="] == 0 || set["GODEBUG"]+set["a=b"] > 0 {
		t.Errorf("what was set, how often: %v", set)
	}
}
