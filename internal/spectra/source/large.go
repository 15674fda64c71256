package source

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
)

// maxText is the size of the largest file that is read as text.
const maxText = 16 << 20

// notText begins what stands for a large file. No Go file that can be compiled begins with it.
const notText = "\x00large: "

// readText returns the content of a file. For a file of more than maxText bytes it returns a line with its size
// and digest, so that two such files are compared all the same.
func readText(name string) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxText+1))
	if err != nil || len(text) <= maxText {
		return text, err
	}
	sum := sha256.New()
	sum.Write(text)
	rest, err := io.Copy(sum, file)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%sit has %d bytes, more than the %d that are read as text: %x\n", notText,
		int64(len(text))+rest, maxText, sum.Sum(nil)[:8]), nil
}

// whyNotText returns why a file can't be compared as text, or "" if it can.
func whyNotText(content []byte) string {
	why, large := bytes.CutPrefix(content, []byte(notText))
	if !large {
		return ""
	}
	why, _, _ = bytes.Cut(why, []byte(":"))
	return string(why)
}
