package effect

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestChosenAt(t *testing.T) {
	id, node, ok := ChosenAt(ConfirmedKind + ":(example.com/a.T).Run$1#12")
	assert.True(t, ok)
	assert.Equal(t, FuncID("(example.com/a.T).Run$1"), id)
	assert.Equal(t, 12, node)
	for _, kind := range []string{ConfirmedKind, "broker", ConfirmedKind + ":f#", ConfirmedKind + ":f"} {
		_, _, ok := ChosenAt(kind)
		assert.False(t, ok, kind)
	}
}

func TestWordsThatMeanIt(t *testing.T) {
	for word, want := range map[string]bool{"delivery_attempt": true, "x_death": true, "retries": true, "max_tries": true, "status": false, "order_id": false} {
		assert.Equal(t, want, countsAttempts(word), word)
	}
	assert.True(t, namesGuarantee("at_least_once"))
	assert.False(t, namesGuarantee("enabled"))
}

func TestAnswers(t *testing.T) {
	assert.True(t, namesAnswer("OrderReply"))
	assert.False(t, namesAnswer("Order"))
}
