// Package difftest makes recorded spectra for tests from a text that reads like a call tree.
//
// In: lines, one an execution, indented by two spaces for each call level:
//
//	m.F(recv=3 s=abc l=[1,2]) -> ret0=4 panic=boom @12 !panic
//
// The exit state stands behind the arrow, and marks may follow it:
//
//	@N                     the line of the call
//	!panic !goexit !open   how the execution ended, unless it returned
//	~entry ~exit           the state is truncated
//	#digests               it was recorded without values
//	left:F                 a goroutine that began with F still waits
//
// "go " before a function starts a goroutine. Other lines are about the whole sequence:
//
//	--            the next driven call begins
//	stray         goroutines follow that no driven call started
//	result TEXT   a result of the call, as a caller sees it
//	stub TEXT     a call of a function that was an argument, with what it was handed
//	stdout TEXT   printed text
//	end KIND      how the sequence ended
//
// A value is a number, a list, nil or a string.
//
// Out: a spectrum whose digests are made of the values. It panics on a text that it can't read. It also
// writes the tree of a comparison as text. Only tests use it.
package difftest

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// ends are the names of the ways to end.
var ends = map[string]wire.End{
	"exited": wire.EndExited, "crashed": wire.EndCrashed, "timeout": wire.EndTimeout, "blocked": wire.EndBlocked,
	"steps": wire.EndStepLimit,
}

// Spectrum reads a spectrum.
func Spectrum(text string) *spectra.Spectrum {
	s := &spectra.Spectrum{Steps: []spectra.StepOutcome{{Ran: true}}}
	stray := false
	var open []*spectra.Execution
	for _, line := range strings.Split(text, "\n") {
		line = strings.ReplaceAll(line, "\t", "")
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch word {
		case "":
		case "--":
			s.Steps = append(s.Steps, spectra.StepOutcome{Ran: true})
		case "stray":
			stray = true
		case "result":
			step := &s.Steps[len(s.Steps)-1]
			step.Results = append(step.Results, output(rest))
		case "stub":
			s.StubCalls = append(s.StubCalls, spectra.StubCall{Output: output(rest), Step: len(s.Steps) - 1})
		case "stdout":
			s.Stdout += rest + "\n"
		case "end":
			s.End.Kind = ends[rest]
		default:
			depth := (len(line) - len(strings.TrimLeft(line, " "))) / 2
			e := execution(strings.TrimSpace(line))
			open = append(open[:depth], e)
			switch step := &s.Steps[len(s.Steps)-1]; {
			case depth > 0:
				open[depth-1].Children = append(open[depth-1].Children, e)
			case stray:
				s.Stray = append(s.Stray, e)
			default:
				step.Calls = append(step.Calls, e)
			}
		}
	}
	return s
}

func execution(line string) *spectra.Execution {
	rest, isGo := strings.CutPrefix(line, "go ")
	at := strings.LastIndex(rest, ") ->")
	open := strings.LastIndex(rest[:max(at, 0)], "(")
	if at < 0 || open < 0 {
		panic(fmt.Sprintf("difftest: no \"name(entry) -> exit\": %q", line))
	}
	e := &spectra.Execution{Symbol: spectra.Symbol(rest[:open]), Go: isGo}
	e.Point = &spectra.Point{Symbol: e.Symbol, File: "f.go"}
	e.Entry = State(strings.Fields(rest[open+1 : at])...)
	var exit []string
	digests := false
	for _, word := range strings.Fields(rest[at+len(") ->"):]) {
		switch {
		case word[0] == '@':
			e.Site, _ = strconv.Atoi(word[1:])
		case word == "!panic":
			e.How = spectra.Panicked
		case word == "!goexit":
			e.How = spectra.Goexited
		case word == "!open":
			e.How = spectra.Open
		case word == "~entry":
			e.Entry.Truncated = true
		case word == "~exit":
			e.Exit.Truncated = true
		case word == "#digests":
			digests = true
		case strings.HasPrefix(word, "left:"):
			e.Goroutines = append(e.Goroutines, spectra.Goroutine{Start: word[len("left:"):], Waiting: true})
		default:
			exit = append(exit, word)
		}
	}
	truncated := e.Exit.Truncated
	e.Exit = State(exit...)
	e.Exit.Truncated = truncated
	if digests {
		e.Entry, e.Exit = e.Entry.WithSlots(nil), e.Exit.WithSlots(nil)
	}
	return e
}

// State reads slots, each "name=value".
func State(slots ...string) spectra.State {
	list := []spectra.Slot{}
	for _, slot := range slots {
		name, text, _ := strings.Cut(slot, "=")
		list = append(list, spectra.Slot{Name: name, Value: value(text)})
	}
	s := spectra.State{}.WithSlots(list)
	s.Digest = digest(strings.Join(slots, " "))
	return s
}

func output(text string) spectra.Output { return spectra.Output{Text: text, Digest: digest(text)} }

func digest(text string) spectra.Digest {
	sum := sha256.Sum256([]byte(text))
	return spectra.Digest{binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])}
}

func value(text string) *spectra.Value {
	if n, err := strconv.Atoi(text); err == nil {
		return &spectra.Value{Kind: wire.ValueInt, Bits: uint64(n)}
	}
	if text == "nil" {
		return &spectra.Value{Kind: wire.ValueNil}
	}
	if !strings.HasPrefix(text, "[") {
		return &spectra.Value{Kind: wire.ValueString, Text: text}
	}
	list := &spectra.Value{Kind: wire.ValueSlice, ID: 1}
	for _, element := range strings.FieldsFunc(strings.Trim(text, "[]"), func(r rune) bool { return r == ',' }) {
		list.Items = append(list.Items, spectra.Item{Value: value(element)})
	}
	return list
}
