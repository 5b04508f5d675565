// Package orders handles commands about orders.
package orders

import (
	"context"

	"github.com/google/uuid"
	"github.com/mehdihadeli/go-mediatr"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

// Place has an ID that is made when the command is.
type Place struct{ ID, OrderID, Article string }

func NewPlace(order, article string) *Place {
	return &Place{ID: uuid.NewString(), OrderID: order, Article: article}
}

type Book struct{ ID, Article string }

type Rename struct{ ID, Article string }

type Restock struct {
	Article string
	Pieces  int64
}

type Sold struct {
	Article string
	Pieces  int64
}

type order struct {
	ID      string `bson:"_id"`
	OrderID string `bson:"orderId"`
	Article string `bson:"article"`
}

// Register tells the mediator who handles what.
func Register(db *mongo.Database) error {
	place := &placeHandler{store: &store{orders: db.Collection("baskets")}}
	if err := mediatr.RegisterRequestHandler[*Place, *mediatr.Unit](place); err != nil {
		return err
	}
	if err := mediatr.RegisterRequestHandler[Book, *mediatr.Unit](&bookHandler{place.store}); err != nil {
		return err
	}
	if err := mediatr.RegisterRequestHandler[*Rename, *mediatr.Unit](&renameHandler{orders: db.Collection("baskets")}); err != nil {
		return err
	}
	shelf := db.Collection("shelf")
	if err := mediatr.RegisterRequestHandler[*Restock, *mediatr.Unit](&restockHandler{shelf}); err != nil {
		return err
	}
	return mediatr.RegisterNotificationHandlers[*Sold](&countHandler{shelf}, &noteHandler{shelf})
}

type store struct{ orders *mongo.Collection }

func (s *store) add(ctx context.Context, o *order) error {
	_, err := s.orders.InsertOne(ctx, o) // want "increment/unguarded"
	return err
}

type placeHandler struct{ store *store }

func (h *placeHandler) Handle(ctx context.Context, c *Place) (*mediatr.Unit, error) {
	return &mediatr.Unit{}, h.store.add(ctx, &order{ID: c.ID, OrderID: c.OrderID, Article: c.Article})
}

// bookHandler takes the key from the message: the second insert fails.
type bookHandler struct{ store *store }

func (h *bookHandler) Handle(ctx context.Context, c Book) (*mediatr.Unit, error) {
	return &mediatr.Unit{}, h.store.add(ctx, &order{ID: c.ID, OrderID: c.ID, Article: c.Article})
}

type renameHandler struct{ orders *mongo.Collection }

func (h *renameHandler) Handle(ctx context.Context, c *Rename) (*mediatr.Unit, error) {
	_, err := h.orders.UpdateOne(ctx, bson.M{"_id": c.ID}, bson.M{"$set": bson.M{"article": c.Article}})
	return &mediatr.Unit{}, err
}

// restockHandler adds, and no message leads here: handlers of other types are none of its callers'.
type restockHandler struct{ shelf *mongo.Collection }

func (h *restockHandler) Handle(ctx context.Context, c *Restock) (*mediatr.Unit, error) {
	_, err := h.shelf.UpdateOne(ctx, bson.M{"_id": c.Article}, bson.M{"$inc": bson.M{"pieces": c.Pieces}})
	return &mediatr.Unit{}, err
}

type countHandler struct{ shelf *mongo.Collection }

func (h *countHandler) Handle(ctx context.Context, n *Sold) error {
	_, err := h.shelf.UpdateOne(ctx, bson.M{"_id": n.Article}, bson.M{"$inc": bson.M{"pieces": -n.Pieces}}) // want "increment/unguarded"
	return err
}

type noteHandler struct{ shelf *mongo.Collection }

func (h *noteHandler) Handle(ctx context.Context, n *Sold) error {
	_, err := h.shelf.UpdateOne(ctx, bson.M{"_id": n.Article}, bson.M{"$set": bson.M{"sold": true}})
	return err
}
