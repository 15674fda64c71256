package main

import (
	"errors"
	"flag"
	"fmt"
	"strings"
	"text/template"
)

func completionCommand() command {
	return command{
		name:  "completion",
		args:  "bash|zsh|fish",
		short: "complete commands, flags and revisions in a shell",
		long: `Put one of these where the shell starts:

  bash  source <(spectradiff completion bash)
  zsh   source <(spectradiff completion zsh)
  fish  spectradiff completion fish | source`,
		flags: func(*settings) *flagSet { return newFlags("completion") },
		run:   completion,
	}
}

func completion(std streams, _ *settings, args []string) (int, error) {
	if len(args) != 1 || shells[args[0]] == "" {
		return 0, &usageError{"completion", errors.New("want bash, zsh or fish")}
	}
	t, err := template.New(args[0]).Funcs(template.FuncMap{"quote": quoted}).Parse(shells[args[0]])
	if err != nil {
		return 0, fmt.Errorf("completion: %w", err)
	}
	return exitOK, written(t.Execute(std.out, completed()))
}

// A completedCommand is what a shell needs to know of a command.
type completedCommand struct {
	Name, Short string
	Flags       []completedFlag
	Revisions   bool // its arguments are revisions; else files
}

// Words returns the flags in one line.
func (c completedCommand) Words() string {
	var words []string
	for _, f := range c.Flags {
		words = append(words, f.Name)
	}
	return strings.Join(words, " ")
}

type completedFlag struct{ Name, Long, Meaning string }

func completed() (list []completedCommand) {
	for _, cmd := range commands() {
		of := completedCommand{Name: cmd.name, Short: cmd.short, Revisions: cmd.revisions}
		cmd.flags(new(settings)).VisitAll(func(f *flag.Flag) {
			_, meaning := flag.UnquoteUsage(f)
			meaning, _, _ = strings.Cut(meaning, ": ")
			of.Flags = append(of.Flags, completedFlag{flagName(f.Name), strings.TrimLeft(f.Name, "-"), meaning})
		})
		list = append(list, of)
	}
	return list
}

// quoted writes a text as all three shells read it.
func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", "’") + "'" }

// shells are the scripts of the shells. Zsh runs that of bash.
var shells = map[string]string{
	"bash": bashCompletion,
	"zsh":  "autoload -U +X bashcompinit && bashcompinit\n" + bashCompletion,
	"fish": `complete -c spectradiff -f
{{range .}}complete -c spectradiff -n __fish_use_subcommand -a {{.Name}} -d {{quote .Short}}
{{end}}{{range $c := .}}{{range .Flags}}complete -c spectradiff -n '__fish_seen_subcommand_from {{$c.Name}}'` +
		`{{if eq (len .Long) 1}} -s {{.Long}}{{else}} -l {{.Long}}{{end}} -d {{quote .Meaning}}
{{end}}{{if .Revisions}}complete -c spectradiff -n '__fish_seen_subcommand_from {{.Name}}'` +
		` -a '(git for-each-ref --format="%(refname:short)" 2>/dev/null)'
{{else}}complete -c spectradiff -n '__fish_seen_subcommand_from {{.Name}}' -F
{{end}}{{end}}`,
}

const bashCompletion = `_spectradiff_revisions() {
    git for-each-ref --format='%(refname:short)' 2>/dev/null
}
_spectradiff() {
    local word="${COMP_WORDS[COMP_CWORD]}" command="${COMP_WORDS[1]}" words=""
    if [ "$COMP_CWORD" -eq 1 ]; then
        words="{{range .}}{{.Name}} {{end}}help"
    elif [ "${word#-}" != "$word" ]; then
        case "$command" in
{{range .}}            {{.Name}}) words="{{.Words}}" ;;
{{end}}        esac
    else
        case "$command" in
{{range .}}{{if .Revisions}}            {{.Name}}) words="$(_spectradiff_revisions)" ;;
{{end}}{{end}}            help) words="{{range .}}{{.Name}} {{end}}opaque formats schema man" ;;
            *) COMPREPLY=($(compgen -f -- "$word")); return ;;
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -F _spectradiff spectradiff
`
