package page_test

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/page"
)

// axe checks a page for what keeps people from using it: axe-core, https://github.com/dequelabs/axe-core.
//
//go:embed testdata/axe/axe.min.js
var axe string

// openLimit is how long a page may take to open: generous, because other programs run beside the test. The figure that
// counts is in the log, and is to stay below two seconds.
const openLimit = 10 * time.Second

// A browser is a tab that shows a page.
type browser struct {
	context.Context
	t     *testing.T
	still bool // without JavaScript

	mutex  sync.Mutex
	faults []string // errors of the console, and requests that go beyond the file
}

// started is the one browser of all tests, in which each has a tab.
var started struct {
	sync.Once
	context.Context // nil: it did not start
	stop            func()
	err             error
}

// attempts is how often a browser is started: on a machine without room it may end at once.
const attempts = 3

func TestMain(m *testing.M) {
	code := m.Run()
	if started.stop != nil {
		started.stop()
	}
	os.Exit(code)
}

// start starts the browser.
func start(binary string) {
	options := append([]chromedp.ExecAllocatorOption{}, chromedp.DefaultExecAllocatorOptions[:]...)
	options = append(options, chromedp.ExecPath(binary), chromedp.NoSandbox) // it opens our own files only
	for range attempts {
		allocator, end := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, cancel := chromedp.NewContext(allocator)
		if started.err = chromedp.Do(ctx, chromedp.Navigate("about:blank")); started.err == nil {
			started.Context, started.stop = ctx, func() { cancel(); end() }
			return
		}
		cancel()
		end()
	}
}

// newBrowser opens a tab in Chromium, or skips the test where there is none.
func newBrowser(t *testing.T) *browser {
	t.Helper()
	if testing.Short() {
		t.Skip("it starts a browser: not with -short")
	}
	binary := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			binary = found
			break
		}
	}
	if binary == "" {
		t.Skip("no chromium, chromium-browser or google-chrome on PATH: the page is not tried in a browser")
	}
	started.Do(func() { start(binary) })
	if started.Context == nil {
		t.Fatalf("start %s: %v", binary, started.err)
	}
	ctx, cancel := chromedp.NewContext(started.Context)
	t.Cleanup(cancel)
	b := &browser{Context: ctx, t: t}
	b.do(chromedp.EmulateViewport(1280, 900))
	if err := chromedp.Listen(ctx, b.note); err != nil {
		t.Fatal(err)
	}
	return b
}

// note keeps what must not happen.
func (b *browser) note(event any) {
	fault := ""
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, "file://") || !strings.Contains(e.Request.URL, "report.html") {
			fault = "request: " + e.Request.URL
		}
	case *runtime.EventExceptionThrown:
		fault = fmt.Sprint("exception: ", e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		fault = fmt.Sprint("console: ", e.Type)
	case *log.EventEntryAdded:
		fault = fmt.Sprint("log: ", e.Entry.Text)
	}
	if fault != "" {
		b.mutex.Lock()
		b.faults = append(b.faults, fault)
		b.mutex.Unlock()
	}
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// show writes a report as a page, opens it, and returns how long that took.
func (b *browser) show(r *report.Report, anchor string) time.Duration {
	b.t.Helper()
	var out bytes.Buffer
	if err := page.Write(&out, r); err != nil {
		b.t.Fatal(err)
	}
	file := filepath.Join(b.t.TempDir(), "report.html")
	if err := os.WriteFile(file, out.Bytes(), 0o666); err != nil {
		b.t.Fatal(err)
	}
	start := time.Now()
	b.do(chromedp.Navigate("file://" + file + anchor))
	if !b.still {
		eval[bool](b, `new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(true), 0)))`)
	}
	return time.Since(start)
}

// icicle waits until the icicle of a finding is drawn, which it is when the reader comes near.
func (b *browser) icicle(rank int) {
	b.t.Helper()
	b.act(fmt.Sprintf(`document.querySelector("#root-%d").scrollIntoView()`, rank))
	drawn := fmt.Sprintf(`document.querySelector("#root-%d .icicle svg")`, rank)
	b.wait(drawn, "the icicle of an open finding is drawn")
}

// eval returns the value of an expression in the page.
func eval[T any](b *browser, expression string) T {
	b.t.Helper()
	value, err := chromedp.Run(b, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// act evaluates an expression for what it does. Its value is none of ours: methods that scroll return nothing in old
// browsers and a promise in new ones, which is awaited.
func (b *browser) act(expression string) {
	b.t.Helper()
	eval[bool](b, "(async () => { await ("+expression+"); return true; })()")
}

// wait waits until an expression is true.
func (b *browser) wait(expression, reason string) {
	b.t.Helper()
	const loop = `new Promise((done) => {
		const end = performance.now() + 10000;
		const look = () => {
			const is = Boolean(%s);
			is || performance.now() > end ? done(is) : requestAnimationFrame(look);
		};
		look();
	})`
	if !eval[bool](b, fmt.Sprintf(loop, expression)) {
		b.t.Errorf("%s: %s does not become true", reason, expression)
	}
}

// enter gives an element a value, and tells it of an event.
func (b *browser) enter(element, value, event string) {
	b.t.Helper()
	eval[bool](b, fmt.Sprintf(`((e) => {
		e.value = %q;
		return e.dispatchEvent(new MouseEvent(%q, {bubbles: true}));
	})(%s)`, value, event, element))
}

// emulate sets the width and the colours that the reader prefers.
func (b *browser) emulate(width int64, scheme string) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, 900))
	features := []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"},
	}
	params := emulation.SetEmulatedMediaParams{Features: features}
	if _, err := chromedp.Call(b, emulation.SetEmulatedMedia, params); err != nil {
		b.t.Fatal(err)
	}
}

// harmless fails the test for errors of the console and for requests.
func (b *browser) harmless() {
	b.t.Helper()
	b.mutex.Lock()
	defer b.mutex.Unlock()
	for _, fault := range b.faults {
		b.t.Error(fault)
	}
}

func TestBrowser(t *testing.T) {
	b := newBrowser(t)
	b.emulate(1280, "light")
	r := sample(t)
	b.show(r, "")
	b.icicle(1)

	t.Run("filter", func(t *testing.T) {
		b.do(chromedp.KeyEvent("/"))
		b.wait(`document.activeElement.id === "find"`, "/ leads to the filter")
		b.do(chromedp.KeyEvent("price.go"))
		b.wait(`document.querySelectorAll("#rows tbody tr:not([hidden])").length === 1`, "rows are filtered")
		b.wait(`document.querySelectorAll(".card:not([hidden])").length === 1`, "cards are filtered")
		b.wait(`document.querySelector("#found").textContent === "1 of 4 findings"`, "and counted")
		b.enter(`document.querySelector("#find")`, "", "input")
		b.act(`document.querySelector('.choice[data-tier="value"]').click()`)
		b.wait(`document.querySelector(".card[data-rank='1']").hidden`, "a tier is left out")
		eval[bool](b, `(location.hash = "#root-1") !== ""`)
		b.wait(`!document.querySelector(".card[data-rank='1']").hidden`, "a link shows what the filter hid")
		b.wait(`document.activeElement.closest("#root-1")`, "and leads there")
		const folded = `document.querySelector("#root-3").checkVisibility()`
		b.wait(`!`+folded, "what was accepted is folded")
		eval[bool](b, `(location.hash = "#root-3") !== ""`)
		b.wait(folded+` && document.querySelector("#root-3").open`, "a link unfolds it")
		b.enter(`document.querySelector("#find")`, "total", "input")
		b.wait(`document.querySelector(".card[data-rank='3']").hidden`, "the filter looks at it, too")
		b.wait(`document.querySelector("#found").textContent === "1 of 4 findings"`, "and does not count it")
		b.enter(`document.querySelector("#find")`, "", "input")
	})
	t.Run("icicle", func(t *testing.T) {
		const box = `document.querySelector("#root-1 .icicle")`
		const label = `document.activeElement.getAttribute("aria-label")`
		const wide = box + `.querySelector("g.frame[data-root] rect").width.baseVal.value`
		const layout = `((d) => d.x1 - d.x0)(d3.select(` + box + `.querySelector("g.frame[data-root]")).datum())`
		b.wait(`Math.abs(`+wide+` - `+layout+` * `+box+`.querySelector("svg").width.baseVal.value) < 1`, "it rests")
		before := eval[float64](b, wide)
		b.enter(box+`.querySelector("g.frame[data-root]")`, "", "click")
		b.wait(fmt.Sprintf("%s > %v", wide, before), "a click zooms")
		b.wait(box+`.querySelector(".chosen").textContent.includes("★ root")`, "and explains")
		b.wait(box+`.querySelector(".state .differs .is").textContent === "1180"`, "with the states of both versions")
		b.act(box + `.querySelector("g.frame[data-root]").focus()`)
		b.do(chromedp.KeyEvent(kb.ArrowDown))
		b.wait(label+`.startsWith("round: follower")`, "the arrow leads to the callee")
		b.do(chromedp.KeyEvent(kb.ArrowRight))
		b.wait(label+`.startsWith("rebate: only old")`, "and to the next one")
		b.do(chromedp.KeyEvent(kb.Escape))
		b.wait(fmt.Sprintf("Math.abs(%s - %v) < 1", wide, before), "Escape shows the whole tree")
		b.act(box + `.querySelector("input").focus()`)
		b.do(chromedp.KeyEvent("CART"))
		b.wait(box+`.querySelectorAll("g.frame[data-hit]").length === 2`, "search marks")
		b.wait(box+`.querySelector("output").textContent === "2 calls found"`, "and counts")
		b.enter(box+`.querySelector("select")`, "calls", "change")
		b.wait(wide+` > 0 && `+wide+` < `+fmt.Sprint(before), "by calls, what is folded takes its room")
	})
	t.Run("theme", func(t *testing.T) {
		const paper = `getComputedStyle(document.body).backgroundColor`
		before := eval[string](b, paper)
		b.do(chromedp.Click(chromedp.ID("theme")))
		b.wait(fmt.Sprintf("%s !== %q", paper, before), "the button changes the colours")
	})
	t.Run("links", func(t *testing.T) {
		b.show(r, "#f-"+r.Roots[3].Fingerprint)
		b.wait(`document.querySelector("#root-4").open`, "a fingerprint leads to its finding")
	})
	b.harmless()
}

// TestNoScript: without JavaScript, all findings can be read, and no control is there that does nothing.
func TestNoScript(t *testing.T) {
	b := newBrowser(t)
	params := emulation.SetScriptExecutionDisabledParams{Value: true}
	if _, err := chromedp.Call(b, emulation.SetScriptExecutionDisabled, params); err != nil {
		t.Fatal(err)
	}
	b.still = true
	b.show(sample(t), "")
	const seen = `Array.from(document.querySelectorAll("button, input")).filter((e) => e.checkVisibility()).length`
	if n := eval[int](b, seen); n > 0 {
		t.Errorf("%d controls are visible without JavaScript", n)
	}
	if !eval[bool](b, `document.querySelector("#root-1 .tree").checkVisibility()`) {
		t.Error("the call tree is not visible as text")
	}
	b.harmless()
}

// TestAccessible: axe-core has nothing serious to say.
func TestAccessible(t *testing.T) {
	b := newBrowser(t)
	for _, width := range []int64{1280, 390} {
		for _, scheme := range []string{"light", "dark"} {
			t.Run(fmt.Sprintf("%s-%d", scheme, width), func(t *testing.T) {
				b.t = t
				b.emulate(width, scheme)
				b.show(sample(t), "")
				b.act(`document.querySelectorAll("details").forEach((d) => { d.open = true; })`)
				b.icicle(1)
				b.enter(`document.querySelector("#root-1 g.frame[data-root]")`, "", "click")
				b.wait(`document.querySelector("#root-1 .states")`, "the states of an execution are shown")
				if over := eval[float64](b, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
					t.Errorf("the page is %v pixels wider than the window", over)
				}
				eval[bool](b, axe+`; true`)
				found := eval[string](b, `axe.run().then((r) => JSON.stringify(r.violations.map((v) => ({
					id: v.id, impact: v.impact, help: v.help,
					where: v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200)),
				}))))`)
				var violations []struct {
					ID, Impact, Help string
					Where            []string
				}
				if err := json.Unmarshal([]byte(found), &violations); err != nil {
					t.Fatal(err)
				}
				for _, v := range violations {
					if v.Impact == "serious" || v.Impact == "critical" {
						t.Errorf("%s (%s): %s: %q", v.ID, v.Impact, v.Help, v.Where)
					} else {
						t.Logf("%s (%s): %s: %q", v.ID, v.Impact, v.Help, v.Where)
					}
				}
			})
		}
	}
}

// TestWidth: names of any length leave the page as wide as the window.
func TestWidth(t *testing.T) {
	b := newBrowser(t)
	r := sample(t)
	fill(reflect.ValueOf(r).Elem(), "</script>\u202e日本語"+strings.Repeat("long", 100))
	r.Settings.Sequences = math.MaxInt
	for _, width := range []int64{1280, 390} {
		b.emulate(width, "light")
		b.show(r, "")
		b.act(`document.querySelectorAll("details").forEach((d) => { d.open = true; })`)
		b.icicle(1)
		b.enter(`document.querySelector("#root-1 g.frame[data-root]")`, "", "click")
		b.wait(`document.querySelector("#root-1 .states")`, "the states of an execution are shown")
		const wide = `Array.from(document.querySelectorAll("body *")).filter((e) => e.checkVisibility() &&
			e.getBoundingClientRect().right > innerWidth + 1 &&
			!e.closest(".scroll, .hunk, .states, svg, .hidden, .skip")).slice(0, 5)
			.map((e) => e.outerHTML.slice(0, 80))`
		if found := eval[[]string](b, wide); len(found) > 0 {
			t.Errorf("in a window of %d pixels, wider: %q", width, found)
		}
	}
	b.harmless()
}

// TestOpens measures how long the page of a large report takes to open.
func TestOpens(t *testing.T) {
	b := newBrowser(t)
	b.emulate(1280, "light")
	took := b.show(large(t, 200, 50), "")
	t.Logf("a page with 200 roots and 10,000 deviations opens in %v", took.Round(10*time.Millisecond))
	if took > openLimit {
		t.Errorf("it took %v to open, more than %v", took, openLimit)
	}
	b.icicle(1)
	b.harmless()
}
