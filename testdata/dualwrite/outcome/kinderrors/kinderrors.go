// Package kinderrors makes errors in chains of calls.
package kinderrors

import (
	"errors"
	"fmt"
)

// ErrStore is the kind of what went wrong in the database, ErrMissing of what was not there.
var (
	ErrStore   = errors.New("store")
	ErrMissing = errors.New("missing")
)

// A Builder is an error in the making.
type Builder struct {
	err error
}

// NewError starts from a text.
func NewError(text string) *Builder { return &Builder{err: errors.New(text)} }

// From starts from an error.
func From(err error) *Builder { return &Builder{err: err} }

// Hint says what to do about it.
func (b *Builder) Hint(hint string) *Builder {
	b.err = fmt.Errorf("%w (%s)", b.err, hint)
	return b
}

// Mark says of what kind it is.
func (b *Builder) Mark(kind error) error { return errors.Join(b.err, kind) }

// A Refusal is an error that is made as a pointer.
type Refusal struct {
	why error
}

// Refuse makes one.
func Refuse(why error) *Refusal {
	if why == nil {
		why = ErrMissing
	}
	return &Refusal{why: why}
}

func (r *Refusal) Error() string { return "refused: " + r.why.Error() }
