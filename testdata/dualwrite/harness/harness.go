// Package harness only serves tests.
package harness

import (
	"context"
	"database/sql"
	"testing"

	"github.com/nats-io/nats.go"
)

// Seed fills a database and tells whoever waits for it.
func Seed(t *testing.T, db *sql.DB, conn *nats.Conn, id string) {
	t.Helper()
	if _, err := db.ExecContext(context.Background(), `INSERT INTO seeds (id) VALUES ($1)`, id); err != nil {
		t.Fatal(err)
	}
	if err := conn.Publish("seeds", []byte(id)); err != nil {
		t.Fatal(err)
	}
}
