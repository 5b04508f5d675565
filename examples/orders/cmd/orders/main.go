// Command orders serves the example service.
package main

import (
	"context"
	"database/sql"
	"flag"
	"log"
	"net/http"
	"time"

	_ "github.com/lib/pq"

	"example.com/orders/api"
	"example.com/orders/events"
	"example.com/orders/orders"
	"example.com/orders/outbox"
)

func main() {
	addr := flag.String("addr", "localhost:8080", "address to serve on")
	dsn := flag.String("db", "postgres://localhost/orders?sslmode=disable", "PostgreSQL database")
	broker := flag.String("broker", "localhost:9092", "Kafka broker")
	direct := flag.Bool("direct", false, "publish events directly, without the outbox")
	flag.Parse()

	db, err := sql.Open("postgres", *dsn)
	if err != nil {
		log.Fatal(err)
	}
	kafka := events.NewKafka(*broker)
	var useCases api.Orders = &orders.Outboxed{DB: db}
	if *direct {
		useCases = &orders.Direct{DB: db, Events: kafka}
	}
	relay := &outbox.Relay{DB: db, Sender: kafka, Every: time.Second}
	go relay.Run(context.Background())
	log.Fatal(http.ListenAndServe(*addr, api.Handler(useCases)))
}
