package replay

import (
	"context"
	"errors"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/build"
	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A Task is one call of Play with all that decides its result, so that another machine can do it. Done twice it has
// the same result, as far as the target allows.
type Task struct {
	Binary  string          // file of the driver
	Folders []sandbox.Shown // that drivers may read
	Setup   []byte          // what of states is recorded, and the table of the binary
	Own     TaskOwn
}

// TaskOwn is what tasks on one build don't have in common.
type TaskOwn struct {
	Side      string           `json:"side"`
	Mode      wire.Mode        `json:"mode"`
	Seed      uint64           `json:"seed"`
	Sequences [][]byte         `json:"sequences"` // as drivers read them
	Limits    Limits           `json:"limits"`
	Watch     map[string][]int `json:"watch,omitempty"`
	Tests     bool             `json:"tests,omitempty"`
	Units     string           `json:"units,omitempty"`
	Clock     int64            `json:"clock,omitempty"`
	Bubbles   bool             `json:"bubbles,omitempty"`
	Fixed     bool             `json:"fixed,omitempty"`
	Zones     string           `json:"zones,omitempty"`
}

// Task returns the task of playing sequences. Read decodes its result.
func (p *Player) Task(sequences []sequence.Sequence, mode wire.Mode, seed uint64) *Task {
	t := &Task{
		Binary: p.Binary.Path, Setup: p.encodeTask(),
		Own: TaskOwn{
			Side: p.Side, Mode: mode, Seed: seed, Limits: p.Limits, Watch: p.Compare.Watch, Tests: p.Tests,
			Units: p.Units, Clock: p.Clock, Bubbles: p.Compare.Bubbles, Fixed: p.Fixed, Zones: p.Zones,
		},
	}
	for _, folder := range p.readOnly() {
		t.Folders = append(t.Folders, sandbox.Shown{Folder: folder, At: folder})
	}
	for _, q := range programsOf(sequences) {
		t.Own.Sequences = append(t.Own.Sequences, q)
	}
	return t
}

// encodeTask encodes the numbers of the table, behind the setup.
func (p *Player) encodeTask() []byte {
	var setup, w wire.Writer
	p.encodeSetup(&setup)
	w.Bytes(setup)
	w.Count(len(p.Table))
	for i := range p.Table {
		w.Text(p.Table[i].Path)
		w.Count(len(p.Table[i].Points))
		w.Count(p.Table[i].Blocks)
	}
	return w
}

// mostPoints is how many points and blocks of a table are believed to exist.
const mostPoints = 1 << 24

// decodeTask sets what encodeTask encoded.
func (p *Player) decodeTask(data []byte) error {
	r := wire.NewReader(data)
	p.setup = slices.Clip(r.Bytes())
	total := 0
	for range r.Items() {
		path, points, blocks := r.Text(), r.Number(), r.Number()
		if total += points + blocks; total > mostPoints {
			return errTask
		}
		p.Table = append(p.Table, PackageTable{path, make([]spectra.Point, points), blocks})
	}
	if r.Err() != nil || r.Len() > 0 {
		return errTask
	}
	return nil
}

var errTask = errors.New("what a task says of its driver can't be read")

// Play does the task in a sandbox, with scratch folders below the given one, and returns what the drivers gave. The
// binary may be used by several tasks at the same time. It stops early as Player.Play does, or when over says so.
func (t *Task) Play(
	ctx context.Context, in *sandbox.Sandbox, scratch string, binary *build.Binary, over func() bool,
) ([]byte, error) {
	own := &t.Own
	if err := own.Limits.believed(); err != nil {
		return nil, err
	}
	p := &Player{
		Binary: binary, Limits: own.Limits, Sandbox: in, Scratch: scratch, Tests: own.Tests, Side: own.Side,
		Over: over, Units: own.Units, Clock: own.Clock, Fixed: own.Fixed, Zones: own.Zones,
		Compare: Comparison{Watch: own.Watch, Bubbles: own.Bubbles},
		raw:     true, shown: t.Folders,
	}
	if err := p.decodeTask(t.Setup); err != nil {
		return nil, err
	}
	var programs []program
	for _, q := range own.Sequences {
		programs = append(programs, q)
	}
	played, err := p.play(ctx, programs, own.Mode, own.Seed)
	if err != nil {
		return nil, err
	}
	return encodeReplies(played), nil
}
