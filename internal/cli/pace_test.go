package cli

import (
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/dmlint/dmlint/internal/driver"
)

func TestSpare(t *testing.T) {
	const mb = 1 << 20
	defer source.Store(0)
	source.Store(4 * mb)
	for live, want := range map[uint64]uint64{
		0:        leastSpare,
		40 * mb:  leastSpare,
		100 * mb: 300 * mb,
		200 * mb: 456 * mb,
		800 * mb: 1200 * mb,
	} {
		assert.Equal(t, want, spare(live), "%d MB", live/mb)
	}
	assert.Equal(t, 6400, percent(0))
	assert.Equal(t, 300, percent(100*mb))
	assert.Equal(t, 228, percent(200*mb))
	assert.Equal(t, 150, percent(800*mb))
	source.Store(8 * mb)
	assert.EqualValues(t, 600*mb, spare(200*mb), "a large module may have more")
}

// TestPace holds on to memory and expects a pace for that much.
func TestPace(t *testing.T) {
	if os.Getenv("GOGC") != "" {
		t.Skip("the user's pace stays")
	}
	pace(&driver.Config{})
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
