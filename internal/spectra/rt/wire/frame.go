package wire

// FrameHead is the number of bytes before the body of a frame. They are a byte of type, 4 bytes of length, and 8 bytes
// of check. The check is the second half of the body's digest, combined with a key from the configuration (0 before
// it), so that bytes which the target writes into the pipe are no frame.
const FrameHead = 13

const (
	lengthAt = 1
	checkAt  = 5
)

// A Digester returns the digest of bytes.
type Digester func([]byte) (a, b uint64)

// NewFrame begins a frame: the room for its head, to which its body is written.
func NewFrame() Writer { return make(Writer, FrameHead, 256) }

// Seal completes the head of a frame whose body was written behind it.
func (w Writer) Seal(kind byte, key uint64, digest Digester) {
	body := w[FrameHead:]
	_, check := digest(body)
	w[0] = kind
	n := len(body)
	copy(w[lengthAt:], []byte{byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)})
	AppendWord(w[checkAt:checkAt], check^key)
}

// A Head is the fixed part of a frame, before its body.
type Head struct {
	Kind   byte
	Length int // of the body
	check  uint64
}

// ReadHead reads the head of a frame.
func ReadHead(b *[FrameHead]byte) Head {
	n := uint32(b[lengthAt]) | uint32(b[lengthAt+1])<<8 | uint32(b[lengthAt+2])<<16 | uint32(b[lengthAt+3])<<24
	return Head{b[0], int(n), word(b[checkAt:])}
}

// Fits reports whether this is the body that the head was made for, with that key.
func (h Head) Fits(body []byte, key uint64, digest Digester) bool {
	_, check := digest(body)
	return len(body) == h.Length && check^key == h.check
}
