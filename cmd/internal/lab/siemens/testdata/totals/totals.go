// Package totals says how far the rows and columns of tables of counts depend on each other.
package totals

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// most is the number of rows and columns that a table may have.
const most = 10

// A table holds counts.
type table struct {
	rows, columns int
	counts        []float64 // row by row
}

// at returns a count.
func (t *table) at(row, column int) float64 { return t.counts[row*t.columns+column] }

// row returns the sum of a row.
func (t *table) row(i int) (sum float64) {
	for j := range t.columns {
		sum += t.at(i, j)
	}
	return sum
}

// column returns the sum of a column.
func (t *table) column(j int) (sum float64) {
	for i := range t.rows {
		sum += t.at(i, j)
	}
	return sum
}

// A statistic is what a table says.
type statistic struct {
	information float64 // twice the logarithm of the ratio of likelihoods
	freedom     int     // degrees of it
}

var errSmall = errors.New("table is too small")

// Run reads tables: lines with the numbers of rows and columns, each followed by the rows. What follows a # is a
// comment. It returns a line for each table, and with -t one for all of them. With -s rows and columns without counts
// are an error.
func Run(args []string, text string) (string, error) {
	total, strict := false, false
	for _, a := range args {
		switch a {
		case "-t":
			total = true
		case "-s":
			strict = true
		default:
			return "", fmt.Errorf("unknown option %q", a)
		}
	}
	var out strings.Builder
	var sum statistic
	in := &reader{lines: strings.Split(text, "\n")}
	for {
		t, err := in.table()
		if err != nil || t == nil {
			if err == nil && total {
				out.WriteString(sum.line("total"))
			}
			return out.String(), err
		}
		s, err := t.information(strict)
		if err != nil {
			fmt.Fprintf(&out, "%d × %d: %v\n", t.rows, t.columns, err)
			continue
		}
		out.WriteString(s.line(fmt.Sprintf("%d × %d", t.rows, t.columns)))
		sum.information += s.information
		sum.freedom += s.freedom
	}
}

// line prints a statistic.
func (s statistic) line(title string) string {
	q := tail(s.information, s.freedom)
	return fmt.Sprintf("%s: information %.3f, freedom %d, probability %.4f\n", title, s.information, s.freedom, q)
}

// A reader reads the words of lines.
type reader struct {
	lines []string
	words []string // of the current line that were not read
}

// number returns the next number. At the end it returns false.
func (r *reader) number() (int, bool, error) {
	for len(r.words) == 0 {
		if len(r.lines) == 0 {
			return 0, false, nil
		}
		r.words = strings.Fields(uncommented(r.lines[0]))
		r.lines = r.lines[1:]
	}
	word := r.words[0]
	r.words = r.words[1:]
	n, err := strconv.Atoi(word)
	if err != nil || n < 0 {
		return 0, false, fmt.Errorf("no count: %q", word)
	}
	return n, true, nil
}

func uncommented(line string) string {
	before, _, _ := strings.Cut(line, "#")
	return before
}

// table returns the next table; nil = there is none.
func (r *reader) table() (*table, error) {
	rows, ok, err := r.number()
	if !ok || err != nil {
		return nil, err
	}
	columns, ok, err := r.number()
	if err != nil {
		return nil, err
	}
	if !ok || rows == 0 || columns == 0 || rows > most || columns > most {
		return nil, fmt.Errorf("no size of a table: %d × %d", rows, columns)
	}
	t := &table{rows: rows, columns: columns}
	for range rows * columns {
		n, ok, err := r.number()
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, fmt.Errorf("table ends after %d counts", len(t.counts))
		}
		t.counts = append(t.counts, float64(n))
	}
	return t, nil
}

// information computes the statistic of a table without the rows and columns that have no counts.
func (t *table) information(strict bool) (s statistic, err error) {
	rows, columns, all := 0, 0, 0.0
	for i := range t.rows {
		sum := t.row(i)
		if sum > 0 {
			rows++
		}
		all += sum
		s.information -= entropy(sum)
	}
	for j := range t.columns {
		sum := t.column(j)
		if sum > 0 {
			columns++
		}
		s.information -= entropy(sum)
	}
	if strict && (rows < t.rows || columns < t.columns) {
		return statistic{}, errors.New("nothing in a row or a column")
	}
	if rows < 2 || columns < 2 {
		return statistic{}, errSmall
	}
	for _, n := range t.counts {
		s.information += entropy(n)
	}
	s.information = max(0, 2*(s.information+entropy(all)))
	s.freedom = (rows - 1) * (columns - 1)
	return s, nil
}

// entropy returns n log n.
func entropy(n float64) float64 {
	if n <= 0 {
		return 0
	}
	return n * math.Log(n)
}

// tail returns the probability that chance leads to at least that much information.
func tail(information float64, freedom int) float64 {
	if freedom == 0 {
		return 1
	}
	return upperGamma(float64(freedom)/2, information/2)
}

// upperGamma returns the regularised upper incomplete gamma function.
func upperGamma(a, x float64) float64 {
	if x <= 0 {
		return 1
	}
	if x < a+1 {
		return 1 - series(a, x)
	}
	return fraction(a, x)
}

const (
	rounds    = 200
	precision = 1e-9
)

// series sums up the power series of the lower function, which converges where x is small.
func series(a, x float64) float64 {
	term := 1 / a
	sum := term
	for n := 1; n < rounds; n++ {
		term *= x / (a + float64(n))
		sum += term
		if term < sum*precision {
			break
		}
	}
	return sum * scale(a, x)
}

// fraction evaluates the continued fraction of the upper function from its end.
func fraction(a, x float64) float64 {
	rest := 0.0
	for n := rounds; n > 0; n-- {
		rest = float64(n) * (float64(n) - a) / (x + float64(2*n+1) - a - rest)
	}
	return scale(a, x) / (x + 1 - a - rest)
}

// scale returns the factor that both have in common.
func scale(a, x float64) float64 {
	log, _ := math.Lgamma(a)
	return math.Exp(a*math.Log(x) - x - log)
}
