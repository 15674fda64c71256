package main

import (
	"errors"
	"regexp"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/redact"
)

// secrets say what of a report's values nobody should read.
type secrets struct {
	show  bool
	rules redact.Rules
}

func (f *flagSet) secrets(s *settings) {
	f.BoolVar(&s.secrets.show, "show-secrets", false, "print passwords, tokens and the like as they are")
	f.Func("secret", "values with such a name are secrets, too; may be repeated: `REGEXP`",
		adding(&s.secrets.rules.Names))
	f.Func("not-secret", "such names and values are no secrets; may be repeated: `REGEXP`",
		adding(&s.secrets.rules.Keep))
}

// adding returns what adds an expression to a list.
func adding(list *[]*regexp.Regexp) func(string) error {
	return func(text string) error {
		expression, err := regexp.Compile(text)
		if err != nil || text == "" {
			return errors.New("want a regular expression, such as (?i)pin$")
		}
		*list = append(*list, expression)
		return nil
	}
}

// shown returns a report as others may read it.
func (s *secrets) shown(r *report.Report) *report.Report {
	if s.show {
		return r
	}
	return redact.Redact(r, s.rules)
}
