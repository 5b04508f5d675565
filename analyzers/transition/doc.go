// Package transition finds handlers that do not ask what a state may follow.
//
// # Analyzer transition
//
// transition: find message handlers that overwrite a newer state with an older one
//
// todo
//
// # blind-assign
//
// todo
//
// # arrival-time
//
// todo
package transition
