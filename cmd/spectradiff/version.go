package main

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
)

func versionCommand() command {
	return command{
		name:  "version",
		short: "print the versions of spectradiff and of Go",
		flags: func(*settings) *flagSet { return newFlags("version") },
		run:   version,
	}
}

func version(std streams, _ *settings, args []string) (int, error) {
	if len(args) > 0 {
		return 0, &usageError{"version", errors.New("takes no arguments")}
	}
	_, err := fmt.Fprintf(std.out, "spectradiff %s %s %s/%s\n",
		toolVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return exitOK, written(err)
}

// toolVersion returns the module's version, or "devel" in a build from a checkout without one.
func toolVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
}
