package dualwrite

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// TestInboxIsNoState says of one table what the user may say of it: nobody announces that a message was handled.
func TestInboxIsNoState(t *testing.T) {
	e := &effect.Effect{Kind: model.Write, Verb: sqltext.Insert, Table: "arrivals"}
	assert.True(t, isState(e))
	e.Inbox = true
	assert.False(t, isState(e))
}
