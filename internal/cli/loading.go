package cli

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/dmlint/dmlint/internal/driver"
	"github.com/dmlint/dmlint/internal/report"
)

// loading are the flags that say what is loaded: those of every command that looks at code.
type loading struct {
	dir, tags string
}

func (l *loading) define(fs *flag.FlagSet) {
	fs.StringVar(&l.dir, "C", "", "look at the module in `dir`, and write paths from there")
	fs.StringVar(&l.tags, "tags", "", "build `tags`, separated by commas")
}

// config makes the driver's configuration of the flags.
func (l *loading) config(patterns []string) (driver.Config, error) {
	if l.dir != "" {
		if info, err := os.Stat(l.dir); err != nil || !info.IsDir() {
			return driver.Config{}, fmt.Errorf("-C %s: there is no such directory", l.dir)
		}
	}
	cfg := driver.Config{Dir: l.dir, Patterns: patterns, Probe: probeProgram()}
	if l.tags != "" {
		cfg.BuildFlags = append(cfg.BuildFlags, "-tags="+l.tags)
	}
	return cfg, nil
}

// absolute is the directory that paths are written from.
func (l *loading) absolute() (string, error) { return filepath.Abs(l.dir) }

// look analyses packages without running checks.
func (l *loading) look(patterns []string) (report.Report, error) {
	dir, err := l.absolute()
	if err != nil {
		return report.Report{}, err
	}
	cfg, err := l.config(patterns)
	if err != nil {
		return report.Report{}, err
	}
	pace(&cfg)
	res, err := driver.Run(context.Background(), cfg, nil)
	return report.Report{Result: res, Version: version(), Dir: dir}, err
}
