package orders_test

import (
	"context"
	"testing"

	"example.test/shop/orders"
)

func TestService(t *testing.T) {
	orders.New(nil, nil).Place(context.Background(), "1")
}
