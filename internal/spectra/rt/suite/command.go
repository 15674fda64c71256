package suite

import (
	"flag"
	"os"
	"path/filepath"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// own are the flags that libraries define when they are initialised. Every command gets flags of its own, because
// commands are linked into one program that may define the same ones.
var own = flag.CommandLine

// Command runs the main function of a command as the only one of its process, in the working folder: with the
// arguments, the standard input and the files that other lists. It ends the process with status 0 when main returns.
func Command(name string, main func(), other map[int]interface{}) error {
	arguments, err := surround(other)
	if err != nil {
		return err
	}
	os.Args = append([]string{name}, arguments...)
	if flag.CommandLine != own {
		complete(flag.CommandLine, own)
	}
	flag.CommandLine.Init(name, flag.ExitOnError)
	main()
	os.Exit(0) //nolint:forbidigo // as the end of main does
	return nil
}

// complete makes a set of flags that of a program, with those of others that it does not have.
func complete(line *flag.FlagSet, others ...*flag.FlagSet) {
	for _, other := range others {
		other.VisitAll(func(f *flag.Flag) {
			if line.Lookup(f.Name) == nil {
				line.Var(f.Value, f.Name, f.Usage)
			}
		})
	}
	if line.Usage == nil {
		line.Usage = func() { flag.Usage() } // which the program may have set
	}
}

// surround makes what a command finds around it, and returns its arguments.
func surround(other map[int]interface{}) (arguments []string, err error) {
	text := func(number int) (string, bool) { s, ok := other[number].(string); return s, ok }
	for i := 0; i < wire.CommandParts; i++ {
		if argument, ok := text(wire.CommandArgument + i); ok {
			arguments = append(arguments, argument)
		}
		if name, ok := text(wire.CommandFile + i); ok {
			content, _ := text(wire.CommandContent + i)
			if err := write(name, content); err != nil {
				return nil, err
			}
		}
	}
	input, _ := text(wire.CommandInput)
	os.Stdin, err = unnamed(input)
	return arguments, err
}

func write(name, content string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(content), 0o666)
}

// unnamed returns an open file without a name, which holds a text.
func unnamed(text string) (*os.File, error) {
	file, err := os.CreateTemp("", "")
	if err != nil {
		return nil, err
	}
	if err = os.Remove(file.Name()); err == nil {
		_, err = file.WriteString(text)
	}
	if err == nil {
		_, err = file.Seek(0, 0)
	}
	return file, err
}
