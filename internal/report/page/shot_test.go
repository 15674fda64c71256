package page_test

import (
	"context"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)


func TestShot(t *testing.T) {
	ctx, cancel := chromedp.NewExecAllocator(context.Background(), append(chromedp.DefaultExecAllocatorOptions[:len(chromedp.DefaultExecAllocatorOptions):len(chromedp.DefaultExecAllocatorOptions)], chromedp.NoSandbox)...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	w, h := int64(1280), int64(900)
	if os.Getenv("H") != "" {
		h, _ = strconv.ParseInt(os.Getenv("H"), 10, 64)
	}
	if os.Getenv("W") == "390" {
		w = 390
	}
	check := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	check(chromedp.Do(ctx, chromedp.EmulateViewport(w, h)))
	_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: os.Getenv("SCHEME")}}})
	check(err)
	check(chromedp.Do(ctx, chromedp.Navigate("file://"+os.Getenv("PAGE"))))
	time.Sleep(300 * time.Millisecond)
	if js := os.Getenv("JS"); js != "" {
		_, err := chromedp.Run(ctx, chromedp.Evaluate[any](js))
		check(err)
	}
	time.Sleep(900 * time.Millisecond)
	png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	check(err)
	os.WriteFile(os.Getenv("OUT"), png, 0o666)
}
