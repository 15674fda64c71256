package redact

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
)

const (
	jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N"
	pem = "-----BEGIN RSA PRIVATE KEY-----\nMIIBOgIBAAJBAKj34GkxFhD90vcNLYLInFEX6Ppy\n-----END RSA PRIVATE KEY-----"
)

// hidden returns a text with its tokens written as ‹›.
func hidden(text string) string { return tokenForm.ReplaceAllString(text, "‹›") }

// in returns what becomes of a text alone.
func in(text string, how mode) string {
	look := &pass{found: map[string]bool{}}
	look.text(text, how, plain)
	p := &pass{vault: newVault(nil, look.tokens, ""), known: look.found}
	return hidden(p.text(text, how, plain))
}

func TestTexts(t *testing.T) {
	for _, test := range []struct {
		text   string
		how    mode
		want   string
		reason string
	}{
		{`Config{Host:"a.b" Password:"hunter2"}`, values, `Config{Host:"a.b" Password:"‹›"}`, "a field"},
		{`Config{Password: "hunter2", N: 3}`, values, `Config{Password: "‹›", N: 3}`, "with spaces"},
		{`Config{Password:"hunter2isL...`, values, `Config{Password:"‹›...`, "cut"},
		{`Config{Password:"hunter2isL…`, values, `Config{Password:"‹›…`, "cut by an ellipsis"},
		{`Config{Password:""}`, values, `Config{Password:""}`, "empty"},
		{`Config{Password:"${DB_PASSWORD}" Secret:"***"}`, values, `Config{Password:"${DB_PASSWORD}" Secret:"***"}`,
			"filled in later"},
		{`Config{Password:nil Tokens:5 Secret:true}`, values, `Config{Password:nil Tokens:5 Secret:true}`, "no texts"},
		{`&C{Secret: []byte("hunter2")}`, values, `&C{Secret: []byte("‹›")}`, "bytes"},
		{`m.C{Secret: m.Hidden("hunter2"), Name: m.Name("bob12")}`, values,
			`m.C{Secret: m.Hidden("‹›"), Name: m.Name("bob12")}`, "a type of its own"},
		{`C{Secret: &m.Hidden{value: "hunter2", kind: "text"}}`, values,
			`C{Secret: &m.Hidden{value: "‹›", kind: "text"}}`, "inside a secret, but for harmless names"},
		{`C{Passwords:["hunter2" "hunter3"] Names:["bobby"]}`, values, `C{Passwords:["‹›" "‹›"] Names:["bobby"]}`,
			"a list"},
		{`map["api_key": "abcd1234", "user": "bobby"]`, values, `map["api_key": "‹›", "user": "bobby"]`, "a map"},
		{`map["Authorization":["Bearer abcd1234"]]`, values, `map["Authorization":["Bearer ‹›"]]`,
			"a list in a map, and the scheme stays"},
		{`v0 := m.New("hunter2", m.Options{Password: "hunter2"})`, values,
			`v0 := m.New("‹›", m.Options{Password: "‹›"})`, "a sequence"},
		{`net/http.Header.Set(v0, "Authorization", "Basic Zm9vOmJhcg==")`, values,
			`net/http.Header.Set(v0, "Authorization", "Basic ‹›")`, "a header that is set"},
		{`m.Main({"serve", "--token", "abcdef", "-v"})`, values, `m.Main({"serve", "--token", "‹›", "-v"})`,
			"a flag in a list"},
		{`m.Parse("password: hunter2\nuser: bobby\n")`, values, `m.Parse("password: ‹›\nuser: bobby\n")`,
			"a file in a literal"},
		{`m.Parse("{\"password\":\"hunter2\"}")`, values, `m.Parse("{\"password\":\"‹›\"}")`, "JSON in a literal"},
		{`m.Parse("{\"password\":\"hunter2…`, values, `m.Parse("{\"password\":\"‹›…`, "cut there"},

		{`Token{Kind:3 Text:"identifier1"}`, values, `Token{Kind:3 Text:"identifier1"}`, "a type of a lexer"},
		{`Lexer{token:"func" Pos:token.Pos(7)}`, values, `Lexer{token:"func" Pos:token.Pos(7)}`, "a word"},
		{`Lexer{token:"0x1234abcd" tokens:["+=" "1234567890" "a long text 1"]}`, values,
			`Lexer{token:"0x1234abcd" tokens:["+=" "1234567890" "a long text 1"]}`, "numbers, operators and texts"},
		{`Client{token:"s3cr3t-t0ken-abc"}`, values, `Client{token:"‹›"}`, "a token drawn at random"},
		{`Entry{Key:"some-key-1234" key:"x"}`, values, `Entry{Key:"some-key-1234" key:"x"}`, "keys of maps"},
		{`List{NextPageToken:"abcdef123456"}`, values, `List{NextPageToken:"abcdef123456"}`, "where a list goes on"},
		{`Ref{SecretName:"my-secret" PublicKey:"abcdef123456"}`, values,
			`Ref{SecretName:"my-secret" PublicKey:"abcdef123456"}`, "names of secrets and public keys"},
		{`secret.Kind("opaque1234")`, values, `secret.Kind("opaque1234")`, "a package"},
		{`T{Compass:"north1234" Bypass:"a1b2c3d4e5"}`, values, `T{Compass:"north1234" Bypass:"a1b2c3d4e5"}`,
			"words that end alike"},
		{`C{Type:"password" Password:"password"}`, values, `C{Type:"password" Password:"password"}`,
			"names are no secrets"},

		{"-\tpassword := \"hunter2\"\n+\tpassword := os.Getenv(\"DB_PASSWORD\")\n", source,
			"-\tpassword := \"‹›\"\n+\tpassword := os.Getenv(\"DB_PASSWORD\")\n", "lines of Go"},
		{"+\tconst apiKey string = \"abcd1234\"\n", source, "+\tconst apiKey string = \"‹›\"\n", "a constant"},
		{"+\tPassword: cfg.Password,\n+\ttoken = next(s)\n", source, "+\tPassword: cfg.Password,\n+\ttoken = next(s)\n",
			"no literals"},
		{"+\tif password == \"hunter2\" {\n", source, "+\tif password == \"‹›\" {\n", "a comparison"},
		{"+\treq.SetBasicAuth(\"bobby\", \"hunter2\")\n", source, "+\treq.SetBasicAuth(\"bobby\", \"‹›\")\n", "a call"},
		{"+\tSecret string `json:\"secret\"`\n", source, "+\tSecret string `json:\"secret\"`\n", "a tag"},
		{"+\tx := `password: hunter2`\n", source, "+\tx := `password: ‹›`\n", "a raw text"},

		{"DB_PASSWORD=hunter2 cmd --token=abcdef -v", data, "DB_PASSWORD=‹› cmd --token=‹› -v", "a command line"},
		{"cmd --password hunter2 --user bobby", data, "cmd --password ‹› --user bobby", "a flag and its value"},
		{"GITHUB_TOKEN=abcdef PWD=/home/x1234", data, "GITHUB_TOKEN=‹› PWD=/home/x1234", "the environment"},
		{"https://h/p?access_token=abcd1234&x=1", data, "https://h/p?access_token=‹›&x=1", "a query"},
		{"Authorization: Bearer abcd1234\nAccept: x\n", data, "Authorization: Bearer ‹›\nAccept: x\n", "a header"},
		{"Cookie: sid=abcd1234; a=b\n", data, "Cookie: ‹›\n", "a header of several values"},
		{"{Host:x Password:hunter2 N:1}", data, "{Host:x Password:‹› N:1}", "as fmt prints structs"},
		{"db:\n  password: hunter2\n  secretName: db\n", data, "db:\n  password: ‹›\n  secretName: db\n", "YAML"},
		{"password = hunter2\n", data, "password = ‹›\n", "INI"},
		{"invalid password: it is too short", data, "invalid password: it is too short", "a sentence"},
		{"password = pw\nx.password = cfg.pw", data, "password = pw\nx.password = cfg.pw", "code"},
		{`it's "quoted" and password isn't`, data, `it's "quoted" and password isn't`, "apostrophes"},

		{jwt, data, "‹›", "a JSON web token"},
		{pem, data, "‹›", "a private key"},
		{`ret0 = "-----BEGIN PRIVATE KEY-----\nMIIBOgIBAA…`, values, `ret0 = "‹›…`, "a private key, cut"},
		{"x AKIAIOSFODNN7EXAMPLE y", data, "x ‹› y", "AWS"},
		{"ghp_0123456789abcdefghijABCDEFGHIJ012345", data, "‹›", "GitHub"},
		{"github_pat_0123456789abcdefghij_KLMNOP", data, "‹›", "GitHub"},
		{"xoxb-1234567890-abcdef", data, "‹›", "Slack"},
		{"postgres://bobby:hunter2@db/x", data, "postgres://bobby:‹›@db/x", "a URL"},
		{"https://example.com:8080/a@b", data, "https://example.com:8080/a@b", "a port"},
		{"curl -H 'Authorization: token abcd1234'", data, "curl -H 'Authorization: token ‹›'", "quoted for a shell"},
		{"needs basic authentication and bearer tokens", data, "needs basic authentication and bearer tokens", "words"},
	} {
		if got := in(test.text, test.how); got != test.want {
			t.Errorf("%s:\n%s\nbecame\n%s\nwant\n%s", test.reason, test.text, got, test.want)
		}
	}
}

func TestPaths(t *testing.T) {
	p := &pass{}
	for _, test := range []struct {
		path string
		want class
	}{
		{"recv.conf.Password", secret},
		{`ret0["api_key"]`, secret},
		{"recv.Passwords[3]", secret},
		{"recv.credentials.value", secret},
		{"recv.credentials.User", plain},
		{"entry password", secret},
		{"recv.tokens[3]", maybe},
		{"recv.token.Text", plain},
		{"token.Pos", plain},
		{"len(ret1)", plain},
		{"github.com/x/secret.cache", plain},
		{`github.com/x/y.cache["password"].n`, secret},
		{"ret0", plain},
		{"", plain},
	} {
		if got := p.path(test.path); got != test.want {
			t.Errorf("%s: %d, want %d", test.path, got, test.want)
		}
	}
}

func sample() *report.Report {
	return &report.Report{Roots: []report.Root{{
		Summary: `Load returns ret0.Password with "hunter3" where it was "hunter2"`,
		Values: []report.Difference{{Path: "ret0.Password", Old: `"hunter2"`, New: `"hunter3"`},
			{Path: "ret1", Old: `"x hunter2"`, New: `"hunter2"`}},
		Sequence: "spectradiff sequence 1\nv0 := m.Load(\"hunter2\")\n",
		Test: &report.Test{Command: &report.CommandLine{Line: "cmd --secret hunter2",
			Args:  []string{"--secret", "hunter2"},
			Files: []report.CommandFile{{Name: "password", Content: "user: bobby\npassword: hunter2\n"}}}},
	}, {Sequence: "spectradiff sequence 1\nv0 := m.Load(\"bobby\")\n"}}}
}

func TestEqualStaysEqual(t *testing.T) {
	r := sample()
	got := Redact(r, Rules{})
	root := got.Roots[0]
	token := strings.Trim(root.Values[0].Old, `"`)
	other := strings.Trim(root.Values[0].New, `"`)
	if !isToken(token) || !isToken(other) || token == other {
		t.Fatalf("tokens %q and %q", token, other)
	}
	for _, test := range []struct{ got, want string }{
		{root.Summary, `Load returns ret0.Password with "` + other + `" where it was "` + token + `"`},
		{root.Values[1].New, `"` + token + `"`},
		{root.Sequence, "spectradiff sequence 1\nv0 := m.Load(\"" + token + "\")\n"},
		{root.Test.Command.Line, "cmd --secret " + token},
		{root.Test.Command.Args[1], token},
		{root.Test.Command.Files[0].Content, "user: bobby\npassword: " + token + "\n"},
	} {
		if test.got != test.want {
			t.Errorf("%s\nwant\n%s", test.got, test.want)
		}
	}
	if !root.Redacted || got.Roots[1].Redacted {
		t.Errorf("roots say %v and %v of being redacted", root.Redacted, got.Roots[1].Redacted)
	}
	if r.Roots[0].Values[0].Old != `"hunter2"` || r.Roots[0].Test.Command.Args[1] != "hunter2" {
		t.Error("the report that was handed over has changed")
	}
}

func TestRepeats(t *testing.T) {
	long := "correct-horse-7-battery"
	r := &report.Report{Roots: []report.Root{{
		Values:  []report.Difference{{Path: "recv.password", Old: `"` + long + `"`, New: `"x\n` + long + `"`}},
		Summary: `F returns …horse-7-battery" where it returned …prefix"correct-hor…`,
		Why:     "it sent " + long + " to others",
	}}}
	root := Redact(r, Rules{}).Roots[0]
	if got := hidden(root.Summary); got != `F returns …‹›" where it returned …prefix"‹›…` {
		t.Errorf("parts: %s", got)
	}
	if got := hidden(root.Why); got != "it sent ‹› to others" {
		t.Errorf("inside: %s", got)
	}
	if root.Values[0].Old == root.Values[0].New {
		t.Error("different secrets are equal")
	}
}

func TestRules(t *testing.T) {
	rules := Rules{
		Names:  []*regexp.Regexp{regexp.MustCompile(`^badge$`)},
		Values: []*regexp.Regexp{regexp.MustCompile(`\bID-(\d{4,})\b`)},
		Keep:   []*regexp.Regexp{regexp.MustCompile(`^(testPassword|hunter2)$`)},
	}
	r := &report.Report{Warnings: []string{
		`badge="abcdef"`, `see ID-12345`, `testPassword="abcdef"`, `password="hunter2"`, `password="hunter3"`,
	}}
	want := []string{`badge="‹›"`, `see ID-‹›`, `testPassword="‹›"`, `password="hunter2"`, `password="‹›"`}
	for i, text := range Redact(r, rules).Warnings {
		if hidden(text) != want[i] {
			t.Errorf("%s, want %s", text, want[i])
		}
	}
}
