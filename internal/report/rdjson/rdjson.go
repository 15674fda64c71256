// Package rdjson writes a report in the Reviewdog Diagnostic Format (rdjson), which reviewdog posts to reviews.
//
// In: a finished report. Out: one result with a diagnostic for each root, in the order of rank; verdict and warnings
// have no place in the format. The same report leads to the same bytes. Lines of the old version are told in the
// message alone, because the format has lines of the new one. Texts are printable, and cut where they are long. What
// the report does not know is absent.
package rdjson

import (
	"fmt"
	"io"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/finding"
	"github.com/spectradiff/spectradiff/internal/report/json"
	"github.com/spectradiff/spectradiff/internal/report/text"
)

type (
	result struct {
		Source      source       `json:"source"`
		Diagnostics []diagnostic `json:"diagnostics"`
	}

	source struct {
		Name string `json:"name"`
		URL  string `json:"url"`
	}

	diagnostic struct {
		Message  string    `json:"message"`
		Location *location `json:"location,omitempty"`
		Severity string    `json:"severity"`
		Code     *code     `json:"code,omitempty"`
		Output   string    `json:"original_output,omitempty"`
		Related  []related `json:"related_locations,omitempty"`
	}

	code struct {
		Value string `json:"value"`
	}

	related struct {
		Message  string   `json:"message"`
		Location location `json:"location"`
	}

	location struct {
		Path  string `json:"path"`
		Range *lines `json:"range,omitempty"`
	}

	lines struct {
		Start line  `json:"start"`
		End   *line `json:"end,omitempty"`
	}

	line struct {
		Line int `json:"line"`
	}
)

// maxRelated is how many further places a diagnostic names.
const maxRelated = 100

// Write prints a report.
func Write(w io.Writer, r *report.Report) error {
	r = r.FromRepository()
	phrases, roots := text.NewPhrases(r), report.Open(r.Roots)
	of := result{source{finding.Tool, finding.URL}, make([]diagnostic, len(roots))}
	for i := range roots {
		of.Diagnostics[i] = diagnosticOf(phrases, &roots[i])
	}
	if err := json.Encode(w, of); err != nil {
		return fmt.Errorf("write rdjson report: %w", err)
	}
	return nil
}

func diagnosticOf(phrases *text.Phrases, root *report.Root) diagnostic {
	d := diagnostic{
		Message: phrases.Summary(root), Location: place(root.Position), Severity: severity(finding.LevelOf(root)),
		Output: phrases.Details(root),
	}
	if root.Tier != "" {
		d.Code = &code{phrases.Line(string(root.Tier))}
	}
	for i := range root.Places[:min(len(root.Places), maxRelated)] {
		if at := place(root.Places[i].Position); at != nil {
			said := phrases.Short(root.Places[i].Function) + " changed in the same way"
			d.Related = append(d.Related, related{said, *at})
		}
	}
	return d
}

func severity(level finding.Level) string {
	switch level {
	case finding.Error:
		return "ERROR"
	case finding.Warning:
		return "WARNING"
	}
	return "INFO"
}

// place returns where a diagnostic stands, or nil.
func place(at *report.Position) *location {
	file, first, last := finding.Place(at)
	if file == "" {
		return nil
	}
	of := &location{Path: file}
	if first > 0 && !finding.Old(at) {
		of.Range = &lines{Start: line{first}}
		if last > 0 {
			of.Range.End = &line{last}
		}
	}
	return of
}
