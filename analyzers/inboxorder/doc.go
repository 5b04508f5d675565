// Package inboxorder is to be written.
//
// # Analyzer inboxorder
//
// inboxorder: find checks for redelivered messages that do not hold
//
// More.
package inboxorder
