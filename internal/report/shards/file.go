package shards

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spectradiff/spectradiff/internal/report/json"
)

// Schema is the version of the form of a part.
const Schema = "spectradiff-part/1"

// An envelope is the file of a part. The hash is that of the bytes of Part.
type envelope struct {
	Schema string             `json:"schema"`
	SHA256 string             `json:"sha256"`
	Part   stdjson.RawMessage `json:"part"`
}

// Write writes a part.
func Write(w io.Writer, p *Part) error {
	var part bytes.Buffer
	if err := json.Encode(&part, p); err != nil {
		return fmt.Errorf("write shard: %w", err)
	}
	text := bytes.TrimSpace(part.Bytes())
	_, err := fmt.Fprintf(w, "{\n\"schema\": %q,\n\"sha256\": %q,\n\"part\": %s\n}\n", Schema, hash(text), text)
	if err != nil {
		return fmt.Errorf("write shard: %w", err)
	}
	return nil
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// want says what makes a part.
const want = "want what compare --shard K/N --out part=FILE wrote"

// Read reads a part that Write wrote, and calls it by a name.
func Read(r io.Reader, name string) (*Part, error) {
	p, err := read(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p.Name = name
	return p, nil
}

func read(r io.Reader) (*Part, error) {
	data, err := json.Load(r)
	if err != nil {
		return nil, err
	}
	var e envelope
	var p Part
	if err := stdjson.Unmarshal(data, &e); err != nil {
		return nil, fmt.Errorf("no whole file of a shard: %w; %s", err, want)
	}
	switch {
	case e.Schema == "" || e.Part == nil:
		return nil, errors.New("no shard of a run; " + want)
	case e.Schema != Schema:
		return nil, fmt.Errorf("schema is %q, this version reads %q; make the shard again with this version", e.Schema,
			Schema)
	case e.SHA256 != hash(e.Part):
		return nil, errors.New("the file was changed after it was written; make the shard again")
	}
	if err := stdjson.Unmarshal(e.Part, &p); err != nil {
		return nil, fmt.Errorf("read shard: %w", err)
	}
	return &p, p.check()
}

// check returns an error if nothing that Write wrote could be like this.
func (p *Part) check() error {
	if !p.Shard.Valid() {
		return fmt.Errorf("there is no shard %s; %s", p.Shard, want)
	}
	for _, m := range p.Modules {
		if (m.Report == nil) == (m.Failed == "") {
			return fmt.Errorf("module %q has a report and failed, or neither; %s", m.Folder, want)
		}
		if m.Report != nil {
			if err := m.Report.Validate(); err != nil {
				return err
			}
		}
		if m.Extent != nil {
			if err := m.Extent.Check(); err != nil {
				return err
			}
		}
	}
	return nil
}
