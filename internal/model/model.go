// Package model says what library functions do, as data.
//
// A [Row] names one function or method of a library in full and gives the delivery-relevant effect of calling it: which
// value the effect goes through, where the SQL text, the table or the message stands among the arguments. Rows live in
// YAML files under data/, one file for each library family, embedded in the binary. Nothing here knows SSA or rules.
package model

import (
	"fmt"
	"strconv"
	"strings"
)

// Effect is the delivery-relevant thing that a call does.
type Effect string

// The effects that a row can have.
const (
	Begin     Effect = "begin"     // opens a transaction; Row.Scope says which value becomes its handle
	Commit    Effect = "commit"    // makes the transaction of Row.Handle durable
	Rollback  Effect = "rollback"  // undoes the transaction of Row.Handle
	Run       Effect = "run"       // runs Row.Closure in a transaction: commits when it returns nil
	SQL       Effect = "sql"       // the text of Row.SQL decides what is done through Row.Handle
	Prepare   Effect = "prepare"   // returns a statement with the text of Row.SQL, executed later
	Write     Effect = "write"     // changes state through Row.Handle
	Read      Effect = "read"      // reads state through Row.Handle
	Publish   Effect = "publish"   // gives an event or a job to a broker or a queue
	Enqueue   Effect = "enqueue"   // writes an event or a job through the transaction of Row.Handle: an outbox row
	Receive   Effect = "receive"   // takes a message from a broker
	Subscribe Effect = "subscribe" // registers Row.Closure as the handler of messages
	Ack       Effect = "ack"       // confirms a message or commits an offset
	Nack      Effect = "nack"      // gives a message back
	External  Effect = "external"  // changes something outside database and broker: a mail, a charge, a request
	Handle    Effect = "handle"    // no effect: the result is a handle made from Row.Handle and nothing else
	Builder   Effect = "builder"   // no effect yet: names the table, SQL or verb of the effect that ends the chain
	Construct Effect = "construct" // makes a publisher; Row.Kind says what stands behind it
	Commits   Effect = "hook"      // keeps Row.Closure until the transaction of Row.Handle has been committed
	Lock      Effect = "lock"      // takes a lock
	Dispatch  Effect = "dispatch"  // a mediator: runs Row.Calls of whatever handles the type of what it is given
	Lookup    Effect = "lookup"    // asks a key-value store whether the key in Row.Key is there
	Remember  Effect = "remember"  // puts the key in Row.Key into a key-value store
	Claim     Effect = "claim"     // does both in one step: SETNX, LoadOrStore; result 0 tells
	Count     Effect = "count"     // adds to what a key-value store holds under Row.Key: INCR, HINCRBY
	Ignore    Effect = "ignore"    // known to do nothing that matters here: metrics, logs, in-process work
	Wait      Effect = "wait"      // waits until work that was started elsewhere is done
	Hand      Effect = "hand"      // no row: hands work to whoever receives from a channel of the program's own
	Keep      Effect = "keep"      // no row: keeps what failed for later, in a list, a counter, a field
)

// Settling says how a library confirms messages by itself.
type Settling string

// The ways in which messages are confirmed without a call that says so.
const (
	OnNil     Settling = "nil"     // when the closure has returned nil; an error gives the message back
	OnReturn  Settling = "return"  // when the closure has returned, however it went
	OnReceipt Settling = "receipt" // before the program does anything about the message
	Never     Settling = "never"   // the broker keeps nothing: a message that nobody listens to is gone
	AsMade    Settling = "made"    // as the consumer in Row.Handle was told when it was made
)

// OfKey reports whether an effect is one on a key of a key-value store.
func (e Effect) OfKey() bool { return e == Lookup || e == Remember || e == Claim || e == Count }

// Kind says what a constructed publisher really is, or what decides the effect on a key.
type Kind string

// The kinds of constructed publishers.
const (
	Broker    Kind = "broker"    // hands messages to another process
	InProcess Kind = "inprocess" // hands messages to subscribers in the same process
	Table     Kind = "table"     // inserts messages through the handle in Row.Handle
	Wrap      Kind = "wrap"      // is whatever the publisher in Row.Handle is
	Consumer  Kind = "consumer"  // no publisher: takes messages, and Row.Settles says how they are confirmed
)

// Once is the kind of a Run that leaves Row.Closure out where it has run for the same message before (an inbox in a library),
// and of an External that the other side takes once and refuses a second time: to capture, to cancel.
const Once Kind = "once"

// The kinds of rows of key-value stores whose effect is another where the call says so.
const (
	Command Kind = "command" // Row.Key is the first of the arguments that are the command: "SET", key, value, "NX"
	Script  Kind = "script"  // Lua in Row.SQL, or made into the value in Row.Handle, decides
	Options Kind = "options" // an argument with the field Mode or NX makes a Claim of it
	Asked   Kind = "asked"   // a Claim where the code looks at the result, which tells whether the key is new: SADD
	Chain   Kind = "chain"   // later steps of a builder name the key, and NX
)

// The kinds of rows of locks.
const (
	Rows    Kind = "rows"    // a step of a query that locks the rows it reads, in a transaction
	Elected Kind = "elected" // whoever holds it does the work for the whole program
)

// Log is the kind of a publish to a log whose key is an argument of the call, or for which no key can be given.
const Log Kind = "log"

// The kinds of external calls.
const (
	Request Kind = "request" // an HTTP client sends any request
	Payment Kind = "payment" // money moves
)

// Tier says how sure it is that the effect matters.
type Tier string

// The tiers of a row. The empty tier means TierError.
const (
	TierError  Tier = "error"
	TierAdvice Tier = "advice" // often but not always a delivery: a workflow start, Redis pub/sub
)

// A Row says what calling one function of a library does.
type Row struct {
	// Symbol is the function's full name as (*types.Func).FullName writes it, with or without the receiver's star and
	// without type parameters: "(database/sql.DB).BeginTx".
	Symbol string `yaml:"symbol"`
	Effect Effect `yaml:"effect"`
	// Handle is the value that the effect goes through. The zero Arg means the receiver.
	Handle Arg `yaml:"handle,omitempty"`
	// Scope is the value that becomes the transaction handle after Begin ("result 0", "recv") or inside the closure
	// of Run ("closure 0" for its first parameter; a context there carries the transaction).
	Scope Arg `yaml:"scope,omitempty"`
	// SQL is the argument with the statement's text.
	SQL Arg `yaml:"sql,omitempty"`
	// Table is the argument that names the table: a string, or a value whose type is the model.
	Table Arg `yaml:"table,omitempty"`
	// Closure is the argument that is called: by Run inside the transaction, by Subscribe for each message.
	Closure Arg `yaml:"closure,omitempty"`
	// Calls names, for Dispatch, the method by which handlers are called, of an interface in the function's own package:
	// "RequestHandler.Handle". It is given the arguments of the call, and a generic interface the call's first type
	// arguments. Who handles what is told by who implements that: registration needs no row.
	Calls string `yaml:"calls,omitempty"`
	// Message is the argument that carries what is published; Key the argument or field with its key; Topic its destination.
	Message Arg `yaml:"message,omitempty"`
	Key     Arg `yaml:"key,omitempty"`
	Topic   Arg `yaml:"topic,omitempty"`
	// Verb narrows a Write or a Builder: insert, update, delete, upsert.
	Verb string `yaml:"verb,omitempty"`
	Kind Kind   `yaml:"kind,omitempty"`
	// Cumulative means that an Ack confirms all that came before it as well.
	Cumulative bool `yaml:"cumulative,omitempty"`
	// Settles says how messages are confirmed that a Receive takes or a Subscribe hands to its closure, and those of a
	// consumer that a Construct makes. Options and keys of a configuration among the arguments change it: it does not hold
	// where one of Unless is there ("ManualAck", "enable.auto.commit=false"), and OnReceipt takes an argument that is true
	// or not empty (When) or one of the options in With. Of an Ack, When is the offset to go on at, and
	// Never means that it only sends what was confirmed before.
	Settles Settling `yaml:"settles,omitempty"`
	When    Arg      `yaml:"when,omitempty"`
	With    []string `yaml:"with,omitempty"`
	Unless  []string `yaml:"unless,omitempty"`
	Tier    Tier     `yaml:"tier,omitempty"`
	// Async means the call returns before the effect has happened.
	Async bool `yaml:"async,omitempty"`
	// Queued means that the client keeps the message in memory and says what became of it elsewhere: through a channel, a
	// callback or a future. An async row without it gives the message to the network.
	Queued bool `yaml:"queued,omitempty"`
	// Joins means a nested Run takes part in the transaction that is already open instead of opening its own.
	Joins bool `yaml:"joins,omitempty"`
	// Typed means that a subscribed closure handles messages only if it takes a type that is one: the same function
	// registers what serves requests.
	Typed bool `yaml:"typed,omitempty"`
	// Requeue is, for Nack, the argument that says whether the message is to come back; Limit who ends that.
	Requeue Arg   `yaml:"requeue,omitempty"`
	Limit   Limit `yaml:"limit,omitempty"`
	// Note is a fact about the API that a verdict rests on, with its source where it is not plain from the documentation.
	Note string `yaml:"note,omitempty"`

	// Library is the family that the row came from; set by the loader.
	Library string `yaml:"-"`
}

// TypeRole says what a value of a library type is.
type TypeRole string

// The roles of library types.
const (
	BaseType    TypeRole = "base"    // never a transaction: *sql.DB, *pgxpool.Pool
	TxType      TypeRole = "tx"      // always a transaction: *sql.Tx, pgx.Tx
	HandleType  TypeRole = "handle"  // either: *gorm.DB, a session
	MessageType TypeRole = "message" // a message as a broker delivers it
)

// A TypeRow gives the role of one library type, named "database/sql.Tx".
type TypeRow struct {
	Name string   `yaml:"name"`
	Role TypeRole `yaml:"role,omitempty"`
	// Key is the field of a message that holds the key by which a broker keeps messages in order. Fifo says that without
	// one there is no order to be kept, and that one key for all keeps all in order.
	Key  string `yaml:"key,omitempty"`
	Fifo bool   `yaml:"fifo,omitempty"`
}

// A Pattern is a row for generated code, whose package path and type names are the user's: it applies to packages that
// hold a file with the comment Generated and matches receiver type and method names with a leading or trailing "*".
type Pattern struct {
	// Generated is the start of the generator's comment: "Code generated by ent".
	Generated string `yaml:"generated"`
	Receiver  string `yaml:"receiver"`
	Method    string `yaml:"method"`
	// TrimReceiver is cut off the receiver's name to give the table: "Create" makes "OrderCreate" the table "Order".
	TrimReceiver string `yaml:"trim,omitempty"`
	Row          `yaml:",inline"`
}

// ArgKind says which value of a call an Arg means.
type ArgKind uint8

// The kinds of Arg.
const (
	NoArg     ArgKind = iota
	Recv              // the receiver
	Param             // argument Index, counted from 0 without the receiver
	Result            // result Index
	ClosureOf         // parameter Index of the closure
)

// An Arg points at one value of a call. It is written "recv", "2", "2.Value" (a field of that argument, or of its
// elements), "result 0" or "closure 1".
type Arg struct {
	Kind  ArgKind
	Index int
	Field string
}

// ParseArg reads the written form of an Arg.
func ParseArg(s string) (Arg, error) {
	word, rest, two := strings.Cut(strings.TrimSpace(s), " ")
	switch {
	case word == "":
		return Arg{}, nil
	case word == "recv" && !two:
		return Arg{Kind: Recv}, nil
	case word == "result" && two:
		return indexed(Result, rest)
	case word == "closure" && two:
		return indexed(ClosureOf, rest)
	case !two:
		return indexed(Param, word)
	}
	return Arg{}, fmt.Errorf("argument %q: want recv, N, N.Field, result N or closure N", s)
}

func indexed(kind ArgKind, s string) (Arg, error) {
	num, field, _ := strings.Cut(s, ".")
	n, err := strconv.Atoi(num)
	if err != nil || n < 0 {
		return Arg{}, fmt.Errorf("argument %q: %q is not an index", s, num)
	}
	return Arg{Kind: kind, Index: n, Field: field}, nil
}

// String writes the Arg as ParseArg reads it.
func (a Arg) String() string {
	field := ""
	if a.Field != "" {
		field = "." + a.Field
	}
	switch a.Kind {
	case Recv:
		return "recv"
	case Param:
		return strconv.Itoa(a.Index) + field
	case Result:
		return "result " + strconv.Itoa(a.Index) + field
	case ClosureOf:
		return "closure " + strconv.Itoa(a.Index) + field
	}
	return ""
}

// MarshalText implements encoding.TextMarshaler.
func (a Arg) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// IsZero reports whether the Arg points nowhere.
func (a Arg) IsZero() bool { return a.Kind == NoArg }

// A File is one YAML file of rows: a library family.
type File struct {
	// Library is the module path or the family's name; Version the version its symbols were resolved in.
	Library  string    `yaml:"library"`
	Version  string    `yaml:"version,omitempty"`
	Types    []TypeRow `yaml:"types,omitempty"`
	Rows     []Row     `yaml:"rows,omitempty"`
	Patterns []Pattern `yaml:"patterns,omitempty"`
	Settings []Setting `yaml:"settings,omitempty"`
	Answers  []Answer  `yaml:"answers,omitempty"`
}
