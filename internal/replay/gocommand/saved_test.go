package gocommand

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSaved: what go env -w wrote counts where the environment says nothing else, and does not bring credentials with
// it.
func TestSaved(t *testing.T) {
	saved := save(t, filepath.Join(t.TempDir(), "env"), "GOFLAGS=-tags=enterprise\nGOAMD64=v2\n# GOARM64=v9.0\n"+
		"GOPROXY=https://user:secret@example.com\nGOAUTH=secret\nPATH=/nowhere\nGOVCS=*:off\nGOOGLE_KEY=secret\n")
	t.Setenv("GOENV", saved)
	for _, c := range []struct{ reason, name, value, want string }{
		{"saved", "GOFLAGS", "", "-tags=enterprise -buildvcs=false"},
		{"the environment wins", "GOFLAGS", "-tags=plain", "-tags=plain -buildvcs=false"},
		{"saved", "GOAMD64", "", "v2"},
		{"the environment wins", "GOAMD64", "v3", "v3"},
		{"what version control systems may do", "GOVCS", "", "*:off"},
		{"a comment", "GOARM64", "", ""},
		{"no credentials", "GOPROXY", "", ""},
		{"no setting of the go command", "GOOGLE_KEY", "", ""},
	} {
		t.Setenv(c.name, c.value)
		env := Unconfined().Environment(os.Environ())
		if got := valueOf(env, c.name); got != c.want {
			t.Errorf("%s, %s=%q: got %q, want %q", c.reason, c.name, c.value, got, c.want)
		}
		if valueOf(env, "PATH") != os.Getenv("PATH") {
			t.Error("a file of settings sets PATH")
		}
		t.Setenv(c.name, "")
	}
	tags, err := Unconfined().Tags()
	if err != nil || !strings.Contains(strings.Join(tags, " "), "enterprise") {
		t.Errorf("tags %q, %v, want those that are saved", tags, err)
	}
}

// TestSavedOutOfSight: a command sees neither the file of settings nor variables with credentials, unless it fetches.
func TestSavedOutOfSight(t *testing.T) {
	home := atHome(t)
	saved := save(t, filepath.Join(home, ".config", "go", "env"), "GOPROXY=https://user:saved-secret@example.com\n")
	for _, name := range []string{"GIT_CONFIG_VALUE_0", "HTTPS_PROXY", "GOAUTH", "NETRC", "SSH_AUTH_SOCK"} {
		t.Setenv(name, filepath.Join(home, "secret-"+name))
	}
	t.Setenv("GOPROXY", "")
	t.Setenv("GOSUMDB", "sum.golang.org https://user:secret-sums@example.com")
	private, tree := t.TempDir(), t.TempDir()
	r := confined(t)
	for _, c := range []struct {
		reason  string
		command Command
		sees    bool
	}{
		{"a build", Command{}, false},
		{"a command of the user", Command{Private: private}, false},
		{"fetching", Command{Network: true}, true},
	} {
		c.command.Path, c.command.Dir, c.command.Env = "/bin/sh", tree, r.Environment(os.Environ())
		c.command.Folders.Read = []string{tree}
		out, errs, _ := r.Run(t.Context(), c.command, "-c", `env; cat "$1"; go env GOPROXY GOSUMDB`, "sh", saved)
		for _, secret := range []string{"saved-secret", "secret-GIT", "secret-HTTPS", "secret-GOAUTH", "secret-sums"} {
			if strings.Contains(out, secret) != c.sees {
				t.Errorf("%s: sees %s: %t, want %t: %s%s", c.reason, secret, !c.sees, c.sees, out, errs)
			}
		}
		if !c.sees && !strings.Contains(out, "\noff\nsum.golang.org\n") {
			t.Errorf("%s: the go command takes other settings: %s%s", c.reason, out, errs)
		}
	}
}
