package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestSpare(t *testing.T) {
	const mb = 1 << 20
	for live, want := range map[uint64]uint64{
		0:        leastSpare,
		4 * mb:   leastSpare,
		100 * mb: 300 * mb,
		200 * mb: mostSpare,
		800 * mb: 1200 * mb,
	} {
		assert.Equal(t, want, spare(live), "%d MB", live/mb)
	}
	assert.Equal(t, 800, percent(0))
	assert.Equal(t, 300, percent(100*mb))
	assert.Equal(t, 210, percent(200*mb))
	assert.Equal(t, 150, percent(800*mb))
}

// TestPace holds on to memory and expects a pace for that much.
func TestPace(t *testing.T) {
	if os.Getenv("GOGC") != "" {
		t.Skip("the user's pace stays")
	}
	pace()
	held := make([]byte, 300<<20)
	assert.Eventually(t, func() bool {
		runtime.GC()
		return nowPercent() < 200
	}, 10*time.Second, 10*time.Millisecond)
	runtime.KeepAlive(held)
}

func nowPercent() int {
	now := debug.SetGCPercent(100)
	debug.SetGCPercent(now)
	return now
}
