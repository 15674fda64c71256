package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/json"
	"github.com/spectradiff/spectradiff/internal/report/text"
)

func checkFormat(format string) error {
	switch format {
	case "text", "json", "jsonl":
		return nil
	}
	return fmt.Errorf("unknown format %q: want text, json or jsonl", format)
}

// write prints the report to standard output and to the files of --out. The files come first, because a
// reader of the output may stop reading.
func write(std streams, set *settings, r *report.Report) error {
	for _, out := range set.outputs {
		var buffer bytes.Buffer
		if err := writeFormat(&buffer, out.format, r, text.Options{}); err != nil {
			return err
		}
		if err := os.WriteFile(out.file, buffer.Bytes(), 0o666); err != nil {
			return fmt.Errorf("write --out %s=%s: %w", out.format, out.file, err)
		}
	}
	return written(writeFormat(std.out, set.format, r, textOptions(std.out)))
}

func writeFormat(w io.Writer, format string, r *report.Report, options text.Options) error {
	switch format {
	case "json":
		return json.Write(w, r)
	case "jsonl":
		return json.WriteLine(w, json.Line{Report: r})
	}
	return text.Write(w, r, options)
}

// telling writes each root as soon as it is proven, if the format is one for that; else it is nil.
func telling(std streams, set *settings) func(*report.Root) {
	if set.format != "jsonl" {
		return nil
	}
	var one sync.Mutex
	return func(root *report.Root) {
		one.Lock()
		defer one.Unlock()
		_ = json.WriteLine(std.out, json.Line{Found: root}) // the report says what is wrong with the output
	}
}
