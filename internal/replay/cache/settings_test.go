package cache

import (
	"context"
	"strings"
	"testing"
	"time"
)

// cancelled returns a context that has ended.
func cancelled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

func TestFromEnvironment(t *testing.T) {
	for _, test := range []struct {
		reason       string
		folder, size string
		want         Settings
		trouble      string
	}{
		{"nothing set", "", "", Settings{Limit: 2 << 30, Age: 30 * 24 * time.Hour}, ""},
		{"all set", "/c", "500M", Settings{Folder: "/c", Limit: 500 << 20, Age: 30 * 24 * time.Hour}, ""},
		{"no limit", "", "0", Settings{Age: 30 * 24 * time.Hour}, ""},
		{"a lower-case unit and a fraction", "", "1.5g", Settings{Limit: 3 << 29, Age: 30 * 24 * time.Hour}, ""},
		{"bytes", "", "4096", Settings{Limit: 4096, Age: 30 * 24 * time.Hour}, ""},
		{"a relative folder", "c", "", Settings{}, "SPECTRADIFF_CACHE=c: want an absolute"},
		{"no number", "", "M", Settings{}, "SPECTRADIFF_CACHE_SIZE=M: want a size such as 500M"},
		{"below zero", "", "-1", Settings{}, "want a size"},
		{"an unknown unit", "", "2GB", Settings{}, "want a size"},
		{"what only parsers of numbers know", "", "Inf", Settings{}, "want a size"},
		{"too much", "", "9999999999T", Settings{}, "want a size"},
	} {
		got, err := FromEnvironment(func(name string) string {
			return map[string]string{FolderVariable: test.folder, LimitVariable: test.size}[name]
		})
		switch {
		case test.trouble == "" && (err != nil || got != test.want):
			t.Errorf("%s: %+v, %v, want %+v", test.reason, got, err, test.want)
		case test.trouble != "" && (err == nil || !strings.Contains(err.Error(), test.trouble)):
			t.Errorf("%s: error %v, want %q", test.reason, err, test.trouble)
		}
	}
}

func TestSizeText(t *testing.T) {
	for bytes, want := range map[int64]string{
		0: "0", 1023: "1023", 1024: "1K", 1536: "1.5K", 2 << 30: "2G", 3 << 50: "3072T",
	} {
		if got := SizeText(bytes); got != want {
			t.Errorf("%d bytes are %s, want %s", bytes, got, want)
		}
	}
}
