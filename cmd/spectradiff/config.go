package main

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/spectradiff/spectradiff/internal/replay/repository"
)

// configFile holds a repository's own defaults of flags, below its root.
const configFile = ".spectradiff/config.toml"

// configurable are the flags that it may set. What confines a run, or writes somewhere, is none of them: a pull request
// may bring another file.
var configurable = []string{
	"all", "budget", "color", "deps", "details", "drive", "explore", "fail-on", "format", "jobs", "no-proof",
	"redundancy", "rename", "secret", "seed", "sequences", "timeout",
}

// configure sets flags that the command line does not set from the repository's file, if there is one.
func (f *flagSet) configure(dir string) error {
	folder, name, err := repository.FindFile(dir, configFile)
	if err != nil || name == "" {
		return err
	}
	text, err := repository.ReadFile(folder, filepath.FromSlash(configFile))
	if err != nil {
		return fmt.Errorf("read the defaults of flags: %w", err)
	}
	values := map[string]any{}
	if _, err := toml.Decode(string(text), &values); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(configurable, key) {
			return fmt.Errorf("%s: %q can't be set there; what can: %s", name, key, strings.Join(configurable, ", "))
		}
		if f.given(key) && key != "secret" || f.Lookup(key) == nil { // or it is for another command
			continue
		}
		if format, ok := values[key].(string); ok && key == "format" && f.takes != nil && !f.takes(format) {
			continue // it is one for other commands
		}
		if err := f.setAll(key, values[key]); err != nil {
			return fmt.Errorf("%s: %s: %w", name, key, err)
		}
	}
	return nil
}

// setAll sets a flag to a value of a file, or once to each of a list.
func (f *flagSet) setAll(key string, value any) error {
	switch value := value.(type) {
	case string, int64, float64, bool:
		return f.Set(key, fmt.Sprint(value))
	case []any:
		if key == "drive" { // one flag with a list
			return f.Set(key, strings.Join(words(value), ","))
		}
		for _, word := range words(value) {
			if err := f.Set(key, word); err != nil {
				return err
			}
		}
		return nil
	}
	return errors.New("want a text, a number, true or false, or a list of texts")
}

func words(list []any) (words []string) {
	for _, word := range list {
		words = append(words, fmt.Sprint(word))
	}
	return words
}
