// Package increment is to be written.
//
// # Analyzer increment
//
// increment: find changes in message handlers that a redelivered message makes again
//
// More.
package increment
