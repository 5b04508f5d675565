// Package container gives others what they need, without their importing where it is made.
package container

import (
	"example.test/shop/notify"
	"example.test/shop/store"
)

// Deps is what handlers use.
type Deps struct {
	Orders *store.Repo
	notify *notify.Notifier
}

// Announce gives the notifier.
func (d *Deps) Announce() *notify.Notifier { return d.notify }
