// Package documents adds to what is stored in MongoDB, DynamoDB and Redis.
package documents

import (
	"context"
	"errors"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	amqp "github.com/rabbitmq/amqp091-go"
	"github.com/redis/go-redis/v9"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type Mongo struct {
	client          *mongo.Client
	accounts, inbox *mongo.Collection
}

func NewMongo(client *mongo.Client) *Mongo {
	db := client.Database("bank")
	return &Mongo{client: client, accounts: db.Collection("accounts"), inbox: db.Collection("inbox")}
}

func (s *Mongo) Inc(ctx context.Context, d amqp.Delivery) error {
	_, err := s.accounts.UpdateOne(ctx, bson.M{"_id": d.RoutingKey}, bson.M{"$inc": bson.M{"balance": 1}}) // want "increment/unguarded"
	return err
}

func (s *Mongo) Set(ctx context.Context, d amqp.Delivery) error {
	_, err := s.accounts.UpdateOne(ctx, bson.M{"_id": d.RoutingKey}, bson.M{"$set": bson.M{"balance": d.Priority}})
	return err
}

// IncOnce has the message in the filter: a second one matches nothing.
func (s *Mongo) IncOnce(ctx context.Context, d amqp.Delivery) error {
	_, err := s.accounts.UpdateOne(ctx,
		bson.M{"_id": d.RoutingKey, "applied": bson.M{"$ne": d.MessageId}},
		bson.M{"$inc": bson.M{"balance": 1}, "$push": bson.M{"applied": d.MessageId}})
	return err
}

// PushOnce looks for the element in the list that it adds to.
func (s *Mongo) PushOnce(ctx context.Context, d amqp.Delivery) error {
	_, err := s.accounts.UpdateOne(ctx, bson.M{"_id": d.RoutingKey, "bookings.id": bson.M{"$ne": d.MessageId}},
		bson.M{"$push": bson.M{"bookings": bson.M{"id": d.MessageId}}})
	return err
}

// PushMany looks at another list.
func (s *Mongo) PushMany(ctx context.Context, d amqp.Delivery) error {
	_, err := s.accounts.UpdateOne(ctx, bson.M{"_id": d.RoutingKey, "books.id": bson.M{"$ne": d.MessageId}}, // want "increment/unguarded"
		bson.M{"$push": bson.M{"book": bson.M{"id": d.MessageId}}})
	return err
}

// IncSession records the message under a unique _id in the same session.
func (s *Mongo) IncSession(ctx context.Context, d amqp.Delivery) error {
	session, err := s.client.StartSession()
	if err != nil {
		return err
	}
	defer session.EndSession(ctx)
	_, err = session.WithTransaction(ctx, func(ctx context.Context) (any, error) {
		if _, err := s.inbox.InsertOne(ctx, bson.M{"_id": d.MessageId}); err != nil {
			return nil, err
		}
		return s.accounts.UpdateOne(ctx, bson.M{"_id": d.RoutingKey}, bson.M{"$inc": bson.M{"balance": 1}})
	})
	if mongo.IsDuplicateKeyError(err) {
		return nil
	}
	return err
}

// IncSessionAlone commits together what is repeated together.
func (s *Mongo) IncSessionAlone(ctx context.Context, d amqp.Delivery) error {
	session, err := s.client.StartSession()
	if err != nil {
		return err
	}
	defer session.EndSession(ctx)
	_, err = session.WithTransaction(ctx, func(ctx context.Context) (any, error) {
		if _, err := s.accounts.UpdateOne(ctx, bson.M{"_id": d.ReplyTo}, bson.M{"$set": bson.M{"open": true}}); err != nil {
			return nil, err
		}
		return s.accounts.UpdateOne(ctx, bson.M{"_id": d.RoutingKey}, bson.M{"$inc": bson.M{"balance": 1}}) // want "increment/unguarded"
	})
	return err
}

type Dynamo struct{ client *dynamodb.Client }

func item(key, value string) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{key: &types.AttributeValueMemberS{Value: value}}
}

var one = map[string]types.AttributeValue{":n": &types.AttributeValueMemberN{Value: strconv.Itoa(1)}}

func (s *Dynamo) Add(ctx context.Context, d amqp.Delivery) error {
	_, err := s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{ // want "increment/unguarded"
		TableName: aws.String("accounts"), Key: item("id", d.RoutingKey),
		UpdateExpression: aws.String("ADD balance :n"), ExpressionAttributeValues: one,
	})
	return err
}

func (s *Dynamo) Set(ctx context.Context, d amqp.Delivery) error {
	_, err := s.client.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName: aws.String("accounts"), Key: item("id", d.RoutingKey),
		UpdateExpression: aws.String("SET balance = :n"), ExpressionAttributeValues: one,
	})
	return err
}

func (s *Dynamo) AddInbox(ctx context.Context, d amqp.Delivery) error {
	_, err := s.client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{
		{Put: &types.Put{TableName: aws.String("inbox"), Item: item("message_id", d.MessageId), ConditionExpression: aws.String("attribute_not_exists(message_id)")}},
		{Update: &types.Update{
			TableName: aws.String("accounts"), Key: item("id", d.RoutingKey),
			UpdateExpression: aws.String("ADD balance :n"), ExpressionAttributeValues: one,
		}},
	}})
	var cancelled *types.TransactionCanceledException
	if errors.As(err, &cancelled) {
		return nil
	}
	return err
}

func (s *Dynamo) AddTwo(ctx context.Context, d amqp.Delivery) error {
	_, err := s.client.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []types.TransactWriteItem{ // want "increment/unguarded"
		{Put: &types.Put{TableName: aws.String("customers"), Item: item("id", d.RoutingKey)}},
		{Update: &types.Update{
			TableName: aws.String("accounts"), Key: item("id", d.RoutingKey),
			UpdateExpression: aws.String("ADD balance :n"), ExpressionAttributeValues: one,
		}},
	}})
	return err
}

type Redis struct{ rdb *redis.Client }

// Incr is often a number on a dashboard.
func (s *Redis) Incr(ctx context.Context, d amqp.Delivery) error {
	return s.rdb.IncrBy(ctx, "balance:"+d.RoutingKey, 1).Err() // want advice "increment/unguarded"
}

// Total is one number for all.
func (s *Redis) Total(ctx context.Context, d amqp.Delivery) error {
	return s.rdb.Incr(ctx, "deliveries").Err()
}

func (s *Redis) Set(ctx context.Context, d amqp.Delivery) error {
	return s.rdb.Set(ctx, "balance:"+d.RoutingKey, d.Priority, 0).Err()
}

// IncrOnce asks and counts in one script, which Redis runs as a whole.
func (s *Redis) IncrOnce(ctx context.Context, d amqp.Delivery) error {
	return once.Run(ctx, s.rdb, []string{"seen:" + d.MessageId, "balance:" + d.RoutingKey}).Err()
}

var once = redis.NewScript(`
if redis.call("SET", KEYS[1], 1, "NX", "EX", 86400) then redis.call("INCR", KEYS[2]) end`)

func (s *Redis) IncrScript(ctx context.Context, d amqp.Delivery) error {
	return always.Run(ctx, s.rdb, []string{"balance:" + d.RoutingKey}).Err() // want advice "increment/unguarded"
}

var always = redis.NewScript(`return redis.call("INCR", KEYS[1])`)
