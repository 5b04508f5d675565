// Command docgen writes the pages of docs that are made of what the program itself says: docs/rules has a page for each
// analyzer, from its package comment, and docs/libraries.md lists the libraries that have models. In the pages that people
// write it runs the commands of console blocks and puts their output below them. Run it in the root of the module:
//
//	go run ./tools/docgen
//
// With -check it writes nothing and names the pages that are out of date.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/dmlint/dmlint/analyzers"
)

func main() {
	check := flag.Bool("check", false, "only name the pages that are out of date")
	flag.Parse()
	stale, err := run(".", *check)
	if err != nil {
		fmt.Fprintln(os.Stderr, "docgen:", err)
		os.Exit(2)
	}
	for _, name := range stale {
		fmt.Println(name)
	}
	if *check && len(stale) > 0 {
		fmt.Fprintln(os.Stderr, "docgen: out of date: run go run ./tools/docgen")
		os.Exit(1)
	}
}

// run brings the pages of the module in root up to date, unless it is only to check them, and names those that were not.
func run(root string, check bool) (stale []string, err error) {
	pages, err := generate(root)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(pages)) {
		file := filepath.Join(root, filepath.FromSlash(name))
		if old, err := os.ReadFile(file); err == nil && bytes.Equal(old, pages[name]) {
			continue
		}
		stale = append(stale, name)
		if check {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(file, pages[name], 0o666); err != nil {
			return nil, err
		}
	}
	return stale, nil
}

// generate gives the pages by their paths.
func generate(root string) (map[string][]byte, error) {
	pages := map[string][]byte{}
	for _, c := range analyzers.All() {
		pages["docs/rules/"+c.Name+".md"] = rulePage(c)
	}
	libraries, err := librariesPage(filepath.Join(root, "internal", "model", "data"))
	if err != nil {
		return nil, err
	}
	pages["docs/libraries.md"] = libraries
	for _, name := range written {
		if pages[name], err = refresh(root, name); err != nil {
			return nil, err
		}
	}
	return pages, nil
}
