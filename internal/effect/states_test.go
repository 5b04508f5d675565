package effect

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestStatesInText(t *testing.T) {
	for text, want := range map[string][]string{
		`UPDATE outbox SET status = 'sent', note = 'done by relay' WHERE status = 'new'`: {"sent", "done by relay"},
		`UPDATE outbox SET status = $1 WHERE kind = 'mail'`:                              nil,
		"update outbox\nset status = 'IN_FLIGHT'\nreturning id":                          {"in_flight"},
		`UPDATE outbox SET until = now() + '5 minutes'`:                                  nil,
		`DELETE FROM outbox WHERE status = 'sent'`:                                       nil,
	} {
		assert.Equal(t, want, statesInText(text), text)
	}
}

func TestAdvisoryLocksOfATransactionAreBrief(t *testing.T) {
	for text, want := range map[string][3]bool{
		`SELECT pg_try_advisory_xact_lock(1)`:                 {true, true, true},
		`SELECT pg_advisory_lock(1)`:                          {true, true, false},
		`SELECT GET_LOCK('relay', 1)`:                         {true, true, false},
		`SELECT id FROM outbox FOR UPDATE SKIP LOCKED`:        {true, false, false},
		`SELECT id FROM outbox WHERE sent_at IS NULL`:         {},
		`SELECT id FROM outbox ORDER BY id LIMIT 1 FOR SHARE`: {},
	} {
		e := &Effect{}
		ApplySQL(e, text)
		assert.Equal(t, want, [3]bool{e.Locks, e.Advisory, e.Brief}, text)
	}
}
