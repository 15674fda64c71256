package siemens

// The faults are written as they may come about: a comparison, a case, a constant, an assignment, a variable.

var tokensFaults = []Fault{
	{
		Old: "\ts.at--\n\tif c == '\\n' {\n\t\ts.line--\n\t}\n", New: "\ts.at--\n",
		Reason: "what is taken back is not taken off the number of lines",
	},
	{Old: "\t\tcase '\\\\':\n\t\t\ts.next()\n", New: "", Reason: "no case for a quote behind a backslash"},
	{Old: `"lambda", `, New: "", Reason: "a keyword is missing"},
	{Old: ` || c == ';'`, New: "", Reason: "a comment does not end a word"},
	{Old: "len(name) == 1", New: "len(name) <= 1", Reason: "a comparison that allows no character"},
	{Old: "c >= '0' && c <= '9'", New: "c >= '0' && c < '9'", Reason: "a bound that is left out"},
	{Old: "digits > 0 && points <= 1", New: "digits > 0", Reason: "a condition is missing"},
	{
		Old:    "\tc := s.next()\n\tfor isBlank(c) {\n\t\tc = s.next()\n\t}\n\tt := Token{Line: s.line}\n",
		New:    "\tt := Token{Line: s.line}\n\tc := s.next()\n\tfor isBlank(c) {\n\t\tc = s.next()\n\t}\n",
		Reason: "the line is noted before the blanks",
	},
	{Old: " && c != '?'", New: "", Reason: "a character is missing"},
	{
		Old:    "\tcase isKeyword(word):\n\t\treturn Keyword\n\tcase isNumber(word):\n\t\treturn Number\n",
		New:    "\tcase isNumber(word):\n\t\treturn Number\n\tcase isKeyword(word):\n\t\treturn Keyword\n",
		Reason: "two cases are in another order", Silent: "no keyword is a number",
	},
}

var scheduleFaults = []Fault{
	{Old: "float64(len(q)))", New: "float64(len(q)-1))", Reason: "a part of one process too few"},
	{Old: "return min(i, len(q)-1)", New: "return i", Reason: "no bound where the ratio is 1"},
	{Old: "p.priority++\n\tp.quanta = 0\n", New: "p.priority++\n", Reason: "an assignment is missing"},
	{Old: "p.quanta >= patience", New: "p.quanta > patience", Reason: "a wrong comparison"},
	{Old: "patience = 4", New: "patience = 3", Reason: "a wrong constant"},
	{Old: "s.blocked.take(s.blocked.nth(ratio))", New: "s.blocked.take(0)", Reason: "an argument is not used"},
	{
		Old:    "\tp.priority++\n\tp.quanta = 0\n\ts.ready[p.priority].push(p)",
		New:    "\tp.quanta = 0\n\ts.ready[priority+1].push(p)",
		Reason: "the process waits in another queue and does not know it",
	},
	{
		Old: "s.blocked.push(s.ready[p].take(0))", New: "s.blocked.push(s.ready[p].take(len(s.ready[p]) - 1))",
		Reason: "the last process is taken for the first",
	},
	{Old: "p.quanta >= patience && p.priority > 1", New: "p.quanta >= patience", Reason: "a condition is missing"},
	{Old: "n < 1 || n > highest", New: "n < 0 || n > highest", Reason: "a wrong bound"},
}

var totalsFaults = []Fault{
	{Old: "row*t.columns+column", New: "row*t.rows+column", Reason: "a wrong field"},
	{Old: "if n <= 0 {", New: "if n < 0 {", Reason: "a wrong comparison"},
	{Old: "if sum > 0 {\n\t\t\tcolumns++", New: "if sum >= 0 {\n\t\t\tcolumns++", Reason: "a wrong comparison"},
	{Old: "if rows < 2 || columns < 2 {", New: "if rows < 2 {", Reason: "a condition is missing"},
	{Old: "(rows - 1) * (columns - 1)", New: "rows*columns - 1", Reason: "a wrong formula"},
	{Old: "precision = 1e-9", New: "precision = 1e-3", Reason: "a wrong constant"},
	{Old: "x < a+1", New: "x < a-1", Reason: "a wrong sign in a bound between two methods"},
	{Old: "\t\tsum.freedom += s.freedom\n", New: "", Reason: "an assignment is missing"},
	{
		Old: "(rows < t.rows || columns < t.columns)", New: "rows < t.rows && columns < t.columns",
		Reason: "a wrong operator",
	},
	{Old: "rows > most || columns > most", New: "rows > most", Reason: "a condition is missing"},
}

var altitudeFaults = []Fault{
	{Old: "s.climbing() >= s.required()", New: "s.climbing() > s.required()", Reason: "a wrong comparison"},
	{Old: "300, 400, 500, 640, 740", New: "300, 400, 550, 640, 740", Reason: "a wrong constant in a table"},
	{Old: "near        = 3000", New: "near        = 2000", Reason: "a wrong constant"},
	{Old: " && s.ownRate >= -fast", New: "", Reason: "a condition is missing"},
	{Old: "return s.above - bonus", New: "return s.above + bonus", Reason: "a wrong sign"},
	{Old: "s.said == notBelow && s.equipped", New: "s.said == notBelow", Reason: "a condition is missing"},
	{Old: "s.climbing() > s.descending()", New: "s.climbing() >= s.descending()", Reason: "a wrong comparison"},
	{Old: "s.ownRate > s.otherRate }", New: "s.ownRate > 0 }", Reason: "a constant in place of a field"},
	{Old: "s.descentInhibited || s.own < lowest", New: "s.descentInhibited", Reason: "a condition is missing"},
	{
		Old:    "s.above >= s.required() && s.below >= s.required()",
		New:    "s.above >= s.required() || s.below >= s.required()",
		Reason: "a wrong operator",
	},
}

var replaceFaults = []Fault{
	{Old: "c <= int(to)", New: "c < int(to)", Reason: "a range without its last character"},
	{
		Old: "text[i+1] == dash && text[i+2] != closing", New: "text[i+1] == dash",
		Reason: "no case for a dash at the end",
	},
	{Old: "c == start && i == 0", New: "c == start", Reason: "a condition is missing"},
	{Old: "last.kind != atStart && last.kind != atEnd", New: "last.kind != atEnd", Reason: "a condition is missing"},
	{Old: "far >= i", New: "far > i", Reason: "a repetition of nothing does not match"},
	{Old: "for far < len(line) {", New: "for far < len(line)-1 {", Reason: "a repetition without the last character"},
	{Old: "\tcase 't':\n\t\treturn '\\t', i\n", New: "", Reason: "no case for a tab"},
	{
		Old: "\t\tvar c byte\n\t\tc, i = unescape(text, i)\n\t\tif n :=", New: "\t\tc := text[i]\n\t\tif n :=",
		Reason: "no escapes in replacements",
	},
	{Old: "ok && to != last &&", New: "ok &&", Reason: "a match of nothing behind another match"},
	{Old: "c == end && i == len(text)-1", New: "c == end", Reason: "a condition is missing"},
}
