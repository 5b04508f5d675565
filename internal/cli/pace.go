package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"

	"github.com/dmlint/dmlint/internal/driver"
)

// How much a program may allocate before its garbage is collected again. Go's rule, as much as is alive, collects some
// thirty times while a module of average size is being loaded, and finds next to no garbage.
const (
	leastSpare = 256 << 20
	spareTimes = 3 // what is alive
	// sparePerByte is for each byte of the module's source. Its syntax, types and SSA take about as much (measured: see
	// docs/performance.md), so that the peak stays below twice what loading the module takes anyway.
	sparePerByte = 50
)

// source is the size of the module's source in bytes, once it is known.
var source atomic.Int64

// spare is what may be allocated when live bytes are alive: much for a small heap, and for one that is large by itself
// little more than Go allows.
func spare(live uint64) uint64 {
	most := leastSpare + sparePerByte*uint64(source.Load())
	return min(max(spareTimes*live, leastSpare), max(most, live+live/2))
}

// percent is spare as the runtime wants it. It takes a heap to be no smaller than 4 MB.
func percent(live uint64) int {
	live = max(live, 4<<20)
	return int(spare(live) * 100 / live)
}

// pace lets the collector keep to percent from now on, for a run with this configuration. A pace that the user has set
// stays.
func pace(cfg *driver.Config) {
	cfg.Sized = source.Store
	begin()
}

var begin = sync.OnceFunc(func() {
	if os.Getenv("GOGC") == "" {
		adjust(struct{}{})
	}
})

// adjust sets the pace by what the last collection has left alive, and again after the next one: that is when the object
// is found which nobody refers to.
func adjust(struct{}) {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	debug.SetGCPercent(percent(live[0].Value.Uint64()))
	runtime.AddCleanup(&canary{}, adjust, struct{}{})
}

// A canary holds a pointer: objects without are allocated several at a time, and freed together.
type canary struct{ _ *canary }
