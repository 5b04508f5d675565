// Package orderkey finds events of entities that are published without a key that keeps them in order.
//
// # Analyzer orderkey
//
// orderkey: find events of entities that are published without a key that keeps them in order
//
// A log like Kafka keeps messages in order within a partition, a FIFO queue within a group. Which one a message goes to is
// told by its key. The events of one order, account or device follow each other: if each goes to any partition, two
// consumers have them at the same time, and the older one can be applied last.
//
// The examples below use this service:
//
//	type Shipped struct {
//		OrderID string
//		Carrier string
//	}
//
//	type Service struct {
//		writer *kafka.Writer
//	}
//
// # missing
//
// What it does: reports an event of an entity that is published to a log or queue which keeps order by keys (Kafka with
// any client, Watermill on Kafka, Kinesis, Pulsar, FIFO queues and topics of AWS, ordered topics of Google's Pub/Sub,
// sessions of Azure's Service Bus), when it has no key, or one that keeps nothing in order: a UUID, the clock, the same for
// all. A key that the writer does not look at is none: kafka-go's writer goes round the partitions unless it has a balancer,
// Watermill's default marshaler for Kafka drops it. It is reported where the key is decided: at the publish, or at the call
// of a helper that is given the message or its key.
//
// Why it is bad: an update overtakes the one before it, and the consumer ends up with the older state. It happens under
// load and after a rebalance, and no error is logged.
//
// Bad:
//
//	func (s *Service) shipped(ctx context.Context, e Shipped) error {
//		body, err := json.Marshal(e)
//		if err != nil {
//			return err
//		}
//		return s.writer.WriteMessages(ctx, kafka.Message{Value: body})
//	}
//
// Good:
//
//	func (s *Service) shipped(ctx context.Context, e Shipped) error {
//		body, err := json.Marshal(e)
//		if err != nil {
//			return err
//		}
//		return s.writer.WriteMessages(ctx, kafka.Message{Key: []byte(e.OrderID), Value: body})
//	}
//
// When it does not report: the key, or the partition, comes from anything that is not made on the spot; a key is set on
// some path; nothing in what is sent has the ID of an entity (a field, a column or a parameter like OrderID or
// aggregate_id), as in heartbeats and metrics; the topic or the function says that nobody wants an order (logs, metrics,
// notifications, dead letters, retries); a queue has no groups; a group is the same for all, which puts all in order; a
// message is passed on as it was received; the broker knows no keys (NATS, AMQP, Redis).
//
// Known limits: one event for each entity needs no order, and that there is only one is not known: that is why this is
// advice. A key that is some other ID than the entity's is taken as it is. Partitioners and balancers in settings that are
// put together elsewhere are not seen.
//
// # Tiers
//
// All findings are advice: whether the consumers of a topic need an order is not in the code that publishes.
//
// # Checklist
//
// The rules stand for these items of a delivery review:
//
//   - 13: order is only relied on where the broker keeps it;
//   - 14: what needs order is partitioned by key.
//
// # What is right
//
// No rule reports messages with a key from their content, messages of no entity, brokers without keys, generated code and
// tests.
//
// # Limits
//
// Which types are messages with a key is known for the libraries that have a model. A message is followed through builders,
// parameters and results, up to six calls above the publish. Under go vet one package and those below it are seen.
package orderkey
