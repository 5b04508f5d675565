package main

import (
	"cmp"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// A cost is what one run of a process and its children took.
type cost struct {
	wall, cpu time.Duration
	memory    int64 // the most bytes that one of the processes held at once
}

// A row is what one module cost.
type row struct {
	module string
	// built is how many of the module's packages the baseline could build, of how many.
	built            string
	baseline, dmlint cost
}

// measure runs both commands in a module, in turns, and takes the medians.
func measure(dir string, rounds int, baseline, dmlint []string) (row, error) {
	r := row{module: moduleName(dir)}
	var err error
	if r.built, _, err = runIn(dir, baseline, 0); err != nil { // warms the build cache
		return r, err
	}
	var bs, ds []cost
	for i := range rounds {
		for j := range 2 {
			if (i+j)%2 == 0 { // neither always comes first
				_, c, err := runIn(dir, baseline, 0)
				if err != nil {
					return r, err
				}
				bs = append(bs, c)
				continue
			}
			_, c, err := runIn(dir, dmlint, 0, 1, 3) // findings and broken packages are no failure
			if err != nil {
				return r, err
			}
			ds = append(ds, c)
		}
	}
	r.baseline, r.dmlint = median(bs), median(ds)
	return r, nil
}

// moduleName is the path of the module in a directory.
func moduleName(dir string) string {
	cmd := exec.Command("go", "list", "-m")
	cmd.Dir = dir
	out, err := cmd.Output()
	name, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if err != nil || name == "" {
		return dir
	}
	return name
}

// runIn runs a command that has to end with one of the given statuses.
func runIn(dir string, args []string, statuses ...int) (output string, c cost, err error) {
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	var stdout, stderr strings.Builder
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err = cmd.Run()
	c.wall = time.Since(start)
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return "", c, err
	}
	if !slices.Contains(statuses, cmd.ProcessState.ExitCode()) {
		return "", c, fmt.Errorf("%s ended with %s: %s", strings.Join(args, " "), cmd.ProcessState, strings.TrimSpace(stderr.String()))
	}
	c.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	c.memory = peakMemory(cmd.ProcessState)
	return strings.TrimSpace(stdout.String()), c, nil
}

// median takes the median of each figure by itself.
func median(cs []cost) cost {
	return cost{
		wall:   middle(cs, func(c cost) time.Duration { return c.wall }),
		cpu:    middle(cs, func(c cost) time.Duration { return c.cpu }),
		memory: middle(cs, func(c cost) int64 { return c.memory }),
	}
}

func middle[T cmp.Ordered](cs []cost, figure func(cost) T) T {
	all := make([]T, 0, len(cs))
	for _, c := range cs {
		all = append(all, figure(c))
	}
	slices.Sort(all)
	return all[len(all)/2]
}
