package faults

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// clockVariable is the variable of the environment that says by how many seconds a process of a built command is ahead.
const clockVariable = "LAB_CLOCK"

// skew is added to package time: a clock that goes right and is set wrong.
const skew = `package time

import "syscall"

var labSkew = func() (seconds int64) {
	text, _ := syscall.Getenv("` + clockVariable + `")
	late := len(text) > 0 && text[0] == '-'
	if late {
		text = text[1:]
	}
	for i := range len(text) {
		seconds = seconds*10 + int64(text[i]-'0')
	}
	if late {
		return -seconds
	}
	return seconds
}()
`

// Build builds the command of a folder with a clock that the environment of a process can set wrong, and returns its
// path. Workers run the bytes that the comparison runs, so all that takes part is built like this.
func Build(ctx context.Context, source, folder string) (string, error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", err
	}
	timeGo := filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go")
	text, err := os.ReadFile(timeGo)
	if err != nil {
		return "", err
	}
	const reads = "\tsec, nsec, mono := runtimeNow()\n"
	before, after, ok := strings.Cut(string(text), reads)
	if !ok {
		return "", fmt.Errorf("%s: Now does not read the clock as in Go 1.26", timeGo)
	}
	replaced := map[string]string{}
	for name, text := range map[string]string{timeGo: before + reads + "\tsec += labSkew\n" + after,
		filepath.Join(filepath.Dir(timeGo), "lab_skew.go"): skew} {
		replaced[name] = filepath.Join(folder, filepath.Base(name))
		if err := os.WriteFile(replaced[name], []byte(text), 0o600); err != nil {
			return "", err
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replaced})
	if err != nil {
		return "", err
	}
	list, command := filepath.Join(folder, "overlay.json"), filepath.Join(folder, "spectradiff")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		return "", err
	}
	said, err := exec.CommandContext(ctx, "go", "build", "-overlay", list, "-o", command, source).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("go build: %w: %s", err, said)
	}
	return command, nil
}
