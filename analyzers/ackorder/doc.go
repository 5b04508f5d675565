// Package ackorder finds messages that are confirmed although their effect has not happened.
//
// # Analyzer ackorder
//
// ackorder: find messages that are confirmed although their effect has not happened
package ackorder
