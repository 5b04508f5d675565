// Package builders writes with query builders. The comment "effects:" of a function lists what is seen in it.
package builders

import (
	"context"
	"database/sql"

	sq "github.com/Masterminds/squirrel"
	"github.com/doug-martin/goqu/v9"
	"github.com/go-pg/pg/v10"
	"github.com/huandu/go-sqlbuilder"
	"github.com/uptrace/bun"
	"xorm.io/xorm"
)

type Stock struct {
	ID     string
	Qty    int
	Status string
}

// effects: write stock update increment where(id)
func SquirrelText(db *sql.DB, id string, n int) error {
	q, args, err := sq.Update("stock").Set("qty", sq.Expr("qty - ?", n)).Where(sq.Eq{"id": id}).ToSql()
	if err != nil {
		return err
	}
	_, err = db.Exec(q, args...)
	return err
}

// effects: write stock update increment checked where(id,qty)
func SquirrelRun(db *sql.DB, id string, n int) (int64, error) {
	res, err := sq.Update("stock").Set("qty", sq.Expr("qty - ?", n)).Where(sq.Eq{"id": id}).Where("qty >= ?", n).RunWith(db).Exec()
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// effects: write stock update guarded where(id,status)
func SquirrelGuard(db *sql.DB, id string) error {
	_, err := sq.Update("stock").SetMap(map[string]any{"status": "sold"}).Where(sq.And{sq.Eq{"id": id}, sq.NotEq{"status": "sold"}}).RunWith(db).Exec()
	return err
}

// effects: write stock insert conflict
func SquirrelConflict(db *sql.DB, id string) error {
	_, err := sq.Insert("stock").Columns("id").Values(id).Suffix("ON CONFLICT (id) DO NOTHING").RunWith(db).Exec()
	return err
}

// effects: read stock locks where(id)
func SquirrelLock(db *sql.DB, id string) (n int, err error) {
	err = sq.Select("qty").From("stock").Where("id = ?", id).Suffix("FOR UPDATE").RunWith(db).QueryRow().Scan(&n)
	return n, err
}

// effects: write stock update increment where(id)
func Bun(ctx context.Context, db *bun.DB, id string, n int) error {
	_, err := db.NewUpdate().Model((*Stock)(nil)).Set("qty = qty + ?", n).Where("id = ?", id).Exec(ctx)
	return err
}

// effects: write stock insert increment conflict
func BunUpsert(ctx context.Context, db *bun.DB, s *Stock) error {
	_, err := db.NewInsert().Model(s).On("CONFLICT (id) DO UPDATE").Set("qty = stock.qty + EXCLUDED.qty").Exec(ctx)
	return err
}

// effects: write stock insert conflict
func BunConflict(ctx context.Context, db *bun.DB, s *Stock) error {
	_, err := db.NewInsert().Model(s).On("CONFLICT (id) DO NOTHING").Exec(ctx)
	return err
}

// effects: read stock locks where(id)
func BunLock(ctx context.Context, db *bun.DB, s *Stock) error {
	return db.NewSelect().Model(s).Where("id = ?", s.ID).For("UPDATE").Scan(ctx)
}

// effects: read stock exists where(id)
func BunExists(ctx context.Context, db *bun.DB, id string) (bool, error) {
	return db.NewSelect().Model((*Stock)(nil)).Where("id = ?", id).Exists(ctx)
}

// effects: write stock update increment where(id)
func Goqu(db *goqu.Database, id string, n int) error {
	_, err := db.Update("stock").Set(goqu.Record{"qty": goqu.L("qty + ?", n)}).Where(goqu.C("id").Eq(id)).Executor().Exec()
	return err
}

// effects: write stock update guarded where(id,status)
func GoquGuard(db *goqu.Database, id string) error {
	_, err := db.Update("stock").Set(goqu.Record{"status": "sold"}).Where(goqu.Ex{"id": id}, goqu.C("status").Neq("sold")).Executor().Exec()
	return err
}

// effects: write stock insert conflict
func GoquConflict(db *goqu.Database, id string) error {
	_, err := db.Insert("stock").Rows(goqu.Record{"id": id}).OnConflict(goqu.DoNothing()).Executor().Exec()
	return err
}

// effects: write stock update increment where(id)
func Xorm(db *xorm.Engine, id string) error {
	_, err := db.ID(id).Incr("qty", 2).Update(&Stock{})
	return err
}

// effects: write stock update increment checked where(id)
func XormExpr(db *xorm.Engine, id string) (bool, error) {
	n, err := db.Where("id = ?", id).SetExpr("qty", "qty - 1").Update(&Stock{})
	return n > 0, err
}

// effects: write stock update increment checked where(id)
func Pg(db *pg.DB, id string, n int) (bool, error) {
	res, err := db.Model((*Stock)(nil)).Set("qty = qty + ?", n).Where("id = ?", id).Update()
	if err != nil {
		return false, err
	}
	return res.RowsAffected() > 0, nil
}

// effects: write stock insert conflict
func PgConflict(db *pg.DB, s *Stock) error {
	_, err := db.Model(s).OnConflict("(id) DO NOTHING").Insert()
	return err
}

// stockRows is a statement about many rows: it is longer than most functions that return text.
type stockRows struct {
	table string
	rows  []Stock
	notes map[string]string
}

func (q stockRows) ToSQL() (string, []any) {
	ib := sqlbuilder.PostgreSQL.NewInsertBuilder()
	ib.InsertInto("stock")
	ib.Cols("id", "qty")
	for name, note := range q.notes {
		if note != "" {
			ib.SQL("/* " + name + ": " + note + " */")
		}
	}
	for _, r := range q.rows {
		ib.Values(r.ID, r.Qty)
	}
	text, args := ib.Build()
	return text, args
}

// effects: write stock insert
func BuiltInPlace(db *sql.DB, rows []Stock) error {
	text, args := stockRows{rows: rows}.ToSQL()
	_, err := db.Exec(text, args...)
	return err
}

// effects: write stock insert conflict
func BuiltIgnoring(db *sql.DB, id string) error {
	ib := sqlbuilder.NewInsertBuilder()
	ib.InsertIgnoreInto("stock")
	ib.Cols("id").Values(id)
	text, args := ib.Build()
	_, err := db.Exec(text, args...)
	return err
}

// effects: write stock update increment where(id,qty)
func BuiltAdding(db *sql.DB, id string, n int) error {
	ub := sqlbuilder.Update("stock")
	ub.Set(ub.Sub("qty", n), ub.Assign("status", "sold"))
	ub.Where(ub.Equal("id", id), ub.GE("qty", n))
	text, args := ub.Build()
	_, err := db.Exec(text, args...)
	return err
}

// effects: write stock delete where(id)
func BuiltInOne(db *sql.DB, id string) error {
	d := sqlbuilder.DeleteFrom("stock")
	text, args := d.Where(d.Equal("id", id)).Build()
	_, err := db.Exec(text, args...)
	return err
}
