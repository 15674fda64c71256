package page_test

import (
	"bytes"
	"errors"
	"os"
	"reflect"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report/page"
	"github.com/spectradiff/spectradiff/internal/report/reporttest"
	"github.com/spectradiff/spectradiff/internal/report/series"
)

func writeSeries(t *testing.T, s *series.Series) string {
	t.Helper()
	var out bytes.Buffer
	if err := page.WriteSeries(&out, s); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestSeriesGolden(t *testing.T) {
	got := fixed.ReplaceAllString(writeSeries(t, reporttest.Series(t)), "(fixed)")
	reporttest.Golden(t, "series.html", "every kind of pair, and roots that come and go", *update, []byte(got))
}

// TestSeriesHostile: whatever every text is, the page has the structure of a harmless one, and runs no script.
func TestSeriesHostile(t *testing.T) {
	harmless := shapeOf(t, writeSeries(t, reporttest.Series(t)))
	if len(harmless.scripts) > 0 || len(harmless.styles) != 1 {
		t.Errorf("%d scripts, %d styles", len(harmless.scripts), len(harmless.styles))
	}
	for _, text := range hostile {
		s := reporttest.Series(t)
		reporttest.Fill(reflect.ValueOf(&s.Module).Elem(), text)
		reporttest.Fill(reflect.ValueOf(s.Pairs), text)
		got := writeSeries(t, s)
		shape := shapeOf(t, got)
		shape.check(t, got, &harmless)
	}
}

func TestSeriesError(t *testing.T) {
	if err := page.WriteSeries(reporttest.Closed{}, reporttest.Series(t)); !errors.Is(err, os.ErrClosed) {
		t.Errorf("got %v", err)
	}
}
