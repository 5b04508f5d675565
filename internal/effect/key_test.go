package effect

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/dmlint/dmlint/internal/model"
)

func TestWhatScriptsDo(t *testing.T) {
	for text, want := range map[string]model.Effect{
		`return redis.call("INCR", KEYS[1])`:                                                                model.Count,
		`redis.call('hincrby', KEYS[1], ARGV[1], 1)`:                                                        model.Count,
		`if redis.call("exists", KEYS[1]) == 1 then return 0 end redis.call("incr", KEYS[2])`:               model.Claim,
		`return redis.call("SET", KEYS[1], 1, "NX", "EX", 60)`:                                              model.Claim,
		`if redis.call("get", KEYS[1]) then return 0 end redis.call("incr", KEYS[1])`:                       model.Claim,
		`local n = redis.call("incr", KEYS[1]) if n == 1 then redis.call("expire", KEYS[1], 60) end`:        model.Count,
		`if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end`: "",
		"": "",
	} {
		assert.Equal(t, want, scriptEffect(text), text)
	}
}

func TestColumnsOfPredicates(t *testing.T) {
	for name, want := range map[string][2]string{
		"ID": {"id", "="}, "StatusEQ": {"status", "="}, "StatusNEQ": {"status", "<>"}, "StatusIn": {"status", "="}, "StatusNotIn": {"status", "<>"},
		"PaidAtIsNil": {"paid_at", "="}, "PaidAtNotNil": {"paid_at", "<"}, "StockGTE": {"stock", "<"}, "EQ": {"eq", "="},
	} {
		col, op := predicateColumn(name)
		assert.Equal(t, want, [2]string{col, op}, name)
	}
}

// TestStatementsOfBuilders writes down what steps have said.
func TestStatementsOfBuilders(t *testing.T) {
	s := said{sets: []string{"n = n + ?"}, wheres: []string{"id = ?", "a = ? OR b = ?"}, tail: []string{"RETURNING id"}}
	assert.Equal(t, "UPDATE t SET dmlint_hole_ = ?, n = n + ? WHERE (id = ?) AND (a = ? OR b = ?) RETURNING id", s.statement("update", "t"))
	assert.Equal(t, "DELETE FROM t WHERE (id = ?) AND (a = ? OR b = ?) RETURNING id", s.statement("delete", "t"))
	assert.Empty(t, s.statement("", "t"))
	s = said{sets: []string{"n = n + ?"}, tail: []string{"ON CONFLICT (id) DO NOTHING"}}
	assert.Equal(t, "INSERT INTO t (dmlint_hole_) VALUES (?) ON CONFLICT (id) DO UPDATE SET n = n + ?", s.statement("insert", "t"))
}
