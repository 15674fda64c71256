package siemens

import (
	"fmt"
	"strconv"
	"strings"
)

// Player returns the files of a module with a command that plays programs, as they are and with each of their faults,
// on the same number of inputs. It prints a JSON list for each program: of lists of outputs, of which the first is that
// of the program as it is.
func Player(programs []Program, inputs int) (map[string]string, error) {
	module := map[string]string{"go.mod": GoMod}
	var imports, plays strings.Builder
	for _, p := range programs {
		source, err := p.Source()
		if err != nil {
			return nil, err
		}
		versions := []string{source}
		for _, f := range p.Faults {
			faulty, _, err := p.Faulty(f)
			if err != nil {
				return nil, err
			}
			versions = append(versions, faulty)
		}
		fmt.Fprintf(&plays, "\tplay(%s,\n", literal(p.Inputs(inputs)))
		for i, version := range versions {
			name := fmt.Sprintf("%s%d", p.Name, i)
			module[name+"/"+p.Name+".go"] = version
			fmt.Fprintf(&imports, "\t%s %q\n", name, Module+"/"+name)
			fmt.Fprintf(&plays, "\t\t%s.Run,\n", name)
		}
		plays.WriteString("\t)\n")
	}
	module["main.go"] = fmt.Sprintf(player, &imports, &plays)
	return module, nil
}

// player is the command, without its imports and calls.
const player = `package main

import (
	"encoding/json"
	"fmt"
	"os"

%s)

type input struct {
	args []string
	text string
}

func main() {
%s}

func play(inputs []input, versions ...func([]string, string) (string, error)) {
	var all [][]string
	for _, run := range versions {
		var outputs []string
		for _, of := range inputs {
			outputs = append(outputs, output(run, of))
		}
		all = append(all, outputs)
	}
	if err := json.NewEncoder(os.Stdout).Encode(all); err != nil {
		panic(err)
	}
}

func output(run func([]string, string) (string, error), of input) (text string) {
	defer func() {
		if e := recover(); e != nil {
			text = fmt.Sprint("panic: ", e)
		}
	}()
	text, err := run(of.args, of.text)
	if err != nil {
		text += fmt.Sprintf("error: %%v\n", err)
	}
	return text
}
`

// literal writes inputs as a composite literal.
func literal(inputs []Input) string {
	var text strings.Builder
	text.WriteString("[]input{\n")
	for _, in := range inputs {
		fmt.Fprintf(&text, "\t\t{%s},\n", in.fields())
	}
	text.WriteString("\t}")
	return text.String()
}

// fields writes an input as the fields of a composite literal.
func (in Input) fields() string {
	args := "nil"
	if len(in.Args) > 0 {
		args = fmt.Sprintf("%#v", in.Args)
	}
	return args + ", " + strconv.Quote(in.Text)
}

// Test returns a table test of a program: each input is a subtest, which wants the output of the program as it is.
func (p Program) Test(inputs []Input, outputs []string) string {
	var rows strings.Builder
	for i, in := range inputs {
		fmt.Fprintf(&rows, "\t\t{\"%03d\", %s, %q},\n", i, in.fields(), outputs[i])
	}
	return fmt.Sprintf(table, p.Name, &rows)
}

// table is a test file, without the name of its package and its rows.
const table = `package %s

import (
	"fmt"
	"testing"
)

func TestRun(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
		text string
		want string
	}{
%s	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Run(c.args, c.text)
			if err != nil {
				got += fmt.Sprintf("error: %%v\n", err)
			}
			if got != c.want {
				t.Errorf("Run(%%q, %%q) = %%q, want %%q", c.args, c.text, got, c.want)
			}
		})
	}
}
`
