package cache

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// The environment variables with the settings.
const (
	FolderVariable = "SPECTRADIFF_CACHE"
	LimitVariable  = "SPECTRADIFF_CACHE_SIZE"
)

const (
	defaultLimit = 2 << 30
	defaultAge   = 30 * 24 * time.Hour
)

// Settings are the place and the limits of a cache. The zero value is the default folder without limits.
type Settings struct {
	Folder string
	Limit  int64         // maximum size in bytes; 0: no limit
	Age    time.Duration // maximum time without use; 0: no limit
}

// FromEnvironment reads the settings from environment variables. The defaults are the default folder, 2 GB and 30 days.
func FromEnvironment(get func(name string) string) (Settings, error) {
	s := Settings{Folder: get(FolderVariable), Limit: defaultLimit, Age: defaultAge}
	if s.Folder != "" && !filepath.IsAbs(s.Folder) {
		return s, fmt.Errorf("%s=%s: want an absolute path", FolderVariable, s.Folder)
	}
	if text := get(LimitVariable); text != "" {
		limit, err := parseSize(text)
		if err != nil {
			return s, fmt.Errorf("%s=%s: want a size such as 500M or 2G, or 0 for no limit", LimitVariable, text)
		}
		s.Limit = limit
	}
	return s, nil
}

// DefaultFolder returns the default folder of the cache. A user without a folder for caches gets one of his own in the
// folder for temporary files.
func DefaultFolder() string {
	base, err := os.UserCacheDir()
	if err != nil {
		return filepath.Join(os.TempDir(), fmt.Sprintf("spectradiff-cache-%d", os.Geteuid()))
	}
	return filepath.Join(base, "spectradiff")
}

// units are the letters of size units. Each is 1024 times the one before.
const units = "KMGT"

// parseSize parses a size such as "2G" into bytes.
func parseSize(text string) (int64, error) {
	number, factor := strings.ToUpper(text), 1.0
	if number != "" {
		if i := strings.IndexByte(units, number[len(number)-1]); i >= 0 {
			number, factor = number[:len(number)-1], math.Pow(1024, float64(i+1))
		}
	}
	for _, digit := range number { // no signs, exponents or infinities
		if (digit < '0' || digit > '9') && digit != '.' {
			return 0, strconv.ErrSyntax
		}
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return 0, err
	}
	if n*factor >= math.MaxInt64 {
		return 0, strconv.ErrRange
	}
	return int64(n * factor), nil
}

// SizeText formats a number of bytes like a setting, with at most one digit behind the point.
func SizeText(bytes int64) string {
	n, unit := float64(bytes), ""
	for i := 0; i < len(units) && n >= 1024; i++ {
		n, unit = n/1024, units[i:i+1]
	}
	return strings.TrimSuffix(strconv.FormatFloat(n, 'f', 1, 64), ".0") + unit
}
