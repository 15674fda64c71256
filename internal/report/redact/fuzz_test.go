package redact

import (
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spectradiff/spectradiff/internal/report"
)

// FuzzText redacts any text in any place: no panic, again nothing changes, and valid UTF-8 stays valid.
func FuzzText(f *testing.F) {
	for _, seed := range []string{
		`C{Password:"hunter2" m["api_key"]: "abcd1234"}`, "Authorization: Bearer abcd1234\n", pem, jwt,
		"password: hunter2\n--token=abcd1234 --secret x1234", "`password: \"a\\\"bcdef` 'token'", "‹secret:3f2›",
		`password="‹secret:3f2›"`, "a\xff\u202e\"password\":\"\xffabcd\"", `…ter2" Password:"hunter2"`, "[{(\"'`:=-",
		"password=abc'd\"ef", "https://a:bcdef@g", "secret:password=abcd", `pass:"\"password\":\"abcd…`,
	} {
		f.Add(seed, "recv.Password")
	}
	f.Fuzz(func(t *testing.T, text, path string) {
		r := &report.Report{
			Roots: []report.Root{{
				Summary: text, Diff: text, Sequence: text,
				Values: []report.Difference{{Path: path, Old: text, New: strconv.Quote(text)}},
				Test: &report.Test{Other: []report.Literal{{Place: path, Value: text, Choice: text}},
					Command: &report.CommandLine{Line: text, Args: []string{path, text}}},
			}},
			Deviations: []report.Deviation{{Path: path, Old: "x", New: text, Sequence: text}},
			Commits: &report.Commits{
				List: []report.Commit{{Subject: text}}, Unasked: []report.Unasked{{Reason: text}},
				Untestable: []report.Untestable{{Reason: text}},
			},
		}
		r.Roots[0].Introduced = []report.Introduction{{Before: text, After: strconv.Quote(text)}}
		once := Redact(r, Rules{})
		if twice := Redact(once, Rules{}); !reflect.DeepEqual(once, twice) {
			t.Errorf("again it becomes another report:\n%+v\n%+v", once, twice)
		}
		root := once.Roots[0]
		if utf8.ValidString(text) && utf8.ValidString(path) {
			for _, out := range []string{root.Summary, root.Diff, root.Sequence, root.Values[0].Old, root.Values[0].New,
				root.Test.Other[0].Value, root.Test.Command.Line, root.Test.Command.Args[1], root.Introduced[0].Before,
				once.Commits.List[0].Subject} {
				if !utf8.ValidString(out) {
					t.Errorf("%q became %q", text, out)
				}
			}
		}
	})
}

// FuzzEqual has two values in places that say that they are secrets: they are equal afterwards if they were before,
// and nowhere to be read.
func FuzzEqual(f *testing.F) {
	f.Add("hunter2", "hunter3")
	f.Add("hunter2", "hunter2")
	f.Add("correct horse 7", "correct horse 8")
	f.Add("a\x00\"b\\c`d\n", "a\x00\"b\\c`e\n")
	f.Add("Bearer abcd", "Basic abcd")
	f.Add("password", "abcdef")
	f.Add("‹secret:123›", "abcdef")
	f.Add("$PASSWORD", "\xffabcd")
	places := []struct{ before, after string }{
		{`C{Password:`, ` N:3}`}, {`map["api_key": `, `]`}, {`password = `, "\n"}, {`Secrets: [`, `]`},
		{`m.F({"--token", `, `})`},
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		r := &report.Report{}
		for _, place := range places {
			r.Deviations = append(r.Deviations, report.Deviation{
				Old: place.before + strconv.Quote(before) + place.after,
				New: place.before + strconv.Quote(after) + place.after,
			})
		}
		all := map[string]bool{} // what stands for before in all places
		for i, d := range Redact(r, Rules{}).Deviations {
			if (d.Old == d.New) != (before == after) {
				t.Fatalf("%q and %q became %s and %s", before, after, d.Old, d.New)
			}
			if !strings.HasPrefix(d.Old, places[i].before) || !strings.HasSuffix(d.Old, places[i].after) {
				t.Fatalf("%q in %q became %s", before, places[i].before+places[i].after, d.Old)
			}
			all[d.Old[len(places[i].before):len(d.Old)-len(places[i].after)]] = true
		}
		if len(all) != 1 {
			t.Fatalf("%q became %v", before, all)
		}
	})
}
