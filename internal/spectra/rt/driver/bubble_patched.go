//go:build zspectra_runtime

package driver

import (
	"fmt"
	"internal/synctest"
	"strings"
	"unsafe"

	"github.com/spectradiff/spectradiff/internal/spectra/rt"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// leftoverSteps is what goroutines may still do after the sequence was answered: enough to end what
// waits for a clock, little to wait for when a timer fires for ever.
const leftoverSteps = 10_000

// bubble runs main, then answer when main has ended or can never end. It reports whether goroutines are left that
// would go on for ever.
func (d *driver) bubble(main, answer func()) (fresh bool) {
	if !d.bubbles {
		rt.Awake()
		return d.plain(main, answer)
	}
	p := &bubbled{d: d, main: main, answer: answer}
	p.run()
	if !p.answered {
		p.finish()
	}
	return p.fresh
}

type bubbled struct {
	d            *driver
	main, answer func()
	answered     bool
	fresh        bool
}

func (b *bubbled) run() {
	defer func() {
		// Only the bubble itself panics here: a panic of the target is recovered or ends the process. It
		// complains when it leaves goroutines blocked; that is an outcome.
		if x := recover(); x != nil && !strings.Contains(fmt.Sprint(x), "deadlock") {
			b.d.fail(wire.StatusBubble, fmt.Errorf("time bubble: %v", x))
		}
	}()
	rt.OnBubbleFailure((*uint64)(unsafe.Pointer(&b.d.memory[wire.HeaderStatus])), wire.StatusBubble)
	synctest.Run(func() {
		defer func() {
			b.finish()
			rt.SetSteps(leftoverSteps, b.d.fresh)
		}()
		b.main()
	})
}

func (b *bubbled) finish() {
	b.answered = true
	b.answer()
}

// settle waits until every other goroutine of the sequence waits, for nothing that is there already, or has ended.
func settle(bubbles bool) {
	if !bubbles {
		return
	}
	synctest.Wait()
	for rt.Arrived() {
		synctest.Wait()
	}
}
