package replay

import (
	"context"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// spans makes spans of what a run does, which nobody reads unless a trace was asked for:
//
//	run
//	└─ stage                            name as in Stages
//	   └─ each                          a division of work among workers: pieces
//	      └─ piece                      index, worker
//	         └─ play                    a call of Play: side, sequences
//	            └─ task                 where another machine plays: see package fleet
var spans = otel.Tracer("github.com/spectradiff/spectradiff/internal/replay")

// A current is the span of the run and that of its stage.
type current struct{ run, stage trace.Span }

// begin begins the span of a stage, after that of the run.
func (c *current) begin(name string) {
	background := context.Background()
	if c.run == nil {
		_, c.run = spans.Start(background, "run")
	}
	if c.stage != nil {
		c.stage.End()
	}
	_, c.stage = spans.Start(trace.ContextWithSpan(background, c.run), name, trace.WithAttributes(
		attribute.String("kind", "stage")))
}

func (c *current) end() {
	if c.run != nil {
		c.stage.End()
		c.run.End()
	}
}

// within returns a context whose spans lie in that of the stage, unless they lie in another one already.
func (w *Workers) within(ctx context.Context) context.Context {
	if w.clock == nil || trace.SpanContextFromContext(ctx).IsValid() {
		return ctx
	}
	w.clock.mu.Lock()
	defer w.clock.mu.Unlock()
	if w.clock.spans.stage == nil {
		return ctx
	}
	return trace.ContextWithSpan(ctx, w.clock.spans.stage)
}
