// Package pipeline is the whole flow of a comparison, and the only package that knows every stage:
//
//	plan       what the revisions are, what changed, which packages and functions both versions have
//	built      both versions instrumented and compiled, and what of their states is compared
//	generated  the sequences that both versions will play
//	played     what is noise, and which sequences deviate
//	judged     which of those deviate alone, in fresh processes, and the roots of what deviates
//	report     all of it as one value
//
// Every stage is a function from the values of the stages before it to a value of its own. Nothing
// changes such a value once its stage is over. A stage that finds nothing left to do ends the flow
// early; the report is then made of what is known.
//
// In: a Config. Out: a finished report, or an error that says which stage failed on what. It
// writes only below the cache folder and a temporary folder that it removes; the repository is
// read, never touched. With the same Config (and Sequences set) the report is the same but for its
// durations.
package pipeline

import (
	"context"
	"errors"

	"github.com/spectradiff/spectradiff/report"
)

// Run compares two versions.
func Run(ctx context.Context, cfg Config) (*report.Report, error) {
	env, err := openEnvironment(cfg)
	if err != nil {
		return nil, err
	}
	defer env.close()
	plan, err := makePlan(ctx, env)
	built, err := then(err, func() (*built, error) { return buildVersions(ctx, env, plan) })
	generated, err := then(err, func() (*generated, error) { return generateSequences(ctx, env, built) })
	played, err := then(err, func() (*played, error) { return play(ctx, env, generated) })
	judged, err := then(err, func() (*judged, error) { return judge(ctx, env, played) })
	if err != nil && !errors.Is(err, errOver) {
		return nil, err
	}
	return makeReport(cfg, results{plan, built, generated, played, judged})
}

// errOver says that there is nothing left to do: what is known makes the report.
var errOver = errors.New("nothing left to compare")

// then runs a stage unless the one before it ended the flow.
func then[T any](err error, stage func() (*T, error)) (*T, error) {
	if err != nil {
		return nil, err
	}
	return stage()
}
