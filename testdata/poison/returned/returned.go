// Package returned has handlers whose errors bring the message back.
package returned

import (
	"database/sql"
	"encoding/json"
	"log"

	"github.com/IBM/sarama"
	stdsql "github.com/ThreeDotsLabs/watermill-sql/v4/pkg/sql"
	"github.com/ThreeDotsLabs/watermill/message"
)

type Bill struct{ ID string }

type Bills struct{ db *sql.DB }

func (b *Bills) Subscribe(router *message.Router, db stdsql.Beginner) error {
	sub, err := stdsql.NewSubscriber(db, stdsql.SubscriberConfig{}, nil)
	if err != nil {
		return err
	}
	router.AddNoPublisherHandler("bills", "bills", sub, b.Handle)
	router.AddNoPublisherHandler("skipping", "bills", sub, b.Skip)
	return nil
}

// Handle cannot get rid of what cannot be decoded.
func (b *Bills) Handle(m *message.Message) error {
	var bill Bill
	if err := json.Unmarshal(m.Payload, &bill); err != nil {
		return err // want advice "poison/requeue"
	}
	_, err := b.db.Exec(`UPDATE bills SET paid = true WHERE id = $1`, bill.ID)
	return err
}

// Skip logs it.
func (b *Bills) Skip(m *message.Message) error {
	var bill Bill
	if err := json.Unmarshal(m.Payload, &bill); err != nil {
		log.Print(err)
		return nil
	}
	_, err := b.db.Exec(`UPDATE bills SET paid = true WHERE id = $1`, bill.ID)
	return err
}

func (b *Bills) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (b *Bills) Cleanup(sarama.ConsumerGroupSession) error { return nil }

// ConsumeClaim ends the session at such a message, and again in the next.
func (b *Bills) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for m := range claim.Messages() {
		bill, err := decode(m.Value)
		if err != nil {
			return err // want advice "poison/requeue"
		}
		if _, err := b.db.Exec(`UPDATE bills SET paid = true WHERE id = $1`, bill.ID); err != nil {
			return err
		}
		session.MarkMessage(m, "")
	}
	return nil
}

func decode(text []byte) (bill Bill, err error) {
	err = json.Unmarshal(text, &bill)
	return bill, err
}
