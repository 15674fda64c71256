// Package gocommand runs the go command, confined. No other package of the tool does.
//
// Input: a folder, an environment from Environment, and arguments. Output: the output of the go command, or an error
// with its message.
//
//   - The go command gets a stated environment, not that of the tool, which may hold unrelated tokens on a build
//     machine. Where that leaves a setting to the user's file of settings (go env -w), it has what is there.
//   - It starts no version control system but git, and git only to fetch modules. A commit may contain folders such as
//     .hg, whose settings can name programs.
//   - When the context ends, or the tool itself is killed, everything that the go command started ends too.
//   - A Runner with a sandbox confines the command and all that it starts: compilers, linkers, git. It can read its
//     toolchain, its caches, compilers, and the folders that the Command names. It can write the caches, a temporary
//     folder, and the folders that the Command names for that. It can't see the user's home folder.
//   - A Command that runs code of a version has a build cache of its own (Command.Private), and changes no other.
//   - Only a Command with Network has a network. It sees the user's credentials for modules, in files (that of his
//     settings is one) and in variables, and must not compile. No other sees them.
//   - The first question, for the settings of the go command, runs unconfined in an empty folder.
//   - What decides what is built of given files is told in one place (Runner.Deciding; of several machines,
//     Runner.Settings).
package gocommand

import (
	"slices"
	"strings"
)

// building names the variables that every go command gets. A name that ends with * matches all variables with that
// prefix.
const building = `
	PATH HOME USER LOGNAME TMPDIR TEMP TMP LANG LC_* TZ PWD SYSTEMROOT
	XDG_CACHE_HOME XDG_CONFIG_HOME XDG_CONFIG_DIRS
	GO111MODULE GO386 GOAMD64 GOARCH GOARM GOARM64 GOBIN GOCACHE GOCACHEPROG GODEBUG GOENV GOEXE
	GOEXPERIMENT GOFIPS140 GOFLAGS GOGC GOHOSTARCH GOHOSTOS GOINSECURE GOMAXPROCS GOMEMLIMIT GOMODCACHE GONOPROXY
	GONOSUMDB GOOS GOPACKAGESDRIVER GOPATH GOPRIVATE GORISCV64 GOROOT GOSUMDB GOTELEMETRY GOTMPDIR
	GOTOOLCHAIN GOTOOLDIR GOVCS GOWORK
	CGO_* CC CXX FC AR LD PKG_CONFIG* CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH LD_LIBRARY_PATH
`

// fetching names those that it gets only while it may fetch modules. They may hold credentials, or lead to them.
const fetching = `
	GOAUTH GOPROXY GIT_* NETRC SSH_AUTH_SOCK
	HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy
	SSL_CERT_FILE SSL_CERT_DIR
`

// Environment returns the environment for go commands, made from that of the tool. Later entries win, as
// in package os/exec. What only fetching needs is in it; a command that may not fetch does not get it.
func Environment(of []string) []string {
	var env []string
	flags, vcs := "", false
	for _, entry := range of {
		name, value, _ := strings.Cut(entry, "=")
		switch {
		case name == "GOFLAGS":
			flags = value
		case matches(building, name) || matches(fetching, name):
			env = append(env, entry)
			vcs = vcs || name == "GOVCS"
		}
	}
	if !vcs {
		env = append(env, "GOVCS=*:git")
	}
	return append(env, "GOFLAGS="+WithFlag(flags, "-buildvcs=false"))
}

// offline returns an environment without what only fetching needs.
func offline(env []string) []string {
	var kept []string
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		if name == "GOSUMDB" { // behind the name of the database there may be the address of a server
			name, _, _ = strings.Cut(value, " ")
			entry = "GOSUMDB=" + name
		}
		if !matches(fetching, name) {
			kept = append(kept, entry)
		}
	}
	return append(kept, "GOENV=off", "GOPROXY=off")
}

// matches reports whether a list names a variable.
func matches(list, name string) bool {
	return slices.ContainsFunc(strings.Fields(list), func(allowed string) bool {
		prefix, open := strings.CutSuffix(allowed, "*")
		return name == allowed || open && strings.HasPrefix(name, prefix)
	})
}
