// Package startup holds a server: what it does to start is no unit of work, what it does when it is asked is one.
package startup

import (
	"context"
	"database/sql"

	"github.com/nats-io/nats.go"
)

// A Server has a life.
type Server struct {
	db   *sql.DB
	conn *nats.Conn
}

// New makes a server.
func New(db *sql.DB, conn *nats.Conn) *Server { return &Server{db: db, conn: conn} }

// Start notes that the server is there and tells everyone.
func (s *Server) Start(ctx context.Context, host string) error {
	if _, err := s.db.ExecContext(ctx, `INSERT INTO nodes (host) VALUES ($1)`, host); err != nil {
		return err
	}
	return s.conn.Publish("nodes.up", []byte(host))
}

// Run starts and waits.
func (s *Server) Run(ctx context.Context, host string) error {
	if err := s.Start(ctx, host); err != nil { // todo not advice "dualwrite/before-write": nor is Run
		return err
	}
	if _, err := s.db.ExecContext(ctx, `UPDATE nodes SET ready = true WHERE host = $1`, host); err != nil {
		return err
	}
	if err := s.conn.Publish("nodes.ready", []byte(host)); err != nil { // todo not "dualwrite/no-tx": nor is Run
		return err
	}
	<-ctx.Done()
	return ctx.Err()
}

// Retire does the same when it is asked to.
func (s *Server) Retire(ctx context.Context, host string) error {
	if _, err := s.db.ExecContext(ctx, `DELETE FROM nodes WHERE host = $1`, host); err != nil {
		return err
	}
	return s.conn.Publish("nodes.down", []byte(host)) // want "dualwrite/no-tx"
}
