package variables

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/ssa"

	"github.com/spectradiff/spectradiff/internal/spectra/static"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A program is the code together with the results of variable type analysis.
type program struct {
	*static.Code
	names  map[types.Type]string                   // see nameOf
	called map[ssa.CallInstruction][]*ssa.Function // the functions a call may reach; static calls are left out
}

// analyse finds the functions that values may be. If the analysis panics, that is an error.
func analyse(of *static.Program) (p *program, err error) {
	code, err := of.Code()
	if err != nil {
		return nil, err
	}
	defer func() {
		if r := recover(); r != nil {
			p, err = nil, fmt.Errorf("build the call graph: %v", r)
		}
	}()
	p = &program{Code: code, names: map[types.Type]string{}, called: map[ssa.CallInstruction][]*ssa.Function{}}
	functions := map[*ssa.Function]bool{}
	for _, fn := range p.Functions {
		functions[fn] = true
	}
	if len(functions) == 0 {
		return p, nil
	}
	for _, node := range vta.CallGraph(functions, nil).Nodes {
		for _, edge := range node.Out {
			if edge.Site.Common().StaticCallee() == nil {
				p.called[edge.Site] = append(p.called[edge.Site], edge.Callee.Func)
			}
		}
	}
	return p, nil
}

// nameOf returns the canonical name of a type. It spells each type only once.
func (p *program) nameOf(t types.Type) string {
	name, known := p.names[t]
	if !known {
		name = symbol.Key(t)
		p.names[t] = name
	}
	return name
}

// outside reports whether a function has no body here, so that nothing is known about what it does.
func outside(fn *ssa.Function) bool { return len(fn.Blocks) == 0 }

// generic reports whether a body has types that are not known yet.
func generic(fn *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		if fn.TypeParams().Len() > len(fn.TypeArgs()) {
			return true
		}
	}
	return false
}
