package redact

import (
	"regexp"
	"strings"
	"unicode"
)

// A class says what the name of a value tells of it.
type class int

const (
	plain  class = iota
	maybe        // a secret if the value looks drawn at random, see random
	secret       // a secret if it is a text
)

// A word is the end of a name: its last words, written together in lower case. Names are cut where a capital letter, an
// underscore, a hyphen or a dot begins a word, so "dbPassword" and "DB_PASSWORD" end with "password", while
// "passwordField", "secretName" and "tokenizer" end with a word that is none. Digits and a plural s at the end don't
// count.
type word struct {
	end    string
	class  class
	reason string
}

var nameTable = []word{
	{"password", secret, "what it says"},
	{"passwd", secret, "as programs of Unix spell it"},
	{"passphrase", secret, "a password of several words"},
	{"passcode", secret, "a password of digits, if it is a text"},
	{"passwordhash", secret, "weak passwords can be found from their hashes"},
	{"secret", secret, "client secrets, shared secrets, secrets of Kubernetes"},
	{"credential", secret, "whatever it holds proves who one is"},
	{"cred", secret, "short for credential"},
	{"authorization", secret, "the header of HTTP"},
	{"cookie", secret, "holds sessions"},
	{"sessionid", secret, "who has it has the session"},
	{"sessid", secret, "as PHP spells it"},
	{"connectionstring", secret, "holds a password in most cases"},

	{"apikey", secret, "a key alone is that of a map; this one opens a service"},
	{"accesskey", secret, "as clouds call theirs"},
	{"accountkey", secret, "as clouds call theirs"},
	{"secretkey", secret, "what it says"},
	{"privatekey", secret, "what it says; a public key is none"},
	{"signingkey", secret, "signs in the owner's name"},
	{"encryptionkey", secret, "opens what was encrypted"},
	{"masterkey", secret, "opens all"},
	{"authkey", secret, "proves who one is"},
	{"sharedkey", secret, "known to two"},
	{"licensekey", secret, "was paid for"},

	{"accesstoken", secret, "of OAuth; a token alone may be that of a lexer"},
	{"refreshtoken", secret, "of OAuth"},
	{"idtoken", secret, "of OpenID"},
	{"authtoken", secret, "proves who one is"},
	{"bearertoken", secret, "the header of HTTP"},
	{"apitoken", secret, "opens a service"},
	{"sessiontoken", secret, "who has it has the session"},
	{"csrftoken", secret, "belongs to a session"},
	{"xsrftoken", secret, "as csrftoken"},
	{"jwttoken", secret, "proves who one is"},
	{"bottoken", secret, "as chats call theirs"},
	{"usertoken", secret, "proves who one is"},
	{"deploytoken", secret, "as forges call theirs"},
	{"githubtoken", secret, "of that service"},
	{"gitlabtoken", secret, "of that service"},
	{"npmtoken", secret, "of that service"},
	{"vaulttoken", secret, "of that service"},

	{"token", maybe, "lexers and parsers have tokens: words, operators and numbers of a language"},
	{"jwt", maybe, "may be its name or its parts"},
	{"pass", maybe, "compilers have passes"},
	{"pwd", maybe, "the working directory, too"},
	{"otp", maybe, "may be how it is sent"},

	{"pagetoken", plain, "where a list goes on"},
	{"nexttoken", plain, "where a list goes on"},
	{"continuetoken", plain, "where a list goes on"},
	{"continuationtoken", plain, "where a list goes on"},
	{"synctoken", plain, "where a list goes on"},
}

var byEnd = func() map[string]class {
	table := map[string]class{}
	for _, w := range nameTable {
		table[w.end] = w.class
	}
	return table
}()

// harmless are fields of a secret thing that are none themselves, such as the name of a cookie.
var harmless = func() map[string]bool {
	table := map[string]bool{}
	for _, name := range strings.Fields(`name type kind path file url uri host addr address domain user username login
		email id version scope expires algorithm alg provider region message error comment description label format`) {
		table[name] = true
	}
	return table
}()

// class returns what a name tells.
func (p *pass) class(name string) class {
	if len(name) > longestName || matches(p.rules.Keep, name) {
		return plain
	}
	if matches(p.rules.Names, name) {
		return secret
	}
	words := wordsOf(name)
	for n := min(len(words), 3); n > 0; n-- { // the longest end decides
		if found, ok := byEnd[singular(strings.Join(words[len(words)-n:], ""))]; ok {
			return found
		}
	}
	return plain
}

// longestName is how long a name can be; longer texts before a colon are something else.
const longestName = 100

// outside returns what the name of a flag or of a variable of the environment tells: no lexer takes its tokens from
// there. PWD is the working directory.
func (p *pass) outside(name string) class {
	of := p.class(name)
	flag := strings.HasPrefix(name, "-")
	if of == maybe && (flag || environment.MatchString(name)) && !strings.HasSuffix(name, "PWD") {
		return secret
	}
	return of
}

var environment = regexp.MustCompile(`^[A-Z][A-Z0-9]*(_[A-Z0-9]+)+$`)

// child returns the class of a named part of a thing.
func (p *pass) child(of class, name string) class {
	own := p.outside(name)
	if own != plain || of != secret || matches(p.rules.Keep, name) {
		return own
	}
	words := wordsOf(name)
	if len(words) > 0 && harmless[singular(words[len(words)-1])] {
		return plain
	}
	return secret
}

// wordsOf cuts a name into words in lower case, without digits at the end.
func wordsOf(name string) []string {
	var words []string
	var word []rune
	end := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
		}
		word = nil
	}
	runes := []rune(strings.TrimRight(name, "0123456789"))
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			end()
			continue
		case unicode.IsUpper(r) && i > 0 && (!unicode.IsUpper(runes[i-1]) ||
			i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			end()
		}
		word = append(word, r)
	}
	end()
	return words
}

func singular(word string) string {
	if len(word) > 3 && !strings.HasSuffix(word, "ss") {
		return strings.TrimSuffix(word, "s")
	}
	return word
}

// path returns the class of what a path leads to, such as recv.users["bob"].Password. The last name decides; behind a
// secret one all are secrets that are not harmless.
func (p *pass) path(path string) class {
	if slash := strings.LastIndexByte(outsideOfKeys(path), '/'); slash >= 0 { // a package variable
		_, path, _ = strings.Cut(path[slash:], ".")
	}
	of := plain
	for _, name := range pathNames.FindAllString(path, -1) {
		switch {
		case name[0] == '[' && len(name) > 3 && name[1] == '"':
			of = p.child(of, name[2:len(name)-2])
		case name[0] != '[':
			of = p.child(of, name)
		}
	}
	return of
}

var pathNames = regexp.MustCompile(`\["(?:[^"\\]|\\.)*"\]|\[[^\]]*\]|[\pL_][\pL\pN_]*`)

// outsideOfKeys returns the beginning of a path, up to its first key.
func outsideOfKeys(path string) string {
	before, _, _ := strings.Cut(path, "[")
	return before
}

func matches(patterns []*regexp.Regexp, text string) bool {
	for _, pattern := range patterns {
		if pattern.MatchString(text) {
			return true
		}
	}
	return false
}
