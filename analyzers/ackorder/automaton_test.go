package ackorder

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

func TestMatters(t *testing.T) {
	for name, want := range map[string]bool{"orders": true, "catalogs": true, "order_logs": false, "audit": false, "price_cache": false, "": true} {
		e := &effect.Effect{Kind: model.Write, Verb: sqltext.Insert, Table: name}
		assert.Equal(t, want, matters(e), name)
	}
	assert.True(t, matters(&effect.Effect{Kind: model.Publish}))
	assert.False(t, matters(&effect.Effect{Kind: model.Publish, Tier: model.TierAdvice}))
	assert.False(t, matters(&effect.Effect{Kind: model.Remember}))
	assert.False(t, matters(nil))
}

func TestRemembers(t *testing.T) {
	assert.True(t, remembers(&effect.Effect{Kind: model.Write, Table: "processed_events"}))
	assert.True(t, remembers(&effect.Effect{Kind: model.Write, Table: "seen", Inbox: true}))
	assert.False(t, remembers(&effect.Effect{Kind: model.Write, Table: "orders"}))
}

func TestLibrary(t *testing.T) {
	assert.Equal(t, "kafka-go", library("(github.com/segmentio/kafka-go.Reader).CommitMessages"))
	assert.Equal(t, "kafka", library("(github.com/confluentinc/confluent-kafka-go/v2/kafka.Consumer).CommitMessage"))
	assert.Equal(t, "sarama", library("(github.com/IBM/sarama.ConsumerGroupSession).MarkMessage"))
}
