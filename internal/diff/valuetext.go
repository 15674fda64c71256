package diff

import (
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

func length(v *spectra.Value) string { return strconv.Itoa(len(v.Items)) }

// different records that two values differ as a whole.
func (w *walker) different(at *place, old, new *spectra.Value) {
	o, n := w.text(old, &w.oldAt), w.text(new, &w.newAt)
	if o == n && old != nil && new != nil && isText(old) && isText(new) && old.Text != new.Text {
		o, n = fromDifference(old, new)
	}
	if o == n && old != nil && new != nil {
		// Only the type differs, or what lies beyond the width.
		o, n = o+" of "+kindName(old), n+" of "+kindName(new)
	}
	w.differ(at, at.path(), o, n)
}

func isText(v *spectra.Value) bool { return v.Kind == wire.ValueString || v.Kind == wire.ValueBytes }

// context is how much is kept of what long texts have in common before they differ, in bytes.
const context = 40

// fromDifference returns the parts of two texts from shortly before the place on where they differ.
func fromDifference(old, new *spectra.Value) (string, string) {
	from := spectra.Apart(old.Text, new.Text, context)
	o, n := *old, *new
	o.Text, n.Text = o.Text[from:], n.Text[from:]
	return "…" + o.Short(textWidth), "…" + n.Short(textWidth)
}

// text returns a value as a text. At are the places of its state, which are found once for many references.
func (w *walker) text(v *spectra.Value, at *map[int32]*place) string {
	switch {
	case v == nil:
		return None
	case v.Kind == wire.ValueRef:
		w.findPlaces()
		return "the same as " + string((*at)[v.ID].path())
	case v.Kind == wire.ValueInside:
		w.findPlaces()
		return "a part of " + string((*at)[v.ID].path()) + ": " + v.Text
	}
	return v.Short(textWidth)
}

// shared returns a text of what the node of v shares memory with.
func shared(v *spectra.Value, at map[int32]*place) string {
	var parts []string
	for _, s := range v.Rare().Shares {
		text := "memory of " + string(at[s.ID].path()) + " from its " + s.Path + " on"
		if after, ok := strings.CutPrefix(s.Path, "at "); ok {
			text = "memory of " + string(at[s.ID].path()) + " in its " + after
		}
		parts = append(parts, text)
	}
	if parts == nil {
		return "memory of its own"
	}
	return strings.Join(parts, ", ")
}

func kindName(v *spectra.Value) string {
	if v.Type != "" {
		return v.Type
	}
	switch v.Kind {
	case wire.ValueString, wire.ValueBytes:
		return "length " + strconv.Itoa(len(v.Text))
	case wire.ValueArray:
		return "an array"
	case wire.ValueSlice:
		return "a slice"
	case wire.ValueUint:
		return "unsigned type"
	case wire.ValueInt:
		return "signed type"
	}
	return "another kind"
}
