// Command shopd puts the shop together: what it knows, the packages below do not.
package main

import (
	"context"
	"database/sql"
	"log"
	"time"

	"github.com/segmentio/kafka-go"

	"example.test/shop/announce"
	"example.test/shop/contract"
	"example.test/shop/hooks"
	"example.test/shop/ledger"
	"example.test/shop/letterbox"
	"example.test/shop/letters"
	"example.test/shop/nested"
	"example.test/shop/notify"
	"example.test/shop/orders"
	"example.test/shop/store"
	"example.test/shop/transport"
	"example.test/shop/txm"
)

func main() {
	db, err := sql.Open("postgres", "")
	if err != nil {
		log.Fatal(err)
	}
	w := &kafka.Writer{Addr: kafka.TCP("localhost:9092"), Topic: "orders"}
	s := newShop(db, w)
	for range time.Tick(time.Second) {
		if err := s.work(context.Background(), "1"); err != nil {
			log.Print(err)
		}
	}
}

type shop struct {
	orders   *orders.Service
	announce *announce.Service
	hooks    *hooks.Service
	ledger   *ledger.Service
	contract *contract.Service
	letters  *letters.Service
	relay    *letterbox.Relay
	nested   *nested.Service
	tx       txm.Manager
}

func newShop(db *sql.DB, w *kafka.Writer) *shop {
	repo, n, tx := store.New(db), notify.New(transport.New(w)), txm.New(db)
	return &shop{
		orders:   orders.New(repo, n),
		announce: announce.New(repo, n),
		hooks:    &hooks.Service{Repo: repo, Placed: func(ctx context.Context, id string) error { return n.Placed(ctx, id) }},
		ledger:   ledger.New(db, repo),
		contract: contract.New(db, tx, n),
		letters:  letters.New(db, repo, n),
		relay:    letterbox.New(db, w),
		nested:   nested.New(db, n),
		tx:       tx,
	}
}

func (s *shop) work(ctx context.Context, id string) error {
	for _, f := range []func(ctx context.Context, id string) error{
		s.orders.Place, s.orders.Cancel, s.orders.Remind, s.announce.Place, s.hooks.Place, s.ledger.Book, s.contract.Sign,
		s.letters.Late, s.letters.Early, s.pay,
	} {
		if err := f(ctx, id); err != nil {
			return err
		}
	}
	return s.relay.Once(ctx)
}

func (s *shop) pay(ctx context.Context, id string) error {
	return s.tx.Do(ctx, func(ctx context.Context) error { return s.nested.Pay(ctx, id) })
}
