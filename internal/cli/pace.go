package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// How much a program may allocate before its garbage is collected again. Go's rule, as much as is alive, collects some
// thirty times while a module of average size is being loaded, and finds next to no garbage.
const (
	leastSpare = 32 << 20
	mostSpare  = 420 << 20
	spareTimes = 3 // what is alive
)

// spare is what may be allocated when live bytes are alive: much for a small heap, and for one that is large by itself
// little more than Go allows.
func spare(live uint64) uint64 {
	return min(max(spareTimes*live, leastSpare), max(mostSpare, live+live/2))
}

// percent is spare as the runtime wants it. It takes a heap to be no smaller than 4 MB.
func percent(live uint64) int {
	live = max(live, 4<<20)
	return int(spare(live) * 100 / live)
}

// pace lets the collector keep to percent from now on. A pace that the user has set stays.
var pace = sync.OnceFunc(func() {
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
