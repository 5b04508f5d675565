package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/model"
)

// words say what a library's functions do, in the order in which they are listed.
var words = []struct {
	word    string
	effects []model.Effect
}{
	{"transactions", []model.Effect{model.Begin, model.Commit, model.Rollback, model.Run}},
	{"SQL", []model.Effect{model.SQL, model.Prepare}},
	{"writes", []model.Effect{model.Write}},
	{"reads", []model.Effect{model.Read}},
	{"publishes", []model.Effect{model.Publish}},
	{"outbox rows", []model.Effect{model.Enqueue}},
	{"messages", []model.Effect{model.Receive, model.Subscribe}},
	{"acks", []model.Effect{model.Ack, model.Nack}},
	{"external calls", []model.Effect{model.External}},
	{"locks", []model.Effect{model.Lock}},
	{"handlers by type", []model.Effect{model.Dispatch}},
	{"keys", []model.Effect{model.Lookup, model.Remember, model.Claim, model.Count}},
}

const librariesIntro = `# Libraries

<!-- Made of internal/model/data by go run ./tools/docgen: change it there. -->

The libraries whose functions dmlint knows, the versions that the models were checked against, and what is known of
them. A model names functions and not versions, so that it serves other versions as long as the names are the same.
Code that sqlc generates needs no model: its SQL stands in the source.

| library | versions | what is known | functions |
|---|---|---|---|
`

// librariesPage lists the libraries that have models in dir.
func librariesPage(dir string) ([]byte, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	w := &page{}
	w.WriteString(librariesIntro)
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		f, err := model.ParseFile(filepath.Base(name), data)
		if err != nil {
			return nil, err
		}
		if known := known(f); known != "" {
			w.printf("| [%s](../internal/model/data/%s) | %s | %s | %d |\n", f.Library, filepath.Base(name), f.Version, known, functions(f))
		}
	}
	return w.Bytes(), nil
}

// known says what the functions of a library do, or "" where none does anything.
func known(f *model.File) string {
	var found []string
	for _, w := range words {
		for _, r := range rowsOf(f) {
			if slices.Contains(w.effects, r.Effect) {
				found = append(found, w.word)
				break
			}
		}
	}
	return strings.Join(found, ", ")
}

// rowsOf lists the rows of a file, those for generated code included.
func rowsOf(f *model.File) []model.Row {
	rows := slices.Clone(f.Rows)
	for _, p := range f.Patterns {
		row := p.Row
		row.Symbol = p.Receiver + "." + p.Method
		rows = append(rows, row)
	}
	return rows
}

// functions counts the functions that have a model.
func functions(f *model.File) int {
	seen := map[string]bool{}
	for _, r := range rowsOf(f) {
		seen[r.Symbol] = true
	}
	return len(seen)
}
