package search

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

func TestNear(t *testing.T) {
	near := nearTo([]source.Change{
		{Symbol: "m/core.(*FileField).toSlice.func1", Old: spectra.Lines{File: "core/field_file.go", Line: 3}},
		{Symbol: "m/core.Of", New: spectra.Lines{File: "core/made.go", Line: 3}},
	})
	for _, c := range []struct {
		symbol spectra.Symbol
		file   string
		want   bool
	}{
		{"m/core.TestSomething", "field_file_test.go", true},
		{"m/core.TestSomething", "made_test.go", true},
		{"m/core.TestFilefieldSettings", "other_test.go", true},
		{"m/core.TestToSlice", "other_test.go", true},
		{"m/core.TestOffers", "other_test.go", false}, // Of is too short
		{"m/core.TestFunc1", "other_test.go", false},
		{"m/apis.TestFileField", "field_file_test.go", false},
	} {
		of := &suite.Test{Operation: &api.Operation{Symbol: c.symbol}, File: c.file}
		if got := near(of); got != c.want {
			t.Errorf("%s in %s: %v", c.symbol, c.file, got)
		}
	}
}
