// Command cmd starts a server: what it writes and publishes on the way is no unit of work.
package main

import (
	"context"
	"database/sql"
	"log"
	"os"
	"sync"

	"github.com/nats-io/nats.go"

	"dmlint.test/dualwrite/startup"
)

func main() {
	ctx := context.Background()
	db, err := sql.Open("postgres", os.Getenv("DSN"))
	if err != nil {
		log.Fatal(err)
	}
	conn, err := nats.Connect(nats.DefaultURL)
	if err != nil {
		log.Fatal(err)
	}
	host, _ := os.Hostname()
	if _, err := db.ExecContext(ctx, `INSERT INTO nodes (host) VALUES ($1)`, host); err != nil {
		log.Fatal(err)
	}
	if err := conn.Publish("nodes.up", []byte(host)); err != nil {
		log.Fatal(err)
	}
	var background sync.WaitGroup
	background.Go(func() { // what was published above is not about this
		if _, err := db.ExecContext(ctx, `UPDATE nodes SET ready = true WHERE host = $1`, host); err != nil {
			log.Print(err)
		}
	})
	defer background.Wait()
	if err := startup.New(db, conn).Run(ctx, host); err != nil {
		log.Fatal(err)
	}
}
