package replay

import (
	"errors"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A program is a sequence in the form that drivers read. It begins with the number of its statements.
type program []byte

func (q program) statements() int {
	r := wire.NewReader(q)
	return r.Count()
}

func programsOf(sequences []sequence.Sequence) []program {
	list := make([]program, len(sequences))
	for i, q := range sequences {
		list[i] = sequence.AppendWire(nil, q)
	}
	return list
}

// A reply is what a driver gave for one sequence, not decoded.
type reply struct {
	hello []byte // of its process
	index int    // of the sequence in its process
	body  []byte // of the frame; nil: the process ended in the sequence
	end   ending
	left  remains
}

// encodeReplies encodes what the drivers gave for some sequences. The hello of a process stands once.
func encodeReplies(played []Played) []byte {
	var w wire.Writer
	w.Count(len(played))
	var hello *byte
	for i := range played {
		a := played[i].reply
		fresh := hello == nil || hello != first(a.hello)
		if w.Bool(fresh); fresh {
			w.Bytes(a.hello)
			hello = first(a.hello)
		}
		w.Bool(a.body != nil)
		if a.body != nil {
			w.Count(a.index)
			w.Bytes(a.body)
			continue
		}
		w.Byte(byte(a.end.Kind))
		w.Text(a.end.Detail)
		w.Text(string(a.end.clock))
		w.Bool(a.end.burst)
		w.Uint(a.left.statement)
		w.Text(a.left.stdout)
		w.Text(a.left.stderr)
		w.Bool(a.left.salvaged)
		w.Bytes(a.left.events)
	}
	return w
}

// first tells texts of processes apart: two that are equal are not the same.
func first(b []byte) *byte {
	if len(b) == 0 {
		return nil
	}
	return &b[0]
}

// errReplies reports bytes that are no replies of drivers to a task.
var errReplies = errors.New("these are no replies to the task")

// Read decodes what a task gave for some sequences, as Play does what drivers of this machine give: nobody trusts
// either.
func (p *Player) Read(replies []byte, sequences []sequence.Sequence, mode wire.Mode) ([]Played, error) {
	r := wire.NewReader(replies)
	n := r.Count()
	if r.Err() != nil || n > len(sequences) || n == 0 && len(sequences) > 0 { // a player plays at least one
		return nil, errReplies
	}
	played := make([]Played, 0, n)
	var s *session
	for i := range n {
		if r.Bool() || s == nil {
			s = &session{p: p}
			if err := s.hello(r.Bytes()); err != nil {
				return nil, errors.Join(errReplies, err)
			}
		}
		done, err := s.read(&r, len(sequences[i].Statements), mode)
		if err = errors.Join(err, r.Err()); err != nil {
			return nil, errors.Join(errReplies, err)
		}
		played = append(played, done)
	}
	if r.Len() > 0 {
		return nil, errReplies
	}
	return played, nil
}

// read decodes the answer for one sequence.
func (s *session) read(r *wire.Reader, statements int, mode wire.Mode) (Played, error) {
	if r.Bool() {
		index := r.Number()
		return s.outcome(r.Bytes(), asked{index: index, statements: statements})
	}
	kind := wire.End(r.Byte())
	if kind > wire.EndBlocked {
		r.Fail(wire.ErrNumber)
	}
	e := ending{
		End: spectra.End{Kind: kind, Detail: r.TextUpTo(wire.LongText)}, clock: Clock(r.Text()), burst: r.Bool(),
	}
	if e.clock != "" && s.p.Limits.Of(e.clock) == 0 {
		r.Fail(wire.ErrNumber)
	}
	left := remains{
		statement: r.Uint(), stdout: r.TextUpTo(wire.OutputSize), stderr: r.TextUpTo(wire.OutputSize),
		salvaged: r.Bool(), events: r.Bytes(),
	}
	if int64(len(left.events)) > s.p.Limits.EventBytes {
		r.Fail(wire.ErrMany)
	}
	if r.Err() != nil {
		return Played{}, r.Err()
	}
	return s.cut(e, left, statements, mode), nil
}
