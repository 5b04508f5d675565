package cli

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/dmlint/dmlint/internal/driver"
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
