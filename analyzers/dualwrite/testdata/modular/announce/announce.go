// Package announce knows its collaborators by interfaces only; what implements them lies above or beside it.
package announce

import "context"

// Storage saves orders.
type Storage interface {
	Save(ctx context.Context, id string) error
}

// Announcer tells other services.
type Announcer interface {
	Placed(ctx context.Context, id string) error
}

// Service places orders.
type Service struct {
	storage   Storage
	announcer Announcer
}

// New makes the service.
func New(s Storage, a Announcer) *Service { return &Service{storage: s, announcer: a} }

// Place loses the event in a crash.
func (s *Service) Place(ctx context.Context, id string) error {
	if err := s.storage.Save(ctx, id); err != nil {
		return err
	}
	return s.announcer.Placed(ctx, id) // whole dualwrite/after-commit
}
