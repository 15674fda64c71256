package diff

import (
	"strconv"

	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/rt"
)

// This file defines the texts of a difference.

func length(v *spectra.Value) string { return strconv.Itoa(len(v.Items)) }

// different notes two values that differ as a whole.
func (w *walker) different(at *place, old, new *spectra.Value) {
	o, n := w.text(old, w.old), w.text(new, w.new)
	if o == n && old != nil && new != nil {
		// Only the type differs, or what lies beyond the width.
		o, n = o+" of "+kindName(old), n+" of "+kindName(new)
	}
	w.differ(at, at.path(), o, n)
}

func (w *walker) text(v *spectra.Value, state []spectra.Slot) string {
	switch {
	case v == nil:
		return none
	case v.Kind == rt.ValueRef:
		return "the same as " + string(places(state)[v.ID].path())
	}
	return v.Short(textWidth)
}

func kindName(v *spectra.Value) string {
	if v.Type != "" {
		return v.Type
	}
	switch v.Kind {
	case rt.ValueString, rt.ValueBytes:
		return "length " + strconv.Itoa(len(v.Text))
	case rt.ValueArray:
		return "an array"
	case rt.ValueSlice:
		return "a slice"
	case rt.ValueUint:
		return "unsigned type"
	case rt.ValueInt:
		return "signed type"
	}
	return "another kind"
}
