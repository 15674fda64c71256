package markdown_test

import (
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	table "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/spectradiff/spectradiff/internal/report/markdown"
	"github.com/spectradiff/spectradiff/internal/report/reporttest"
	"github.com/spectradiff/spectradiff/internal/report/series"
)

func writeSeries(t *testing.T, s *series.Series) string {
	t.Helper()
	var out strings.Builder
	if err := markdown.WriteSeries(&out, s); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestSeriesGolden(t *testing.T) {
	got := writeSeries(t, reporttest.Series(t))
	reporttest.Golden(t, "series.md", "every kind of pair, and roots that come and go", *update, []byte(got))
}

// TestSeriesHostile: whatever every text is, there is one table with its cells and a heading for each pair that has
// something to say, and nothing that leads somewhere.
func TestSeriesHostile(t *testing.T) {
	for _, value := range hostile {
		s := reporttest.Series(t)
		reporttest.Fill(reflect.ValueOf(s.Pairs), value)
		got := writeSeries(t, s)
		counts := map[ast.NodeKind]int{}
		root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader([]byte(got)))
		err := ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
			if entering {
				counts[n.Kind()]++
			}
			return ast.WalkContinue, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for kind, want := range map[ast.NodeKind]int{
			table.KindTable: 1, table.KindTableCell: 28, ast.KindList: 3,
			ast.KindLink: 0, ast.KindAutoLink: 0, ast.KindImage: 0, ast.KindRawHTML: 0, ast.KindHTMLBlock: 0,
		} {
			if counts[kind] != want {
				t.Errorf("%q: %d of kind %v, want %d, in\n%s", value, counts[kind], kind, want, got)
			}
		}
		if n := counts[ast.KindHeading]; n < 3 || n > 6 {
			t.Errorf("%q: %d headings", value, n)
		}
	}
}

func TestSeriesError(t *testing.T) {
	if err := markdown.WriteSeries(reporttest.Closed{}, reporttest.Series(t)); !errors.Is(err, os.ErrClosed) {
		t.Errorf("got %v", err)
	}
}
