package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime/pprof"
	"slices"
	"time"

	"github.com/dmlint/dmlint/analyzers"
	"github.com/dmlint/dmlint/internal/driver"
	"github.com/dmlint/dmlint/internal/report"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == "__probe" {
		if slices.ContainsFunc(os.Args, func(a string) bool { return a == "-V=full" || a == "-###" }) {
			cmd := exec.Command(os.Args[2], os.Args[3:]...)
			cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
			if cmd.Run() == nil {
				return
			}
		}
		os.Exit(1)
	}
	if f := os.Getenv("DMLINT_CPUPROFILE"); f != "" {
		out, _ := os.Create(f)
		pprof.StartCPUProfile(out)
		defer pprof.StopCPUProfile()
		go func() { time.Sleep(40 * time.Second); pprof.StopCPUProfile(); os.Exit(9) }()
	}
	self, _ := os.Executable()
	res, err := driver.Run(context.Background(), driver.Config{Probe: self + " __probe"}, analyzers.All())
	if err != nil {
		fmt.Fprintln(os.Stderr, "dmlint:", err)
		os.Exit(2)
	}
	dir, _ := os.Getwd()
	report.JSON(os.Stdout, res, "dev", dir)
}
