// Package gormstore writes with gorm. The comment "effects:" of a function lists what is seen in it.
package gormstore

import (
	"errors"
	"log"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

type Account struct {
	ID      string
	Balance int
	Status  string
	Version int `gorm:"column:row_version"`
}

type Store struct{ db *gorm.DB }

// effects: write account update increment where(id)
func (s *Store) UpdateExpr(id string, n int) error {
	return s.db.Model(&Account{}).Where("id = ?", id).Update("balance", gorm.Expr("balance + ?", n)).Error
}

// effects: write account update increment where(id)
func (s *Store) UpdateColumnExpr(id string, n int) error {
	return s.db.Model(&Account{}).Where("id = ?", id).UpdateColumn("balance", gorm.Expr("balance - ?", n)).Error
}

// effects: write account update increment where(id)
func (s *Store) UpdatesMap(id string, n int) error {
	return s.db.Model(&Account{}).Where("id = ?", id).Updates(map[string]any{"balance": gorm.Expr("balance + ?", n), "status": "paid"}).Error
}

// effects: write account update increment where(id)
func (s *Store) UpdatesVariable(id string, n int) error {
	changes := map[string]any{"status": "paid"}
	if n > 0 {
		changes["balance"] = gorm.Expr("balance + ?", n)
	}
	return s.db.Model(&Account{}).Where("id = ?", id).Updates(changes).Error
}

func credit(n int) map[string]any { return map[string]any{"balance": gorm.Expr("balance + ?", n)} }

func plus(n int) clause.Expr { return gorm.Expr("balance + ?", n) }

// effects: write account update increment where(id)
func (s *Store) UpdatesHelper(id string, n int) error {
	return s.db.Model(&Account{}).Where("id = ?", id).Updates(credit(n)).Error
}

// effects: write account update increment where(id)
func (s *Store) ExprHelper(id string, n int) error {
	return s.db.Model(&Account{}).Where("id = ?", id).Update("balance", plus(n)).Error
}

// effects: write account update increment where(id)
func (s *Store) ExprClause(id string, n int) error {
	return s.db.Model(&Account{}).Where("id = ?", id).Update("balance", clause.Expr{SQL: "balance + ?", Vars: []any{n}}).Error
}

// effects: write account update where(id)
func (s *Store) Overwrite(id string, n int) error {
	return s.db.Model(&Account{}).Where("id = ?", id).Update("balance", n).Error
}

// effects: write account update where(id)
func (s *Store) OtherColumn(id string) error {
	return s.db.Model(&Account{}).Where("id = ?", id).Update("balance", gorm.Expr("credit + debit")).Error
}

// effects: write account update guarded where(id,status)
func (s *Store) Guarded(id string) error {
	return s.db.Model(&Account{}).Where("id = ? AND status = ?", id, "new").Update("status", "paid").Error
}

// effects: write account update guarded checked where(id,status)
func (s *Store) GuardedChecked(id string) error {
	res := s.db.Model(&Account{}).Where("id = ?", id).Where("status <> ?", "paid").Updates(map[string]any{"status": "paid"})
	if res.Error != nil {
		return res.Error
	}
	if res.RowsAffected == 0 {
		return errors.New("paid already")
	}
	return nil
}

// effects: write account update increment guarded where(id,row_version)
func (s *Store) Versioned(a Account) error {
	res := s.db.Model(&Account{}).Where(&Account{ID: a.ID, Version: a.Version}).
		Updates(map[string]any{"balance": gorm.Expr("balance + 1"), "row_version": gorm.Expr("row_version + 1")})
	log.Println("changed", res.RowsAffected)
	return res.Error
}

// effects: write account update guarded where(id,status)
func (s *Store) MapCondition(id string) error {
	return s.db.Model(&Account{}).Where(map[string]any{"id": id, "status": "new"}).Updates(Account{Status: "paid"}).Error
}

// effects: write account update where(id)
func (s *Store) ByModel(a *Account) error {
	return s.db.Model(a).Update("status", "paid").Error
}

// effects: write account insert conflict
func (s *Store) DoNothing(a *Account) error {
	return s.db.Clauses(clause.OnConflict{DoNothing: true}).Create(a).Error
}

// effects: write account insert conflict checked
func (s *Store) DoNothingChecked(a *Account) (bool, error) {
	res := s.db.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "id"}}, DoNothing: true}).Create(a)
	return res.RowsAffected > 0, res.Error
}

// effects: write account insert increment conflict
func (s *Store) UpsertAdds(a *Account) error {
	return s.db.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "id"}},
		DoUpdates: clause.Assignments(map[string]any{"balance": gorm.Expr("accounts.balance + EXCLUDED.balance")})}).Create(a).Error
}

// effects: write account insert conflict where(id)
func (s *Store) FirstOrCreate(id string) error {
	var a Account
	return s.db.Where("id = ?", id).FirstOrCreate(&a).Error
}

// effects: read account where(id)
func (s *Store) First(id string) (a Account, err error) {
	err = s.db.First(&a, "id = ?", id).Error
	return a, err
}

// effects: read account where(id)
func (s *Store) FirstNumber(id int) (a Account, err error) {
	err = s.db.First(&a, id).Error
	return a, err
}

// effects: read account locks where(id)
func (s *Store) Locking(id string) (a Account, err error) {
	err = s.db.Clauses(clause.Locking{Strength: "UPDATE"}).Where("id = ?", id).Take(&a).Error
	return a, err
}

// effects: read account exists where(id,status)
func (s *Store) Count(id string) (n int64, err error) {
	err = s.db.Model(&Account{}).Where("id = ? AND status = ?", id, "paid").Count(&n).Error
	return n, err
}

// effects: read account where(dmlint_hole_)
func (s *Store) Unknown(cond string) (a Account, err error) {
	err = s.db.Where(cond).First(&a).Error
	return a, err
}

// effects: write accounts update increment where(id)
func (s *Store) Raw(id string, n int) error {
	return s.db.Exec("UPDATE accounts SET balance = balance + ? WHERE id = ?", n, id).Error
}

// effects: write account update guarded where(id,row_version)
func (s *Store) Optimistic(a *Account) error {
	return s.db.Model(&Account{}).Where("id = ? AND row_version = ?", a.ID, a.Version-1).Updates(a).Error
}
