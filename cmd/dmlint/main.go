// Command dmlint finds the places in Go code where a crash, a rollback or a redelivery loses an event or applies it
// twice. Run dmlint help for what it can do.
//
// # Exit status
//
//	0  nothing was found in the tier that --tier names
//	1  something was found
//	2  wrong use or configuration, or nothing could be analysed
//	3  a package or a function could not be analysed, and nothing was found in the rest
package main

import (
	"os"

	"github.com/dmlint/dmlint/internal/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:], os.Stdout, os.Stderr)) }
