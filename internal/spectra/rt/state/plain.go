package state

import "github.com/spectradiff/spectradiff/internal/spectra/rt/memory"

// series digests count plain values, from address p on.
func (w *Walker) series(elem *node, p uintptr, count int) {
	for range count {
		if w.count > w.budget {
			w.cut(0)
			return
		}
		w.plain(elem, p, 0)
		p += elem.size
	}
}

// plain digests a plain value as value would. Types nest in one another only so deep.
func (w *Walker) plain(n *node, p uintptr, key uint64) {
	w.count++
	if n.load != loadNone {
		w.h = w.h.Pair(key, n.word(p))
		return
	}
	switch n.op {
	case opString:
		w.text(*(*string)(memory.At(p)), key)
	case opComplex:
		w.complex(n, p, key)
	case opArray:
		w.array(n, p, key)
	case opStruct:
		w.h = n.scalars(w.h, p)
		w.count += n.words
		for i := n.words; i < len(n.fields); i++ {
			f := &n.fields[i]
			w.plain(f.node, p+f.off, f.hash)
		}
	}
}
