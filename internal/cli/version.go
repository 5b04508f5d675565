package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

func newVersion() *command {
	c := newCommand("version", "", "print the version", "")
	c.run = func(s streams, args []string) (int, error) {
		if len(args) > 0 {
			return 0, fmt.Errorf("version takes no arguments")
		}
		_, err := fmt.Fprintf(s.out, "dmlint %s (%s, %s/%s)\n", version(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
		return statusClean, err
	}
	return c
}

// version is what the go command wrote into the binary: a tag, a pseudo-version, or "devel" for a build without either.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return info.Main.Version
}
