// Package sqlstore runs SQL. The comment "effects:" of a function lists what is seen in it.
package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jmoiron/sqlx"
)

const pay = "UPDATE orders SET status = 'paid' WHERE id = $1 AND status = 'new'"

// effects: write orders update guarded checked where(id,status)
func Checked(ctx context.Context, db *sql.DB, id string) error {
	res, err := db.ExecContext(ctx, pay, id)
	if err != nil {
		return err
	}
	if n, _ := res.RowsAffected(); n == 0 {
		return errors.New("paid already")
	}
	return nil
}

// effects: write orders update guarded where(id,status)
func ThrownAway(ctx context.Context, db *sql.DB, id string) error {
	_, err := db.ExecContext(ctx, pay, id)
	return err
}

// effects: write orders update guarded where(id,status)
func Logged(ctx context.Context, db *sql.DB, id string) error {
	res, err := db.ExecContext(ctx, pay, id)
	if err != nil {
		return err
	}
	n, _ := res.RowsAffected()
	log.Printf("%d rows of %v", n, res)
	return nil
}

// effects: write orders update guarded checked where(id,status)
func Returned(ctx context.Context, db *sql.DB, id string) (int64, error) {
	res, err := db.ExecContext(ctx, pay, id)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

func one(res sql.Result) error {
	if n, err := res.RowsAffected(); err != nil || n != 1 {
		return fmt.Errorf("%d rows: %w", n, err)
	}
	return nil
}

// effects: write orders update guarded checked where(id,status)
func Helper(ctx context.Context, db *sql.DB, id string) error {
	res, err := db.ExecContext(ctx, pay, id)
	if err != nil {
		return err
	}
	return one(res)
}

// effects: write orders update guarded checked where(id,status)
func Tag(ctx context.Context, pool *pgxpool.Pool, id string) (bool, error) {
	tag, err := pool.Exec(ctx, pay, id)
	if err != nil {
		return false, err
	}
	return tag.RowsAffected() == 1, nil
}

const claim = "INSERT INTO inbox (id) VALUES ($1) ON CONFLICT DO NOTHING"

// effects: write inbox insert conflict
func Claim(ctx context.Context, pool *pgxpool.Pool, id string) error {
	_, err := pool.Exec(ctx, claim, id)
	return err
}

// effects: write inbox insert conflict checked
func ClaimReturning(ctx context.Context, pool *pgxpool.Pool, id string) (bool, error) {
	err := pool.QueryRow(ctx, claim+" RETURNING id", id).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// effects: write inbox insert conflict checked
func ClaimGet(ctx context.Context, db *sqlx.DB, id string) error {
	return db.GetContext(ctx, &id, claim+" RETURNING id", id)
}

// effects: read inbox exists where(id)
func Exists(ctx context.Context, db *sql.DB, id string) (found bool, err error) {
	err = db.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM inbox WHERE id = $1)", id).Scan(&found)
	return found, err
}

// effects: read inbox exists where(id)
func Counted(ctx context.Context, db *sqlx.DB, id string) (n int, err error) {
	err = db.GetContext(ctx, &n, "SELECT COUNT(*) FROM inbox WHERE id = $1", id)
	return n, err
}

// effects: read inbox locks where(id)
func ForUpdate(ctx context.Context, db *sqlx.Tx, id string) (n int, err error) {
	err = db.GetContext(ctx, &n, "SELECT n FROM inbox WHERE id = $1 FOR UPDATE", id)
	return n, err
}
