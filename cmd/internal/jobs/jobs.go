// Package jobs has workers on other machines do whole pieces of a run: a comparison, a shard of one, or a question to a
// commit. A play takes milliseconds, and one comparison has few that don't wait for others; pieces take seconds to
// minutes, and know nothing of each other.
//
//	client   exports the commits of a job, once for those in a row, and hands it out   Crew
//	worker   makes a repository of them, and does the job as anybody would             Worker.Do
//
// In: what package pipeline takes. Out: what it returns. What always holds: a job names all that decides its result but
// for the program, the system and the settings of the go command, which are its kind; so its result is what this
// machine would have found, but for durations. A job that a worker does not manage is an error, and whoever asked does
// it himself. An error is never believed: the other machine may lack what this one has, such as modules that it can't
// fetch. What it never does: to send anything of the working tree or of folders outside of the repository, to believe a
// content that is not what its address says, or to decide anything by who was faster.
package jobs

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"

	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/fleet"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/replay/shard"
)

// A Kind says what a job is.
type Kind string

const (
	compare Kind = "compare" // pipeline.RunAsking
	play    Kind = "shard"   // pipeline.Session.Shard
	query   Kind = "query"   // pipeline.Query
)

// A job is a piece of a run. Its folders are the objects of its commits, in their order.
type job struct {
	Kind   Kind
	Config pipeline.Config // without what is only known to the client's machine
	Origin string          // of the repository
	Name   string          // of its root folder
	Sub    string          // where the user is, relative to the root
	Opaque []byte          // the file with the types that the project does not compare; nil: none

	Commits repository.Range
	Shard   shard.Shard
	Parts   int // of the time limit of the configuration, of which a shard has one
	Asks    []pipeline.Ask
	Tests   *repository.Commit // whose tests are played, if they are not old's; nil: none are
}

// commits returns the commits whose objects the job needs, the first one whole, of the others what it does not have.
func (j *job) commits() []repository.Commit {
	list := []repository.Commit{j.Commits.Old, j.Commits.New}
	if j.Tests != nil {
		list = append(list, *j.Tests)
	}
	return list
}

// run returns what the shards of one run have in common, the parts of their jobs but for shard and time limit.
func (j *job) run() (string, error) {
	of := *j
	of.Shard, of.Parts, of.Config.Timeout = shard.Shard{}, 0, 0
	data, err := of.encode()
	return string(data), err
}

// A result is what a job gave.
type result struct {
	Report  json.RawMessage   `json:"report,omitempty"` // as package report/json writes it
	Asks    []pipeline.Ask    `json:"asks,omitempty"`
	Part    []byte            `json:"part,omitempty"` // as package shards writes it
	Answers []pipeline.Answer `json:"answers,omitempty"`
	Timed   int64             `json:"timed,omitempty"` // sequences that the machine ended, see replay.Clock.OfMachine
}

// portable returns a configuration without what is only known to one machine.
func portable(cfg pipeline.Config) pipeline.Config {
	cfg.Dir, cfg.Args, cfg.Commits, cfg.Jobs, cfg.Verbose = "", nil, nil, 0, false
	cfg.Cache, cfg.Nats = cache.Settings{}, fleet.Options{}
	cfg.End, cfg.Progress, cfg.Log, cfg.Found, cfg.Timed = nil, nil, nil, nil, nil
	return cfg
}

// encode returns a job as a worker reads it. Functions and channels are no part of it.
func (j *job) encode() ([]byte, error) {
	var data bytes.Buffer
	if err := gob.NewEncoder(&data).Encode(j); err != nil {
		return nil, fmt.Errorf("encode a job: %w", err)
	}
	return data.Bytes(), nil
}

func decode(data []byte) (*job, error) {
	var j job
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(&j); err != nil {
		return nil, fmt.Errorf("read a job: %w", err)
	}
	return &j, nil
}
