package command

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"
	"mvdan.cc/sh/v3/syntax"
)

// unknown stands for a word that only a running shell knows.
const unknown = "x"

// quoted returns a word as a shell reads it.
func quoted(word string) string {
	if text, err := syntax.Quote(word, syntax.LangBash); err == nil {
		return text
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// document reads code blocks of a document: between fences, or indented.
func (m *miner) document(name, text string) {
	if !m.mentioned(text) {
		return
	}
	var block []string
	fenced := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") || trimmed == "----":
			m.block(block)
			block, fenced = nil, !fenced
		case fenced:
			block = append(block, line)
		case strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t") || prompted(trimmed):
			m.block([]string{line})
		}
	}
	m.block(block)
}

// mentioned reports whether a text has the name of a command.
func (m *miner) mentioned(text string) bool {
	for name := range m.commands {
		if strings.Contains(text, name) {
			return true
		}
	}
	return false
}

func prompted(line string) bool {
	return strings.HasPrefix(line, "$ ") || strings.HasPrefix(line, "% ")
}

// block reads the lines of a code block: what stands behind prompts, if it has some.
func (m *miner) block(lines []string) {
	prompts := slices.ContainsFunc(lines, func(line string) bool { return prompted(strings.TrimSpace(line)) })
	var list []string
	goesOn := false
	for _, line := range lines {
		line = strings.TrimSpace(line)
		if prompts && !goesOn && !prompted(line) {
			continue
		}
		if prompted(line) {
			line = line[2:]
		}
		if goesOn {
			list[len(list)-1] += " " + line
		} else {
			list = append(list, line)
		}
		last := &list[len(list)-1]
		if goesOn = strings.HasSuffix(*last, `\`); goesOn {
			*last = strings.TrimSuffix(*last, `\`)
		}
	}
	if m.shell(strings.Join(list, "\n")) {
		return
	}
	for _, line := range list {
		m.shell(line)
	}
}

// script reads a shell script, or what looks like one.
func (m *miner) script(name, text string) {
	if m.mentioned(text) && !m.shell(text) {
		m.block(strings.Split(text, "\n"))
	}
}

// archive reads the script of a test that has its files with it.
func (m *miner) archive(name, text string) {
	if !m.mentioned(text) {
		return
	}
	a := txtar.Parse([]byte(text))
	var files []File
	for _, f := range a.Files {
		name := path.Clean(f.Name)
		if len(f.Data) <= mostContent && len(files) < mostSamples && filepath.IsLocal(name) {
			files = append(files, File{name, string(f.Data)})
		}
	}
	input := ""
	for line := range strings.Lines(string(a.Comment)) {
		line = strings.TrimLeft(strings.TrimSpace(line), "!? ")
		if file, ok := strings.CutPrefix(line, "stdin "); ok {
			for _, f := range files {
				if f.Name == path.Clean(strings.TrimSpace(file)) {
					input = f.Content
				}
			}
			continue
		}
		if rest, ok := strings.CutPrefix(line, "["); ok {
			_, line, _ = strings.Cut(rest, "]")
		}
		line = strings.TrimPrefix(strings.TrimLeft(line, "!? "), "exec ")
		if m.within(line, input, files) {
			input = ""
		}
	}
}

// within adds the lines of a text that stands beside files. It reports whether there are some.
func (m *miner) within(text, input string, files []File) bool {
	inner := miner{root: m.root, commands: m.commands, lines: map[string][]Line{}}
	inner.shell(text)
	for name, list := range inner.lines {
		for _, l := range list {
			l.Files = files
			if l.Input == "" {
				l.Input = input
			}
			m.add(name, l)
		}
	}
	return len(inner.lines) > 0
}

// shell adds the calls of commands in a text in the language of shells. It reports whether the text is one.
func (m *miner) shell(text string) bool {
	if !m.mentioned(text) {
		return true
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		return false
	}
	var visit func(n syntax.Node) bool
	visit = func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BinaryCmd:
			if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
				syntax.Walk(n.X, visit)
				m.statement(n.Y, m.printed(n.X))
				return false
			}
		case *syntax.Stmt:
			m.statement(n, "")
		}
		return true
	}
	syntax.Walk(file, visit)
	return true
}

// statement adds the call that a statement makes.
func (m *miner) statement(s *syntax.Stmt, input string) {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok {
		return
	}
	var words []string
	for _, w := range call.Args {
		words = append(words, static(w))
	}
	for _, r := range s.Redirs {
		switch {
		case r.Hdoc != nil:
			input = static(r.Hdoc)
		case r.Op == syntax.WordHdoc:
			input = static(r.Word) + "\n"
		case r.Op == syntax.RdrIn:
			input = m.file(static(r.Word))
		}
	}
	for i, w := range words {
		if name := path.Base(w); m.commands[name] != "" && (i == 0 || wraps(words[:i])) {
			m.add(name, Line{Args: words[i+1:], Input: input})
			return
		}
	}
}

// wraps reports whether words are such that the next one is the command that runs.
func wraps(words []string) bool {
	switch words[0] {
	case "exec", "sudo", "run", "time", "env":
		return len(words) == 1 || words[0] == "env"
	case "go":
		return len(words) == 2 && words[1] == "run"
	}
	return false
}

// printed returns what a statement prints before a pipe, as far as it is known.
func (m *miner) printed(s *syntax.Stmt) string {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) < 2 {
		return ""
	}
	last := static(call.Args[len(call.Args)-1])
	switch static(call.Args[0]) {
	case "echo":
		return last + "\n"
	case "printf":
		return strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(static(call.Args[1]))
	case "cat":
		return m.file(last)
	}
	return ""
}

// file returns what a file of the module holds that was read before, or nothing.
func (m *miner) file(name string) string { return m.content[path.Clean(name)] }

// static returns the text of a word, with x where only a running shell knows it.
func static(w *syntax.Word) string {
	if w == nil {
		return ""
	}
	var b strings.Builder
	var parts func(list []syntax.WordPart)
	parts = func(list []syntax.WordPart) {
		for _, p := range list {
			switch p := p.(type) {
			case *syntax.Lit:
				b.WriteString(strings.ReplaceAll(p.Value, `\`, ""))
			case *syntax.SglQuoted:
				b.WriteString(p.Value)
			case *syntax.DblQuoted:
				parts(p.Parts)
			default:
				b.WriteString(unknown)
			}
		}
	}
	parts(w.Parts)
	return b.String()
}
