package page

import (
	"cmp"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Limits of a call tree with states, of which a saved report may claim to have any size.
const (
	maxNodes  = 2500
	maxStates = 300_000 // bytes of their texts
	maxList   = 50      // values of one list of a state
)

// calls returns the nodes of a call tree, and how many executions have none.
func (v *viewer) calls(of *report.Calls) (nodes []node, left int) {
	left = max(of.Left, 0)
	room := maxStates
	for i := range of.Nodes {
		c := &of.Nodes[i]
		if len(nodes) == maxNodes {
			left += max(c.Executions, 1)
			continue
		}
		n := node{
			Depth: max(0, min(c.Depth, maxDepth)), Text: v.name(spectra.Symbol(c.Function).Short()),
			Status: v.name(string(c.Status)), Calls: max(1, c.Executions), Root: c.Root, Ended: v.ended(c.Ended),
		}
		switch {
		case c.Function == "":
			n.Text = "several functions"
		case v.name(c.Function) != n.Text:
			n.Name = v.name(c.Function)
		}
		if c.Executions > 0 && c.Status == report.CallEqual {
			n.Status = statusFolded
		}
		if c.Go {
			n.Text = "go " + n.Text
		}
		if room > 0 {
			n.Entry, n.Exit = v.state(c.Entry, &room), v.state(c.Exit, &room)
		}
		nodes = append(nodes, n)
	}
	return nodes, left
}

// ended says how an execution ended that did not return.
func (v *viewer) ended(of *report.Endings) string {
	switch {
	case of == nil:
		return ""
	case of.Old == of.New:
		return v.name(of.Old)
	case of.Old == "" || of.New == "":
		return v.name(cmp.Or(of.Old, of.New))
	}
	return "old " + v.name(of.Old) + ", new " + v.name(of.New)
}

func (v *viewer) state(of *report.CallState, room *int) *state {
	if of == nil {
		return nil
	}
	out := &state{Omitted: max(0, of.Omitted)}
	for _, list := range []struct {
		from []report.CallValue
		to   *[][]string
	}{{of.Values, &out.Values}, {of.Differ, &out.Differ}, {of.Shared, &out.Shared}} {
		n := min(len(list.from), maxList)
		for _, value := range list.from[:n] {
			texts := v.besides(value)
			for _, text := range texts {
				*room -= len(text)
			}
			*list.to = append(*list.to, texts)
		}
		out.Omitted += len(list.from) - n
	}
	return out
}

// besides returns the path of a value, its old text, and its new one if that is another.
func (v *viewer) besides(of report.CallValue) []string {
	switch {
	case of.Varies:
		return []string{v.name(of.Path)}
	case of.New == "" || of.New == of.Old:
		return []string{v.name(of.Path), v.name(of.Old)}
	}
	return []string{v.name(of.Path), v.name(of.Old), v.name(of.New)}
}
