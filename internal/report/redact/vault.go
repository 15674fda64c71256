package redact

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
)

// digits is how many digits a token has, unless another secret has the same. The package comment says what they tell.
const digits = 3

const opening, closing = "‹secret:", "›"

// tokenForm is what a token looks like.
var tokenForm = regexp.MustCompile(opening + "[0-9a-f]{3,64}" + closing)

// isToken reports whether a value is nothing but a token.
func isToken(value string) bool {
	found := tokenForm.FindStringIndex(value)
	return found != nil && found[0] == 0 && found[1] == len(value)
}

// A vault gives each secret a token of its own.
type vault struct {
	key    []byte
	prefix string            // of the digits of all tokens
	tokens map[string]string // by secret
	taken  map[string]bool
}

// newVault returns a vault whose key is made of some texts. Tokens that are there already are not given to others.
func newVault(of, there []string, prefix string) *vault {
	hash := sha256.New()
	for _, text := range of {
		hash.Write([]byte(strconv.Itoa(len(text)) + ":" + text))
	}
	v := &vault{key: hash.Sum(nil), prefix: prefix, tokens: map[string]string{}, taken: map[string]bool{}}
	for _, token := range there {
		v.taken[token] = true
	}
	return v
}

func (v *vault) token(secret string) string {
	if token := v.tokens[secret]; token != "" {
		return token
	}
	mac := hmac.New(sha256.New, v.key)
	mac.Write([]byte(secret))
	sum := v.prefix + hex.EncodeToString(mac.Sum(nil))
	sum = sum[:sha256.Size*2]
	token := opening + sum + closing
	for n := len(v.prefix) + digits; n < len(sum); n++ {
		if short := opening + sum[:n] + closing; !v.taken[short] {
			token = short
			break
		}
	}
	v.tokens[secret], v.taken[token] = token, true
	return token
}
