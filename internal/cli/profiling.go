package cli

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/pprof"
	"time"
)

// profiling are the flags that say where the time goes.
type profiling struct {
	cpu, mem string
	timings  bool

	phases []phase
}

type phase struct {
	name  string
	began time.Time
}

func (p *profiling) define(fs *flag.FlagSet) {
	fs.BoolVar(&p.timings, "timings", false, "say on standard error how long each phase took")
	fs.StringVar(&p.cpu, "cpuprofile", "", "write a CPU profile to `file`")
	fs.StringVar(&p.mem, "memprofile", "", "write a heap profile to `file`")
}

// phase notes that a phase begins.
func (p *profiling) phase(name string) { p.phases = append(p.phases, phase{name, time.Now()}) }

// start begins what was asked for; stop ends it and writes it out.
func (p *profiling) start(w io.Writer) (stop func() error, err error) {
	var cpu *os.File
	if p.cpu != "" {
		if cpu, err = os.Create(p.cpu); err != nil {
			return nil, fmt.Errorf("--cpuprofile: %w", err)
		}
		if err := pprof.StartCPUProfile(cpu); err != nil {
			return nil, errors.Join(fmt.Errorf("--cpuprofile: %w", err), cpu.Close())
		}
	}
	return func() error {
		p.phase("")
		if p.timings && len(p.phases) > 1 {
			p.print(w)
		}
		if cpu != nil {
			pprof.StopCPUProfile()
			err = cpu.Close()
		}
		return errors.Join(err, p.writeHeap())
	}, nil
}

// print writes a line for each phase; the last phase only marks the end.
func (p *profiling) print(w io.Writer) {
	row := func(name string, d time.Duration) { fmt.Fprintf(w, "dmlint: %8.3fs  %s\n", d.Seconds(), name) }
	last := len(p.phases) - 1
	for i, ph := range p.phases[:last] {
		row(ph.name, p.phases[i+1].began.Sub(ph.began))
	}
	row("total", p.phases[last].began.Sub(p.phases[0].began))
}

func (p *profiling) writeHeap() error {
	if p.mem == "" {
		return nil
	}
	f, err := os.Create(p.mem)
	if err != nil {
		return fmt.Errorf("--memprofile: %w", err)
	}
	runtime.GC() // else what is dead would be counted
	return errors.Join(pprof.WriteHeapProfile(f), f.Close())
}
