// Package relay finds relays that send rows of an outbox twice or lose them.
//
// # Analyzer relay
//
// relay: find relays of an outbox that send rows twice or lose them
package relay
