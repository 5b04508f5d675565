// Package letters writes letters, for whoever asks.
package letters

import (
	"context"
	"database/sql"

	"github.com/google/uuid"
)

type Service struct{ DB *sql.DB }

// Write is right for a request, which is made once.
func (s *Service) Write(ctx context.Context, customer, text string) error {
	tx, err := s.DB.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	if _, err := tx.ExecContext(ctx, `INSERT INTO letters (id, customer, body) VALUES ($1, $2, $3)`, uuid.NewString(), customer, text); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE customers SET asked_at = now() WHERE id = $1`, customer); err != nil {
		return err
	}
	return tx.Commit()
}

// Remind is written for messages only.
func (s *Service) Remind(ctx context.Context, customer string) error {
	_, err := s.DB.ExecContext(ctx, `UPDATE customers SET asked_at = now() WHERE id = $1`, customer)
	if err != nil {
		return err
	}
	_, err = s.DB.ExecContext(ctx, `INSERT INTO letters (id, customer, body) VALUES ($1, $2, 'please pay')`, uuid.NewString(), customer) // want "increment/unguarded"
	return err
}
