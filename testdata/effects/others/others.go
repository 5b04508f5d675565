// Package others writes with what is met more seldom. The comment "effects:" of a function lists what is seen in it.
package others

import (
	"context"

	"cloud.google.com/go/firestore"
	"cloud.google.com/go/spanner"
	"github.com/gocql/gocql"
	"github.com/upper/db/v4"
)

// effects: write update increment
func Firestore(ctx context.Context, doc *firestore.DocumentRef, n int) error {
	_, err := doc.Update(ctx, []firestore.Update{{Path: "balance", Value: firestore.Increment(n)}})
	return err
}

// effects: write update
func FirestoreSet(ctx context.Context, doc *firestore.DocumentRef, n int) error {
	_, err := doc.Update(ctx, []firestore.Update{{Path: "balance", Value: n}})
	return err
}

// effects: write accounts update increment where(id)
func Spanner(ctx context.Context, tx *spanner.ReadWriteTransaction, id string, n int64) error {
	_, err := tx.Update(ctx, spanner.Statement{SQL: "UPDATE accounts SET balance = balance + @n WHERE id = @id",
		Params: map[string]any{"id": id, "n": n}})
	return err
}

// effects: write page_views update increment where(id)
func Counter(s *gocql.Session, id string) error {
	return s.Query("UPDATE page_views SET n = n + 1 WHERE id = ?", id).Exec()
}

// effects: write stock update increment where(id)
func Upper(sess db.Session, id string) error {
	return sess.Collection("stock").Find(db.Cond{"id": id}).Update(map[string]any{"qty": db.Raw("qty - 1")})
}

// effects: write stock update increment where(id)
func UpperSQL(sess db.Session, id string) error {
	_, err := sess.SQL().Update("stock").Set("qty = qty + ?", 1).Where("id = ?", id).Exec()
	return err
}
