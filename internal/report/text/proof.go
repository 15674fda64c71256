package text

import (
	"fmt"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// proof says how a root was proven, or why it was not.
func (p *printer) proof(root *report.Root) {
	if of := root.Proof; of != nil && p.byCommand() && of.Sufficient && of.Necessary {
		p.prose(rootIndent, rootIndent, p.provenByRuns(of))
		return
	}
	if of := root.Proof; of != nil && root.Confidence == spectra.Confirmed && len(of.With) == 0 {
		const text = "proven in %s%s: old with this change alone deviates, new without it %s"
		without := "does not"
		if also := p.also(of); also != "" {
			without = also
		}
		p.prose(rootIndent, rootIndent, fmt.Sprintf(text, plural(of.Trials, "trial"), Amid(of), without))
	}
	p.reservations(root)
}

// reservations says with which other changes a root was proven, or why it was not.
func (p *printer) reservations(root *report.Root) {
	if root.Proof == nil {
		return
	}
	if names := p.names(root.Proof.With); len(names) > 0 {
		text := "old deviates if it has this change and "
		if root.Confidence == spectra.Confirmed {
			text = "proven together with "
		}
		text += strings.Join(names, ", ") + Amid(root.Proof)
		if also := p.also(root.Proof); also != "" {
			text += ": new without them " + also
		}
		p.prose(rootIndent, rootIndent, text)
	}
	if root.Proof.Reason != "" {
		p.prose(rootIndent, rootIndent, "not proven: "+clean(root.Proof.Reason))
	}
}

// also says by what else new shows the effect; "": nothing.
func (p *printer) also(of *report.Proof) string {
	names := p.names(of.Also)
	if len(names) == 0 {
		return ""
	}
	return "does, too, but not without " + strings.Join(names, ", ") + " as well"
}

// Amid says what was the same in all trials of a proof, where that matters.
func Amid(of *report.Proof) string {
	if !of.Amid {
		return ""
	}
	return ", all with new's types and dependencies, from which other values differ"
}
