package diff

import (
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/diff/align"
	"github.com/spectradiff/spectradiff/spectra"
)

// This file defines which functions two versions have in common.

// Common matches the instrumented functions of two versions: declared ones by name (renamed maps
// new names to old ones) and signature, literals within matched functions by their bodies, then by
// their order. The result is Options.Common; functions of neither its keys nor its values are
// structural.
func Common(old, new []*spectra.Point, renamed map[spectra.Symbol]spectra.Symbol) map[spectra.Symbol]spectra.Symbol {
	oldOf, oldLiterals := group(old)
	_, newLiterals := group(new)
	common := map[spectra.Symbol]spectra.Symbol{}
	for _, p := range new {
		name := p.Symbol
		if p.Symbol.Declared() != p.Symbol {
			continue
		}
		if oldName, ok := renamed[name]; ok {
			name = oldName
		}
		if o := oldOf[name]; o != nil && signature(o) == signature(p) {
			common[p.Symbol] = name
		}
	}
	for declared, literals := range newLiterals {
		oldName, ok := renamed[declared]
		if !ok {
			oldName = declared
		}
		for _, pair := range literalProblem.Align(oldLiterals[oldName], literals) {
			common[literals[pair.New].Symbol] = oldLiterals[oldName][pair.Old].Symbol
		}
	}
	return common
}

// group separates declared functions from literals, these by the function they belong to.
func group(points []*spectra.Point) (map[spectra.Symbol]*spectra.Point, map[spectra.Symbol][]*spectra.Point) {
	declared, literals := map[spectra.Symbol]*spectra.Point{}, map[spectra.Symbol][]*spectra.Point{}
	for _, p := range points {
		if f := p.Symbol.Declared(); f != p.Symbol {
			literals[f] = append(literals[f], p)
		} else {
			declared[p.Symbol] = p
		}
	}
	for _, list := range literals {
		slices.SortStableFunc(list, func(x, y *spectra.Point) int { return x.Index - y.Index })
	}
	return declared, literals
}

var literalProblem = align.Problem[*spectra.Point]{
	Weight: func(x, y *spectra.Point) int {
		switch {
		case signature(x) != signature(y):
			return 0
		case x.Body == y.Body:
			return align.Full
		}
		return 1
	},
	Compare: func(x, y *spectra.Point) int {
		return strings.Compare(signature(x)+x.Body, signature(y)+y.Body)
	},
}

// signature spells what must agree for states to be comparable. Captured variables have a name,
// since nothing else tells them apart.
func signature(p *spectra.Point) string {
	var text strings.Builder
	for _, s := range p.Slots {
		text.WriteByte("rpcv"[s.Kind])
		if s.Kind == spectra.Captured {
			text.WriteString(s.Name + " ")
		}
		text.WriteString(s.Type + ";")
	}
	return text.String()
}
