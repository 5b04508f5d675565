// Package dynamo writes items. The comment "effects:" of a function lists what is seen in it.
package dynamo

import (
	"context"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

// effects: write stock update increment
func Plus(ctx context.Context, c *dynamodb.Client, key map[string]types.AttributeValue) error {
	_, err := c.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: aws.String("stock"), Key: key,
		UpdateExpression: aws.String("SET qty = qty + :n")})
	return err
}

// effects: write stock update increment
func Default(ctx context.Context, c *dynamodb.Client, key map[string]types.AttributeValue) error {
	in := &dynamodb.UpdateItemInput{TableName: aws.String("stock"), Key: key}
	in.UpdateExpression = aws.String("SET #q = if_not_exists(#q, :zero) + :n")
	_, err := c.UpdateItem(ctx, in)
	return err
}

// effects: write stock update increment
func Add(ctx context.Context, c *dynamodb.Client, key map[string]types.AttributeValue) error {
	_, err := c.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: aws.String("stock"), Key: key,
		UpdateExpression: aws.String("SET status = :s ADD qty :n")})
	return err
}

// effects: write stock update
func Set(ctx context.Context, c *dynamodb.Client, key map[string]types.AttributeValue) error {
	_, err := c.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: aws.String("stock"), Key: key,
		UpdateExpression: aws.String("SET address = :a, qty = :n")})
	return err
}

// effects: write stock update guarded checked where(status)
func Guarded(ctx context.Context, c *dynamodb.Client, key map[string]types.AttributeValue) error {
	_, err := c.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: aws.String("stock"), Key: key,
		UpdateExpression: aws.String("SET #status = :sold"), ConditionExpression: aws.String("#status = :new")})
	return err
}

// effects: write events upsert conflict checked where(id)
func Put(ctx context.Context, c *dynamodb.Client, item map[string]types.AttributeValue) (bool, error) {
	_, err := c.PutItem(ctx, &dynamodb.PutItemInput{TableName: aws.String("events"), Item: item,
		ConditionExpression: aws.String("attribute_not_exists(id)")})
	var failed *types.ConditionalCheckFailedException
	if errors.As(err, &failed) {
		return false, nil
	}
	return err == nil, err
}

// effects: write stock update increment
func Builder(ctx context.Context, c *dynamodb.Client, key map[string]types.AttributeValue) error {
	expr, err := expression.NewBuilder().WithUpdate(expression.Add(expression.Name("qty"), expression.Value(1))).Build()
	if err != nil {
		return err
	}
	_, err = c.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: aws.String("stock"), Key: key, UpdateExpression: expr.Update()})
	return err
}
