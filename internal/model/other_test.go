package model

import (
	"go/types"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What is known of some versions of a library speaks for those that have no rows.
func TestOtherVersions(t *testing.T) {
	set, err := LoadFS(fstest.MapFS{"m/queue.yaml": {Data: []byte(`library: queue
types:
  - {name: example.com/queue/v3.Message, role: message}
rows:
  - {symbol: (*example.com/queue/v2.Client).Send, effect: publish, message: 0}
  - {symbol: (*example.com/queue/v3.Client).Send, effect: publish, message: 1}
  - {symbol: (*example.com/queue/v3.Client).Pull, effect: receive, message: result 0}
`)}}, "m")
	require.NoError(t, err)
	method := func(pkg, name string) *types.Func { return check(t, pkg, queue)[name] }
	for pkg, want := range map[string]int{"example.com/queue": 1, "example.com/queue/v2": 0, "example.com/queue/v3": 1, "example.com/queue/v4": 1} {
		rows := set.Lookup(method(pkg, "Send"))
		require.Len(t, rows, 1, pkg)
		assert.Equal(t, want, rows[0].Message.Index, "%s: the last version speaks for those without rows", pkg)
		assert.True(t, set.HasPackage(pkg), pkg)
	}
	assert.Empty(t, set.Lookup(method("example.com/queue/v2", "Pull")), "a version with rows speaks for itself")
	assert.Empty(t, set.Lookup(method("example.com/queues/v4", "Send")))
	assert.Equal(t, MessageType, set.TypeRole("example.com/queue/v4.Message"))
	assert.Empty(t, set.TypeRole("example.com/queue/v2.Message"), "a version with rows speaks for itself")
	assert.False(t, set.HasPackage("example.com/queues/v4"))
}

const queue = `package queue

type Client struct{}

func (*Client) Send(topic string, message any) error { return nil }

func (*Client) Pull() any { return nil }
`

func TestLater(t *testing.T) {
	assert.True(t, later("example.com/q/v10", "example.com/q/v9"))
	assert.True(t, later("example.com/q/v2", "example.com/q"))
	assert.False(t, later("example.com/q/v2", "example.com/q/v3"))
}
