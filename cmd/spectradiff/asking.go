package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/accepted"
	"github.com/spectradiff/spectradiff/internal/report/text"
)

// An asking walks through findings and asks what to do with each, in plain lines, so that a pipe can answer.
type asking struct {
	to      io.Writer // for findings, which are guarded and may be coloured
	out     *text.Guard
	options text.Options
	lines   *bufio.Scanner
	how     report.Acceptance // its reason is that of the answer a
}

// errEnough ends the walk: what was decided until then stays.
var errEnough = errors.New("enough")

// newAsking returns an asking that prints to a stream.
func newAsking(to io.Writer, options text.Options, how report.Acceptance) *asking {
	return &asking{to: to, out: text.NewGuard(to), options: options, how: how}
}

// all asks for each finding that the list does not accept, and returns the list with what was accepted.
func (a *asking) all(in io.Reader, r *report.Report, list accepted.List) (accepted.List, error) {
	a.lines = bufio.NewScanner(in)
	roots, after := openRoots(r, list), list
	for i, root := range roots {
		var e *accepted.Entry
		err := asked(text.Root(a.to, r, root.Rank, a.options))
		if err == nil {
			e, err = a.one(root, fmt.Sprintf("%d of %d", i+1, len(roots)))
		}
		if errors.Is(err, errEnough) {
			break
		}
		if err != nil {
			return nil, err
		}
		if e != nil {
			after = after.With(*e)
		}
	}
	a.say("\n")
	return after, written(a.out.Flush())
}

// asked is what an error of writing a question means: if nobody reads them any more, it is enough.
func asked(err error) error {
	if err != nil && written(err) == nil {
		return errEnough
	}
	return err
}

// one asks what to do with a finding; nil = it is skipped.
func (a *asking) one(root *report.Root, place string) (*accepted.Entry, error) {
	for {
		answer, err := a.ask("\n" + place + ": accept? a accept, r accept for another reason, s skip, q quit: ")
		if err != nil {
			return nil, err
		}
		switch strings.ToLower(answer) {
		case "s", "skip":
			return nil, nil
		case "q", "quit":
			return nil, errEnough
		case "a", "accept":
			if a.how.Reason != "" {
				break
			}
			fallthrough
		case "r", "reason":
			if a.how.Reason, err = a.ask("reason: "); err != nil {
				return nil, err
			}
		default:
			continue
		}
		e := accepted.Of(root, a.how)
		if err := e.Check(); err != nil {
			a.say(err.Error() + "\n")
			a.how.Reason = ""
			continue
		}
		return &e, nil
	}
}

// ask prints a question and reads a line. If there is none, it is enough.
func (a *asking) ask(question string) (string, error) {
	a.say(question)
	if err := asked(a.out.Flush()); err != nil {
		return "", err
	}
	if !a.lines.Scan() {
		if err := a.lines.Err(); err != nil {
			return "", fmt.Errorf("read answers: %w", err)
		}
		return "", errEnough
	}
	return strings.TrimSpace(a.lines.Text()), nil
}

// say prints a text; an error shows when it is flushed.
func (a *asking) say(line string) { _, _ = io.WriteString(a.out, line) }
