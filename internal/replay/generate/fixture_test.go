package generate

import (
	"errors"
	"fmt"
	"strings"
)

const fixtureSource = `package p

type Stack struct{ items []int; pops int }
func New() *Stack { return nil }
func (s *Stack) Push(n int) {}
func (s *Stack) Pop() (int, error) { return 0, nil }
func (s *Stack) Check() string { return "" }

type Job interface{ Run() string }
type Wrapper func(Job) Job
type Plain struct{ Name string }
func (p Plain) Run() string { return "" }
func Wrap() Wrapper { return nil }

type Config struct{ Name string; Size int }
type Option func(*Config)
func WithName(name string) Option { return nil }
func WithSize(size int) Option { return nil }
func Build(options ...Option) *Config { return nil }
func (c *Config) Text() string { return "" }

type Node struct{ text string; next *Node }
func Parse(s string) (*Node, error) { return nil, nil }
func Find(s string) *Node { return nil }
func (n *Node) Next() *Node { return nil }
func (n *Node) Value() string { return "" }
func Join(first, second *Node) string { return "" }

type Level int
const ( Low Level = 3; High Level = 77 )
func Set(l Level) string { return "" }

func Map[T, U any](list []T, f func(T) U) []U { return nil }
func Merge(dst, src any) string { return "" }
func Boom(n int) {}
func Exit() {}
func Count(n int) int { return 0 }
func Size(n int) []int { return nil }
`

// A world is one executing process with the code hit in it.
type world struct{ hit map[uint32]bool }

type (
	Stack struct {
		items []int
		pops  int
	}
	Job     interface{ Run() string }
	Wrapper func(Job) Job
	Plain   struct{ Name string }
	Config  struct {
		Name string
		Size int
	}
	Option func(*Config)
	Node   struct {
		text string
		next *Node
	}
	Level   int
	wrapped struct{ inner Job }
	exited  struct{}
)

func (p Plain) Run() string   { return "ran " + p.Name }
func (w wrapped) Run() string { return "w(" + w.inner.Run() + ")" }

// Counters of the fixture. Only push 42, push anything, pop, check hits deepStack.
const (
	deepStack uint32 = iota + 1
	doubleWrap
	bothOptions
	goodParse
	badParse
	merged
	highLevel
	mapped
	closedBracket
)

// functions returns the operations of the fixture by name.
func (w *world) functions() map[string]any {
	hit := func(id uint32) { w.hit[id] = true }
	return map[string]any{
		"m/p.New":            func() *Stack { return &Stack{} },
		"m/p.(*Stack).Push":  func(s *Stack, n int) { s.items = append(s.items, n) },
		"m/p.(*Stack).Pop":   (*Stack).pop,
		"m/p.(*Stack).Check": func(s *Stack) string { return s.check(hit) },
		"m/p.Plain.Run":      Plain.Run,
		"m/p.Job.Run": func(j Job) string {
			text := j.Run()
			if strings.HasPrefix(text, "w(w(") {
				hit(doubleWrap)
			}
			return text
		},
		"m/p.Wrap":     func() Wrapper { return func(j Job) Job { return wrapped{j} } },
		"m/p.WithName": func(name string) Option { return func(c *Config) { c.Name = name } },
		"m/p.WithSize": func(size int) Option { return func(c *Config) { c.Size = size } },
		"m/p.Build": func(options ...Option) *Config {
			c := &Config{}
			for _, o := range options {
				o(c)
			}
			if len(options) > 1 && c.Name != "" && c.Size != 0 {
				hit(bothOptions)
			}
			return c
		},
		"m/p.(*Config).Text": func(c *Config) string { return fmt.Sprint(*c) },
		"m/p.Parse":          func(s string) (*Node, error) { return parseNode(s, hit) },
		"m/p.Find":           func(string) *Node { return nil },
		"m/p.(*Node).Next":   func(n *Node) *Node { return n.next },
		"m/p.(*Node).Value":  func(n *Node) string { return n.text },
		"m/p.Join":           func(first, second *Node) string { return first.text + second.text },
		"m/p.Set": func(l Level) string {
			if l == 77 {
				hit(highLevel)
			}
			return fmt.Sprint(int(l))
		},
		"m/p.Map[int,string]": func(list []int, f func(int) string) (out []string) {
			for _, n := range list {
				hit(mapped)
				out = append(out, f(n))
			}
			return out
		},
		"m/p.Merge": func(dst, src any) string { return merge(dst, src, hit) },
		"m/p.Boom":  func(n int) { panic(fmt.Sprintf("number %d", n)) },
		"m/p.Exit":  func() { panic(exited{}) },
		"m/p.Count": func(n int) int { return n % 4 },
		"m/p.Size":  func(n int) []int { return make([]int, min(max(n, 0), 9)) },
	}
}

func (s *Stack) pop() (int, error) {
	if len(s.items) == 0 {
		return -1, errors.New("empty")
	}
	n := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	s.pops++
	return n, nil
}

// check has a bug that needs four calls on one stack with one particular number.
func (s *Stack) check(hit func(uint32)) string {
	if s.pops == 1 && len(s.items) == 1 && s.items[0] == 42 {
		hit(deepStack)
		return "deep"
	}
	return "fine"
}

// parseNode returns a node even with an error. Such a value must not be used.
func parseNode(s string, hit func(uint32)) (*Node, error) {
	inner, open := strings.CutPrefix(s, "[")
	if !open {
		hit(badParse)
		return &Node{text: "poison"}, fmt.Errorf("parse %s", s)
	}
	hit(goodParse)
	if strings.HasSuffix(inner, "=]") {
		hit(closedBracket)
	}
	return &Node{text: inner}, nil
}

func merge(dst, src any, hit func(uint32)) string {
	to, pointer := dst.(*Config)
	from, value := src.(Config)
	if pointer && to != nil && value && from.Name != "" && to.Name == "" {
		to.Name = from.Name
		hit(merged)
		return "merged"
	}
	return "nothing"
}
