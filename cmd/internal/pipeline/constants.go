package pipeline

// This file turns the constants of the old version into values for the generator.

import (
	"go/constant"
	"go/token"
	"go/types"
	"strconv"

	"github.com/spectradiff/spectradiff/replay/api"
	"github.com/spectradiff/spectradiff/replay/generate"
)

// constants turns the mined literals into values.
func (b *built) constants() []generate.Constant {
	pool := api.Constants(b.sides.Old.target, b.driven)
	var list []generate.Constant
	add := func(constants []api.Constant, typ types.Type, value func(string) constant.Value) {
		for _, c := range constants {
			v := value(c.Text)
			if v.Kind() == constant.Unknown {
				continue
			}
			for _, p := range c.Packages {
				list = append(list, generate.Constant{Package: p, Type: typ, Value: v})
			}
		}
	}
	add(pool.Strings, nil, constant.MakeString)
	add(pool.Runes, types.Typ[types.Rune], func(text string) constant.Value {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil {
			return constant.MakeUnknown()
		}
		return constant.MakeInt64(n)
	})
	add(pool.Ints, nil, func(text string) constant.Value { return constant.MakeFromLiteral(text, token.INT, 0) })
	add(pool.Floats, nil, func(text string) constant.Value { return constant.MakeFromLiteral(text, token.FLOAT, 0) })
	return append(list, b.declaredConstants()...)
}

// declaredConstants lists the constants of the driven packages: the values of their enumerations.
func (b *built) declaredConstants() []generate.Constant {
	var list []generate.Constant
	for _, path := range b.driven {
		p := b.sides.Old.target.Package(path)
		if p == nil {
			continue
		}
		for _, name := range p.Types.Scope().Names() {
			if c, ok := p.Types.Scope().Lookup(name).(*types.Const); ok {
				list = append(list, generate.Constant{Package: path, Type: c.Type(), Value: c.Val()})
			}
		}
	}
	return list
}
