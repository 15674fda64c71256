package main

import (
	"encoding/xml"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

// Sizes and colours of a picture of a terminal.
const (
	columnWidth = 8.4
	lineHeight  = 18
	margin      = 16
	fontSize    = 14
)

// classes are the style classes for the escape sequences of the text format.
var classes = map[string]string{
	"\x1b[1m": "bold", "\x1b[2m": "faint", "\x1b[31m": "red", "\x1b[32m": "green", "\x1b[33m": "yellow",
}

const pictureStyle = `text { font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", ` +
	`monospace; fill: #e4e7eb; white-space: pre } .bold { font-weight: bold } .faint { fill: #a3adb8 } ` +
	`.red { fill: #ff8f87 } .green { fill: #72d38f } .yellow { fill: #e9b949 }`

// painted matches a piece of a line in a colour, or one without.
var painted = regexp.MustCompile("(\x1b\\[[0-9]+m)?([^\x1b]+)(?:\x1b\\[0m)?")

// picture returns text with colours as an SVG picture of a terminal. Each line has the length that it has in one,
// whatever the font.
func picture(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	var body strings.Builder
	widest := 0
	for i, line := range lines {
		columns := 0
		var spans strings.Builder
		for _, part := range painted.FindAllStringSubmatch(line, -1) {
			columns += utf8.RuneCountInString(part[2])
			if class := classes[part[1]]; class != "" {
				fmt.Fprintf(&spans, `<tspan class="%s">%s</tspan>`, class, escaped(part[2]))
			} else {
				spans.WriteString(escaped(part[2]))
			}
		}
		if widest = max(widest, columns); columns > 0 {
			fmt.Fprintf(&body, `<text x="%d" y="%d" textLength="%.1f" xml:space="preserve">%s</text>`+"\n",
				margin, margin+i*lineHeight+fontSize, float64(columns)*columnWidth, spans.String())
		}
	}
	width, height := int(float64(widest)*columnWidth)+2*margin, len(lines)*lineHeight+2*margin
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="%[2]d" viewBox="0 0 %[1]d %[2]d"`+
		` role="img" aria-label="A report of spectradiff in a terminal">`+"\n<style>%[3]s</style>\n"+
		`<rect width="%[1]d" height="%[2]d" rx="8" fill="#15181c"/>`+"\n%[4]s</svg>\n",
		width, height, pictureStyle, body.String())
}

func escaped(text string) string {
	var out strings.Builder
	if err := xml.EscapeText(&out, []byte(text)); err != nil {
		panic(err) // a strings.Builder takes everything
	}
	return out.String()
}

func TestPicture(t *testing.T) {
	got := picture("\x1b[1ma<b\x1b[0m\n\n  \x1b[31mold\x1b[0m → new\n")
	for _, want := range []string{
		`y="30" textLength="25.2" xml:space="preserve"><tspan class="bold">a&lt;b</tspan></text>`,
		`y="66" textLength="92.4" xml:space="preserve">  <tspan class="red">old</tspan> → new</text>`,
		`width="124" height="86"`,
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the picture lacks %s:\n%s", want, got)
		}
	}
	if err := xml.Unmarshal([]byte(got), new(struct{})); err != nil {
		t.Error(err)
	}
}
