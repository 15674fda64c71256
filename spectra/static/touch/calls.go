package touch

// This file knows which functions a call of a value may be of, as far as all values are known.

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/ssa"

	"github.com/spectradiff/spectradiff/spectra/static"
	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// A program is the code with what variable type analysis finds.
type program struct {
	*static.Code
	names  map[types.Type]string                   // see nameOf
	called map[ssa.CallInstruction][]*ssa.Function // calls of a function that is known are left out
}

// analyse finds what values may be called. A panic of the analysis is an error.
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

// nameOf is the key of a type, which is not written twice.
func (p *program) nameOf(t types.Type) string {
	name, known := p.names[t]
	if !known {
		name = symbol.Key(t)
		p.names[t] = name
	}
	return name
}

// outside reports whether nothing is known of what a function does: it has no body here.
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
