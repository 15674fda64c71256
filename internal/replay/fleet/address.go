package fleet

import (
	"errors"
	"net/url"
	"strings"
)

// errAddress says nothing of the address: what can't be taken apart may be a password in any part of it.
var errAddress = errors.New("the address of the server can't be read: want nats://HOST:PORT, several with commas " +
	"between; in a user or password %25 stands for %, %2C for a comma, %40 for @, %3A for a colon, %2F for /")

// CheckAddress returns an error for an address that can't be read.
func (o Options) CheckAddress() error {
	for one := range strings.SplitSeq(o.URL, ",") {
		one = strings.TrimSpace(one)
		if !strings.Contains(one, "://") { // as NATS reads it
			one = "nats://" + one
		}
		if _, err := url.Parse(one); err != nil {
			return errAddress
		}
	}
	return nil
}
