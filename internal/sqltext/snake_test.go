package sqltext

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSnake(t *testing.T) {
	for name, want := range map[string]string{
		"Order": "order", "OutboxMessage": "outbox_message", "ID": "id", "UserID": "user_id", "HTTPServer": "http_server",
		"orderItem": "order_item", "already_snake": "already_snake", "Version2": "version2", "A": "a", "": "",
	} {
		assert.Equal(t, want, Snake(name), name)
	}
}
