// Package failure makes errors; it has no effects, but that its errors are never nil decides which way callers go.
package failure

import "errors"

// Full is the error of a full warehouse.
func Full(id string) error { return errors.New("full: " + id) }
