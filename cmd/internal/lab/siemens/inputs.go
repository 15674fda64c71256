package siemens

import (
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// Inputs draws inputs of a program as its users may give them. Of two lists the longer one begins with the other.
func (p Program) Inputs(n int) []Input {
	var list []Input
	for i := range n {
		list = append(list, p.draw(rand.New(rand.NewPCG(uint64(i), uint64(len(p.Name))))))
	}
	return list
}

// among draws one of some values.
func among[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

// chance is true once in n times.
func chance(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

// some draws each of some words once in n times.
func some(r *rand.Rand, n int, words ...string) (list []string) {
	for _, w := range words {
		if chance(r, n) {
			list = append(list, w)
		}
	}
	return list
}

func drawTokens(r *rand.Rand) Input {
	var text strings.Builder
	for range 1 + r.IntN(5) {
		text.WriteString(strings.Repeat(among(r, " ", "\t"), r.IntN(3)))
		text.WriteString(expression(r, 3))
		if chance(r, 3) {
			text.WriteString(among(r, " ; ", ";") + among(r, "a comment", "x", "(quoted \"text\")  ", ""))
		}
		if !chance(r, 8) {
			text.WriteString(strings.Repeat("\n", 1+r.IntN(2)))
		}
	}
	if chance(r, 20) {
		text.WriteString(among(r, "#", "\"open", "'"))
	}
	return Input{some(r, 2, "-n", "-c", "-s"), text.String()}
}

// expression draws an expression, lists in lists as deep as said.
func expression(r *rand.Rand, depth int) string {
	if depth == 0 || chance(r, 2) {
		return atom(r)
	}
	var parts []string
	for range r.IntN(5) {
		parts = append(parts, expression(r, depth-1))
	}
	inside := strings.Join(parts, " ")
	if chance(r, 4) {
		return among(r, "'", "`") + "(" + inside + ")"
	}
	return among(r, "(", "(", "[") + inside + among(r, ")", ")", ")", "]", "")
}

func atom(r *rand.Rand) string {
	switch r.IntN(8) {
	case 0:
		return among(r, "and", "or", "not", "if", "else", "let", "lambda", "define", "=>")
	case 1:
		return strconv.Itoa(r.IntN(2000) - 500)
	case 2:
		return among(r, "1.5", "-0.25", ".5", "+3", "1.2.3", "12x", "-")
	case 3:
		return among(r, `"text"`, `"a b"`, `""`, `"say \"hi\""`, `"a\\"`, `"open`)
	case 4:
		return among(r, "#a", "#space", "#newline", "#(", "#tab", "# ")
	case 5:
		return among(r, "empty?", "set-car!", "a1", "_x", "x+y", "andalso", "If")
	}
	return among(r, "x", "y", "list", "total", "name", "fold-left")
}

func drawSchedule(r *rand.Rand) Input {
	var counts, lines []string
	for range 3 {
		counts = append(counts, strconv.Itoa(r.IntN(5)))
	}
	ratio := func() string { return among(r, "0", "0.25", "0.5", "0.7", "0.99", "1") }
	for range 3 + r.IntN(25) {
		lines = append(lines, among(r,
			"quantum", "quantum", "quantum", "finish", "block", "block", "unblock "+ratio(),
			fmt.Sprintf("upgrade %d %s", 1+r.IntN(3), ratio()), fmt.Sprintf("new %d", 1+r.IntN(3))))
	}
	if chance(r, 12) {
		lines = append(lines, among(r, "new 0", "new 4", "upgrade 1 2", "upgrade 2", "stop"))
	}
	if !chance(r, 4) {
		lines = append(lines, "flush")
	}
	return Input{counts, strings.Join(lines, "\n") + "\n"}
}

func drawTotals(r *rand.Rand) Input {
	var text strings.Builder
	for range 1 + r.IntN(3) {
		rows, columns := 1+r.IntN(4), 1+r.IntN(5)
		if chance(r, 25) {
			rows, columns = among(r, 0, 2, 11), among(r, 2, 11)
		}
		fmt.Fprintf(&text, "%d %d%s\n", rows, columns, among(r, "", " # counts"))
		most, empty := among(r, 3, 12, 60), r.IntN(12)
		for i := range rows {
			for j := range columns {
				n := r.IntN(most)
				if i == empty || j+6 == empty {
					n = 0
				}
				fmt.Fprintf(&text, "%d ", n)
			}
			text.WriteString("\n")
		}
	}
	if chance(r, 15) {
		text.WriteString(among(r, "2 2 1 2 3", "2 x", "2 2 1 -1 1 1"))
	}
	return Input{some(r, 2, "-t", "-s"), text.String()}
}

func drawAltitude(r *rand.Rand) Input {
	var lines []string
	for range 1 + r.IntN(4) {
		lines = append(lines, strings.Join(situation(r), " "))
	}
	if len(lines) == 1 {
		return Input{Args: strings.Fields(lines[0])}
	}
	return Input{Text: strings.Join(lines, "\n") + "\n"}
}

// situation draws the words of a situation, in which separations often are near those that are needed.
func situation(r *rand.Rand) (words []string) {
	own := among(r, 500, 900, 1500, 4000, 9000) + r.IntN(400)
	other := own + among(r, -1, 1)*among(r, r.IntN(300), r.IntN(900), 300, 2400, 4000)
	rate := func() int { return among(r, 0, -500, 500, 600, 1200, -1200, 2600, -2600) + r.IntN(2)*r.IntN(90) }
	layer := r.IntN(5)
	separation := func() int {
		return among(r, 300, 400, 500, 640, 740) + among(r, 0, 0, 100, -100, 30, r.IntN(500)-250)
	}
	above := separation()
	below := among(r, above, separation(), separation())
	for _, n := range []int{own, other, rate(), rate(), above, below, layer, among(r, 0, 0, 1, 2)} {
		words = append(words, strconv.Itoa(n))
	}
	for _, w := range []string{"trusted", "valid"} {
		if !chance(r, 12) {
			words = append(words, w)
		}
	}
	return append(words, some(r, 3, "equipped", "noclimb", "nodescent")...)
}

func drawReplace(r *rand.Rand) Input {
	args := some(r, 5, "-i", "-f")
	pattern := among(r, "", "", "", "", "%", "%*")
	for range 1 + r.IntN(3) {
		pattern += among(r,
			"a", "b", "l", "?", "[a-c]", "[^a-c]", "[0-9]", "[a-]", "[A-Z]", "@*", "@t", "e$", "x%", " ")
		pattern += among(r, "", "", "*")
	}
	args = append(args, pattern+among(r, "", "", "$"))
	if !chance(r, 8) {
		args = append(args, among(r, "&", "<&>", "@&", "x", "", "@t", "&&", "new@n"))
	}
	if chance(r, 20) {
		args = append(args, among(r, "[a-c", "", "a"))
	}
	var text strings.Builder
	for range 1 + r.IntN(4) {
		for range r.IntN(5) {
			text.WriteString(among(r, "a", "abc", "b-c", "hello", "x%", "e$e", "Z", "42", " ", "*", "\t", "aaa"))
		}
		text.WriteString(among(r, "\n", "\n", "\n", ""))
	}
	return Input{args, text.String()}
}
