package effect

import (
	"github.com/dmlint/dmlint/internal/model"
	"github.com/dmlint/dmlint/internal/sqltext"
)

// An Effect is what a modelled call does.
type Effect struct {
	Kind   model.Effect
	Symbol string
	Handle Roots
	// Scopes says which values become the transaction: see model.Row.Scope.
	Scopes []model.Arg
	// Text is where the SQL comes from when it is not in the function itself: it is read in the caller.
	Text Roots
	// Closure is what Run calls.
	Closure Roots
	Table   string
	Verb    sqltext.Verb
	// Columns are the columns that a write assigns or a read selects, where they are known.
	Columns []string
	// Model says that Columns are the fields of a model's type: some may be left empty.
	Model bool
	// Polls marks a read that looks like a queue's polling query; Payload one that reads something like a payload.
	Polls, Payload bool
	// Conflict marks an insert that does nothing or updates where the row exists.
	Conflict bool
	// Checked says that the code looks at how many rows were changed.
	Checked bool
	// Guarded marks a write whose condition looks at what it assigns; Increment one that adds to a column.
	Guarded, Increment bool
	// Added are the columns that an increment adds to, as far as they are known.
	Added []string
	// States are the short texts that a statement assigns.
	States []string
	// Where are the columns that the condition of a write or read constrains, as far as they are known.
	Where []string
	// Exists marks a read that only asks whether rows are there: EXISTS, COUNT, a key in a cache.
	Exists bool
	// Locks marks a read that locks the rows it gives: FOR UPDATE and its kin.
	Locks bool
	// Advisory says of such a lock that it is one of a name or number; Brief that it ends with the transaction.
	Advisory, Brief bool
	Notify          bool
	Tier            model.Tier
	Async, Joins    bool
	// Queued says of a publish that the message only went into a queue of the client, and that the code does not wait for
	// what becomes of it.
	Queued bool
	// Typed says of a subscription that only a function that takes a message handles messages.
	Typed bool
	// Settles says how the messages of a receipt or a subscription are confirmed, where the library does that by itself.
	Settles model.Settling
	// Cumulative says of an ack that it confirms all that came before it as well.
	Cumulative bool
	// Message is where the published or written data comes from.
	Message Origins
	// Inbox says that the user calls the table one whose rows say which messages have been handled.
	Inbox bool
	// KeyUse says by which key a message is published to something that keeps messages in order by keys, nil elsewhere.
	KeyUse *KeyUse
	// Once says that a Run leaves its closure out where it has run for the same message before, and of a call to the outside
	// that its other side takes it once. Request is what an HTTP client sends; Pays marks a call of a payment API.
	Request    *Request
	Pays, Once bool
	// Opaque marks a statement whose text was not found.
	Opaque bool
	// Back is, of a step that gives a message back, whether and for how long it comes back.
	Back *Back
	// Assign is what a write does to the state of a row, nil for nothing.
	Assign *Assign
}
