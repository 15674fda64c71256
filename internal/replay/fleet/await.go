package fleet

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/nats-io/nats.go"
)

// Await waits until the workers at a server, of whatever kind, do so many tasks at the same time.
func Await(ctx context.Context, o Options, slots int) error {
	l, err := connect(ctx, o, "spectradiff await")
	if err != nil {
		return err
	}
	defer l.close()
	said := make(chan *nats.Msg, 64)
	if _, err := l.nats.ChanSubscribe(workerSubject, said); err != nil {
		return err
	}
	if err := l.nats.Publish(helloSubject, nil); err != nil {
		return err
	}
	of, sum := map[string]int{}, 0
	for sum < slots {
		select {
		case <-ctx.Done():
			return fmt.Errorf("%d of %d slots: %w", sum, slots, ctx.Err())
		case m := <-said:
			var p presence
			if json.Unmarshal(m.Data, &p) == nil {
				sum += p.Slots - of[p.Worker]
				of[p.Worker] = p.Slots
			}
		}
	}
	return nil
}
