package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spectradiff/spectradiff/internal/report"
)

// exposed are the spectra of a run, and in how many sequences each deviated.
var exposed = []struct {
	name string
	of   func(report.Exposure) int
}{
	{"output", func(e report.Exposure) int { return e.Output }},
	{"value hit", func(e report.Exposure) int { return e.Hit }},
	{"value count", func(e report.Exposure) int { return e.Count }},
	{"value trace", func(e report.Exposure) int { return e.Trace }},
}

// printMutants prints the table of mutants.
func printMutants(w io.Writer, s settings, all []measured) {
	var names []string
	for _, m := range all {
		if !slices.Contains(names, m.module) {
			names = append(names, m.module)
		}
	}
	fmt.Fprintf(w, "%d mutants of %d modules, %d sequences each.\n\n", len(all), len(names), s.sequences)
	fmt.Fprintln(w,
		"| module | mutants | run | output deviates | value spectra deviate | root is the mutant | at rank 1 |")
	fmt.Fprintln(w, "|---|---|---|---|---|---|---|")
	for _, name := range names {
		row(w, name, slices.DeleteFunc(slices.Clone(all), func(m measured) bool { return m.module != name }))
	}
	row(w, "all", all)
	exposures(w, all)
	localisation(w, all)
	for _, m := range all {
		if m.trouble != "" {
			at := m.mutant
			fmt.Fprintf(w, "\nNot compared: %s, %s:%d: %s\n", m.module, at.file, at.line, firstLine(m.trouble))
		}
	}
}

// row prints the counts of some mutants.
func row(w io.Writer, name string, list []measured) {
	count := func(of func(measured) bool) int {
		n := 0
		for _, m := range list {
			if of(m) {
				n++
			}
		}
		return n
	}
	fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d | %d |\n", name, len(list),
		count(func(m measured) bool { return m.exposure.Covering > 0 }),
		count(func(m measured) bool { return m.exposure.Output > 0 }),
		count(func(m measured) bool { return m.exposure.Trace > 0 }),
		count(func(m measured) bool { return m.named }), count(func(m measured) bool { return m.first }))
}

// exposures prints the deviation exposure ratio by spectrum: of the sequences that run a mutant, those that deviate.
func exposures(w io.Writer, all []measured) {
	fmt.Fprint(w, "\n| deviation exposure ratio | first quartile | median | third quartile | mean |\n"+
		"|---|---|---|---|---|\n")
	for _, s := range exposed {
		quartiles(w, s.name, exposureRatios(all, s.of))
	}
}

func exposureRatios(all []measured, of func(report.Exposure) int) (ratios []float64) {
	for _, m := range all {
		if m.exposure.Covering > 0 {
			ratios = append(ratios, float64(of(m.exposure))/float64(m.exposure.Covering))
		}
	}
	return ratios
}

// localisation prints the deviation-root localisation ratio: of the sequences that deviate, those whose root is the
// mutated function.
func localisation(w io.Writer, all []measured) {
	fmt.Fprint(w, "\n| deviation-root localisation ratio | first quartile | median | third quartile | mean |\n"+
		"|---|---|---|---|---|\n")
	quartiles(w, "value hit", localisationRatios(all))
}

func localisationRatios(all []measured) (ratios []float64) {
	for _, m := range all {
		if m.exposure.Hit > 0 {
			ratios = append(ratios, min(1, float64(m.located)/float64(m.exposure.Hit)))
		}
	}
	return ratios
}

func quartiles(w io.Writer, name string, ratios []float64) {
	if len(ratios) == 0 {
		return
	}
	slices.Sort(ratios)
	at := func(part float64) float64 { return ratios[int(part*float64(len(ratios)-1)+0.5)] }
	fmt.Fprintf(w, "| %s | %.3f | %.3f | %.3f | %.3f |\n", name, at(0.25), at(0.5), at(0.75), mean(ratios))
}

// mean returns the mean of some values; of none it is no number.
func mean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}
