package orders

import (
	"context"
	"testing"
)

var service = fixture()

func fixture() *Service { return New(nil, nil) }

// go vet checks a package together with its tests: they must not make it a test package, and count for nothing.
func TestPlace(t *testing.T) {
	if err := service.repo.Save(context.Background(), "1"); err == nil {
		service.notify.Placed(context.Background(), "1")
	}
}
