package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/annotations"
	"github.com/spectradiff/spectradiff/internal/report/json"
	"github.com/spectradiff/spectradiff/internal/report/junit"
	"github.com/spectradiff/spectradiff/internal/report/markdown"
	"github.com/spectradiff/spectradiff/internal/report/page"
	"github.com/spectradiff/spectradiff/internal/report/rdjson"
	"github.com/spectradiff/spectradiff/internal/report/sarif"
	"github.com/spectradiff/spectradiff/internal/report/text"
)

// formats are the forms of a report, with what they are for.
var formats = []struct {
	name, use string
	write     func(io.Writer, *report.Report, text.Options) error
}{
	{"text", "for people at a terminal", text.Write},
	{"json", "for programs; show reads it", plainly(json.Write)},
	{"jsonl", "one line of JSON for each root as soon as it is proven, then one for the report",
		plainly(func(w io.Writer, r *report.Report) error { return json.WriteLine(w, json.Line{Report: r}) })},
	{"markdown", "one comment on a pull request",
		plainly(func(w io.Writer, r *report.Report) error { return markdown.Write(w, r, markdown.Options{}) })},
	{"html", "a page for a browser, in one file", plainly(page.Write)},
	{"sarif", "SARIF 2.1.0, for code hosts and editors", plainly(sarif.Write)},
	{"junit", "JUnit XML, for build machines", plainly(junit.Write)},
	{"github", "annotations, as a step of GitHub's prints them", plainly(annotations.Write)},
	{"rdjson", "for reviewdog", plainly(rdjson.Write)},
}

// plainly is a writer that knows nothing of terminals.
func plainly(write func(io.Writer, *report.Report) error) func(io.Writer, *report.Report, text.Options) error {
	return func(w io.Writer, r *report.Report, _ text.Options) error { return write(w, r) }
}

// formatNames lists the formats in a sentence.
func formatNames() string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}

// formatsHelp says what each format is for.
func formatsHelp() string {
	var out strings.Builder
	out.WriteString("Formats of a report, for --format F (on standard output) and --out F=FILE:\n\n")
	for _, f := range formats {
		fmt.Fprintf(&out, "  %-10s  %s\n", f.name, f.use)
	}
	out.WriteString("\nIn a file of --out, and of saved reports, jsonl is the line for the report alone.\n" +
		"spectradiff show REPORT.json makes any of them from what --out json=REPORT.json wrote.\n" +
		"With compare --shard K/N there is --out part=FILE, too, of which merge makes any of them.\n" +
		"A series has the formats text, json, markdown (a change-log) and html.\n")
	return out.String()
}

func checkFormat(format string) error {
	for _, f := range formats {
		if f.name == format {
			return nil
		}
	}
	return fmt.Errorf("unknown format %q: want %s", format, formatNames())
}

// write prints the report to standard output and to the files of --out. The files come first, because a
// reader of the output may stop reading.
func write(std streams, set *settings, r *report.Report) error {
	r = set.secrets.shown(r)
	err := set.writeFiles(func(w io.Writer, format string, options text.Options) error {
		if format == partFormat {
			_, err := w.Write(set.part)
			return err
		}
		return writeFormat(w, format, r, options)
	})
	if err != nil {
		return err
	}
	if set.bisected && set.format == "text" {
		return written(text.Bisected(std.out, r, textOptions(std.out, set)))
	}
	return written(writeFormat(std.out, set.format, r, textOptions(std.out, set)))
}

// writeFiles writes the files of --out, each in its format.
func (s *settings) writeFiles(write func(w io.Writer, format string, options text.Options) error) error {
	for _, out := range s.outputs {
		var buffer bytes.Buffer
		if err := write(&buffer, out.format, text.Options{Detail: s.details}); err != nil {
			return err
		}
		if err := os.WriteFile(out.file, buffer.Bytes(), 0o666); err != nil {
			return fmt.Errorf("write --out %s=%s: %w", out.format, out.file, err)
		}
	}
	return nil
}

func writeFormat(w io.Writer, format string, r *report.Report, options text.Options) error {
	for _, f := range formats {
		if f.name == format {
			return f.write(w, r, options)
		}
	}
	return checkFormat(format)
}

// telling writes each root as soon as it is proven, if the format is one for that; else it is nil.
func telling(std streams, set *settings) func(*report.Report) {
	if set.format != "jsonl" {
		return nil
	}
	var one sync.Mutex
	return func(alone *report.Report) {
		one.Lock()
		defer one.Unlock()
		root := set.secrets.shown(alone).Roots[0]
		root.Rank, root.Calls, root.Deviations = 0, nil, []string{} // the report has them
		// The report says what is wrong with the output.
		_ = json.WriteLine(std.out, json.Line{Found: &root})
	}
}
