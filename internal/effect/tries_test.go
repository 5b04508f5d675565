package effect

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestNamesTries(t *testing.T) {
	for _, name := range []string{"x-death", "x-retry-count", "Redelivered", "NumDelivered", "DeliveryAttempt", "attempts", "ApproximateReceiveCount", "retryCount",
		"x-delivery-count", "maxRetries", "RetryNum"} {
		assert.True(t, namesTries(name), name)
	}
	for _, name := range []string{"retryDelay", "RetryInterval", "retry_queue", "country", "DeliveryTag", "delivery", "Status", "retry-topic", "entries"} {
		assert.False(t, namesTries(name), name)
	}
}

func TestAsksTurnedRound(t *testing.T) {
	for _, a := range []Asks{FailedTrue, ClassTrue, StopTrue, AnswerTrue} {
		assert.Equal(t, a<<1, a.not())
		assert.Equal(t, a, a.not().not())
		assert.True(t, a.Holds(a, true))
		assert.False(t, a.Holds(a, false))
		assert.True(t, a.not().Holds(a, false))
	}
	assert.Equal(t, FailedFalse|Undecoded, (FailedTrue | Undecoded).not())
}
