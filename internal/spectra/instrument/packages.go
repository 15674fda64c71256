package instrument

import "github.com/spectradiff/spectradiff/internal/spectra"

// Packages are the instrumented packages of one version, in the order in which their blocks are numbered.
type Packages []*Package

// Points lists the points of a version in the order of their packages.
func (v Packages) Points() []*spectra.Point {
	var list []*spectra.Point
	for _, p := range v {
		for i := range p.Points {
			list = append(list, &p.Points[i])
		}
	}
	return list
}

// BlockCount returns the number of blocks of a version.
func (v Packages) BlockCount() (n int) {
	for _, p := range v {
		n += len(p.Blocks)
	}
	return n
}

// Blocks visits the blocks of a version with their numbers, and with their places in their packages.
func (v Packages) Blocks(visit func(id uint32, pkg string, i int, b spectra.Block)) {
	id := uint32(0)
	for _, p := range v {
		for i, b := range p.Blocks {
			visit(id, p.Path, i, b)
			id++
		}
	}
}

// BlocksOf returns the numbers of the blocks of a function, with those of the functions inside.
func (v Packages) BlocksOf(function spectra.Symbol) (list []uint32) {
	for _, p := range v.Points() {
		if p.Symbol != function {
			continue
		}
		v.Blocks(func(id uint32, _ string, _ int, b spectra.Block) {
			if b.File == p.File && p.Line <= b.Line && b.Last <= p.EndLine {
				list = append(list, id)
			}
		})
	}
	return list
}

// WithoutProbes returns why a function has no probes, "" if it has some or is none of the packages.
func (v Packages) WithoutProbes(function spectra.Symbol) (reason string) {
	for _, p := range v {
		for _, s := range p.Skipped {
			if s.Symbol == function {
				return s.Reason
			}
		}
	}
	return ""
}
