// Package fault says which package a step can't work on, and why, so that a run can go on without it.
//
// In: work on one package. Out: its error or panic as a Fault with the names of the package and the step. A panic of
// any other work is left alone: nobody could go on without the whole of it.
package fault

import (
	"fmt"
	"runtime/debug"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A Fault is a package that a step can't work on.
type Fault struct {
	Side    spectra.Side // "": either version
	Package string       // import path there
	Step    string       // such as "instrumenting"
	Reason  string
	Ours    bool   // it is an error of this program, not of the package
	Trace   string // of a panic, else ""

	// Importer is the package that imports something that this build does not have, so that nothing can be built that
	// imports it. "": that is not what is wrong.
	Importer string

	Lines []string // that the compiler names in a package that does not compile: "x.go:12"; "x.go": too many to name
}

// Error says what failed, and on what.
func (f *Fault) Error() string {
	text := fmt.Sprintf("%s package %s: %s", f.Step, f.Package, f.Text())
	if f.Side != "" {
		text = fmt.Sprintf("%s version: %s", f.Side, text)
	}
	return text
}

// Text says what is wrong, and what to do if that is an error of this program.
func (f *Fault) Text() string {
	switch {
	case f.Trace != "":
		return fmt.Sprintf("internal error while %s: %s; please report it (-v shows where)", f.Step, f.Reason)
	case f.Ours:
		return fmt.Sprintf("%s failed: %s; please report it", f.Step, f.Reason)
	}
	return f.Reason
}

// A List has the faults that a step found. As an error it always holds one at least.
type List []*Fault

func (l List) Error() string {
	var texts []string
	for _, f := range l {
		texts = append(texts, f.Error())
	}
	return strings.Join(texts, "\n")
}

// Together returns the faults of both versions as one error, those of old first; nil if there are none.
func Together(of spectra.Pair[List]) error {
	var all List
	of.Each(func(s spectra.Side, list List) {
		for _, f := range list {
			f.Side = s
		}
		all = append(all, list...)
	})
	if len(all) == 0 {
		return nil
	}
	return all
}

// In does work on a package, whose panics get the names of the package and the step. Whoever can go on without the
// package catches them.
func In(pkg, step string, work func()) {
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		f, named := v.(*Fault)
		if !named {
			f = &Fault{Package: pkg, Step: step, Reason: fmt.Sprint(v), Ours: true, Trace: string(debug.Stack())}
		}
		panic(f)
	}()
	work()
}

// Catch, if deferred, makes a List of a panic in work on a package, as an error.
func Catch(err *error) {
	switch v := recover().(type) {
	case nil:
	case *Fault:
		*err = List{v}
	default:
		panic(v)
	}
}

// Do does work on a package. Its error, or panic, is one fault.
func Do(pkg, step string, work func() error) (found List) {
	var err error
	func() {
		defer Catch(&err)
		In(pkg, step, func() { err = work() })
	}()
	if l, ok := err.(List); ok {
		return l
	}
	if err != nil {
		return List{{Package: pkg, Step: step, Reason: err.Error()}}
	}
	return nil
}
