// Package schedule runs processes by their priority.
package schedule

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// highest is the highest priority; the lowest is 1.
const highest = 3

// A process waits to be run.
type process struct {
	id       int
	priority int
	quanta   int // that it was given since its priority changed
}

// patience is the number of quanta after which a process loses a priority.
const patience = 4

// A queue holds processes, the one that waits longest first.
type queue []process

// push appends a process.
func (q *queue) push(p process) { *q = append(*q, p) }

// take removes the process at an index.
func (q *queue) take(i int) process {
	p := (*q)[i]
	*q = append((*q)[:i:i], (*q)[i+1:]...)
	return p
}

// nth returns the index that a ratio from 0 to 1 stands for.
func (q queue) nth(ratio float64) int {
	i := int(ratio * float64(len(q)))
	return min(i, len(q)-1)
}

// A scheduler holds the processes that are ready, by their priority, and those that are blocked.
type scheduler struct {
	ready   [highest + 1]queue
	blocked queue
	next    int // the next id
}

var errCommand = errors.New("no such command")

// Run begins with some processes of each priority, the lowest first, and carries out commands, one a line:
//
//	new PRIORITY             a process is made
//	upgrade PRIORITY RATIO   the process at this part of its queue gets the next higher priority
//	block                    the first process is blocked
//	unblock RATIO            the process at this part of the blocked ones is ready again
//	quantum                  the first process is run for a while
//	finish                   the first process ends
//	flush                    all processes that are ready end
//
// It returns the processes in the order in which they ended, one line for each command that ended some.
func Run(args []string, commands string) (string, error) {
	s := &scheduler{next: 1}
	if err := s.populate(args); err != nil {
		return "", err
	}
	var out strings.Builder
	for i, line := range strings.Split(commands, "\n") {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		ended, err := s.do(words[0], words[1:])
		if err != nil {
			return out.String(), fmt.Errorf("line %d: %s: %w", i+1, words[0], err)
		}
		if len(ended) > 0 {
			out.WriteString(list(ended) + "\n")
		}
	}
	return out.String(), nil
}

// populate makes the first processes.
func (s *scheduler) populate(counts []string) error {
	if len(counts) > highest {
		return fmt.Errorf("at most %d counts", highest)
	}
	for i, text := range counts {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 {
			return fmt.Errorf("no count of processes: %q", text)
		}
		for range n {
			s.add(i + 1)
		}
	}
	return nil
}

// list prints the numbers of processes.
func list(ended []process) string {
	var texts []string
	for _, p := range ended {
		texts = append(texts, strconv.Itoa(p.id))
	}
	return strings.Join(texts, " ")
}

// do carries out a command, and returns the processes that it ended.
func (s *scheduler) do(command string, args []string) ([]process, error) {
	switch command {
	case "new":
		priority, err := priorityOf(args)
		if err != nil {
			return nil, err
		}
		s.add(priority)
	case "upgrade":
		priority, err := priorityOf(args)
		if err != nil {
			return nil, err
		}
		ratio, err := ratioOf(args[1:])
		if err != nil {
			return nil, err
		}
		s.upgrade(priority, ratio)
	case "block":
		s.block()
	case "unblock":
		ratio, err := ratioOf(args)
		if err != nil {
			return nil, err
		}
		s.unblock(ratio)
	case "quantum":
		s.quantum()
	case "finish":
		return s.finish(), nil
	case "flush":
		return s.flush(), nil
	default:
		return nil, errCommand
	}
	return nil, nil
}

func priorityOf(args []string) (int, error) {
	if len(args) == 0 {
		return 0, errors.New("which priority?")
	}
	n, err := strconv.Atoi(args[0])
	if err != nil || n < 1 || n > highest {
		return 0, fmt.Errorf("no priority: %q", args[0])
	}
	return n, nil
}

func ratioOf(args []string) (float64, error) {
	if len(args) == 0 {
		return 0, errors.New("which ratio?")
	}
	r, err := strconv.ParseFloat(args[0], 64)
	if err != nil || !(r >= 0 && r <= 1) {
		return 0, fmt.Errorf("no ratio: %q", args[0])
	}
	return r, nil
}

// add makes a process.
func (s *scheduler) add(priority int) {
	s.ready[priority].push(process{id: s.next, priority: priority})
	s.next++
}

// first returns the highest priority of a process that is ready; 0 = there is none.
func (s *scheduler) first() int {
	for p := highest; p > 0; p-- {
		if len(s.ready[p]) > 0 {
			return p
		}
	}
	return 0
}

// upgrade gives a process the next higher priority.
func (s *scheduler) upgrade(priority int, ratio float64) {
	q := &s.ready[priority]
	if priority == highest || len(*q) == 0 {
		return
	}
	p := q.take(q.nth(ratio))
	p.priority++
	p.quanta = 0
	s.ready[p.priority].push(p)
}

// block blocks the first process.
func (s *scheduler) block() {
	if p := s.first(); p > 0 {
		s.blocked.push(s.ready[p].take(0))
	}
}

// unblock makes a blocked process ready.
func (s *scheduler) unblock(ratio float64) {
	if len(s.blocked) == 0 {
		return
	}
	p := s.blocked.take(s.blocked.nth(ratio))
	s.ready[p.priority].push(p)
}

// quantum runs the first process, which then waits behind those of its priority. One that was run often loses a
// priority.
func (s *scheduler) quantum() {
	first := s.first()
	if first == 0 {
		return
	}
	p := s.ready[first].take(0)
	p.quanta++
	if p.quanta >= patience && p.priority > 1 {
		p.priority--
		p.quanta = 0
	}
	s.ready[p.priority].push(p)
}

// finish ends the first process.
func (s *scheduler) finish() []process {
	p := s.first()
	if p == 0 {
		return nil
	}
	return []process{s.ready[p].take(0)}
}

// flush ends all processes that are ready.
func (s *scheduler) flush() (ended []process) {
	for {
		p := s.finish()
		if len(p) == 0 {
			return ended
		}
		ended = append(ended, p...)
	}
}
