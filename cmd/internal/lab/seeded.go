package main

import (
	"fmt"
	"io"
	"slices"
)

// printSeeded prints the tables of one part of the experiment.
func printSeeded(w io.Writer, f *family, part string, all []seeded) {
	fmt.Fprintf(w, "\n%d faults in %d programs, %d inputs each, ", len(all), len(f.programs), f.inputs)
	if part == partInputs {
		fmt.Fprint(w, "as they are.\n\n")
	} else {
		fmt.Fprint(w, "and default settings.\n\n")
	}
	fmt.Fprint(w, "| program | like | faults | run | output deviates | value hit | value count | value trace "+
		"| root is the fault | at rank 1 | median, s |\n|---|---|---|---|---|---|---|---|---|---|---|\n")
	for _, p := range f.programs {
		seededRow(w, p.Name+" | "+p.Like, seededOf(all, p.Name))
	}
	seededRow(w, "all | ", all)
	if part == partInputs {
		ratios(w, f, all)
	}
	remarks(w, part, all)
}

func seededOf(all []seeded, program string) []seeded {
	return slices.DeleteFunc(slices.Clone(all), func(s seeded) bool { return s.module != program })
}

func seededRow(w io.Writer, title string, list []seeded) {
	count := func(of func(seeded) bool) (n int) {
		for _, s := range list {
			if of(s) {
				n++
			}
		}
		return n
	}
	fmt.Fprintf(w, "| %s | %d | %d |", title, len(list), count(func(s seeded) bool { return s.exposure.Covering > 0 }))
	for _, spectrum := range exposed {
		fmt.Fprintf(w, " %d |", count(func(s seeded) bool { return spectrum.of(s.exposure) > 0 }))
	}
	var seconds []float64
	for _, s := range list {
		seconds = append(seconds, s.seconds)
	}
	fmt.Fprintf(w, " %d | %d | %.0f |\n", count(func(s seeded) bool { return s.named }),
		count(func(s seeded) bool { return s.first }), median(seconds))
}

// ratios prints the deviation exposure ratio and the localisation ratio: by spectrum, and their means by program.
func ratios(w io.Writer, f *family, all []seeded) {
	plain := func(list []seeded) (of []measured) {
		for _, s := range list {
			of = append(of, s.measured)
		}
		return of
	}
	exposures(w, plain(all))
	localisation(w, plain(all))
	fmt.Fprint(w, "\n| mean ratio | output | value hit | value count | value trace | localisation |\n"+
		"|---|---|---|---|---|---|\n")
	for _, p := range f.programs {
		list := plain(seededOf(all, p.Name))
		fmt.Fprintf(w, "| %s |", p.Name)
		for _, spectrum := range exposed {
			fmt.Fprintf(w, " %.3f |", mean(exposureRatios(list, spectrum.of)))
		}
		fmt.Fprintf(w, " %.3f |\n", mean(localisationRatios(list)))
	}
}

// remarks prints what is special of single faults.
func remarks(w io.Writer, part string, all []seeded) {
	for _, s := range all {
		say := func(text string, args ...any) {
			fmt.Fprintf(w, "\n- %s (%s): %s", s.mutant.function, s.fault.Reason, fmt.Sprintf(text, args...))
		}
		e := s.exposure
		switch {
		case s.trouble != "":
			say("not compared: %s", firstLine(s.trouble))
			continue
		case e.Trace == 0:
			say("no spectrum deviates")
		case !s.first:
			say("the fault is not the first root; of tier %s", s.tier)
		}
		if e.Hit != e.Count || e.Count != e.Trace {
			say("hit %d, count %d, trace %d of %d", e.Hit, e.Count, e.Trace, e.Covering)
		}
		if part == partInputs && e.Output != s.differ {
			say("%d outputs deviate, and %d differ where the program runs alone", e.Output, s.differ)
		}
		if s.fault.Silent != "" {
			say("no output can differ: %s", s.fault.Silent)
		}
	}
	fmt.Fprintln(w)
}
