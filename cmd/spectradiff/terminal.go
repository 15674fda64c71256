package main

import (
	"io"
	"os"

	"golang.org/x/term"

	"github.com/spectradiff/spectradiff/internal/report/text"
)

// terminalWidth returns the number of columns of the terminal behind a writer, or 0 if there is none.
func terminalWidth(w io.Writer) int {
	file, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return 0
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil || width <= 0 {
		return 80
	}
	return width
}

// textOptions returns how text is written to a writer. NO_COLOR and a dumb terminal turn colours off, unless the user
// wants them always.
func textOptions(w io.Writer, set *settings) text.Options {
	width := terminalWidth(w)
	able := width > 0 && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	return text.Options{
		Width: width, Color: set.color == "always" || able && set.color != "never", Detail: set.details,
	}
}
