package report

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/dmlint/dmlint/checklist"
	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/evidence"
)

// sampleChecklist has an item of each verdict, more places than are listed, and something that is not used.
func sampleChecklist(t *testing.T) Checklist {
	t.Helper()
	r := sample(t)
	fact := func(kind evidence.Kind, text, file string, line int) evidence.Fact {
		return evidence.Fact{Kind: kind, Text: text, File: filepath.Join(r.Dir, "shop", file), Pos: effect.Pos{Line: line, Col: 2}, Function: "shop.f"}
	}
	seen := []evidence.Fact{
		fact(evidence.Handler, "messages are handled", "consume.go", 12), fact(evidence.Handler, "messages are handled", "consume.go", 40),
		fact(evidence.Publish, "an event is published", "notify.go", 22),
		fact(evidence.Relay, "rows of outbox are read to be published", "relay.go", 7),
		fact(evidence.Lock, "the rows of outbox are locked", "relay.go", 7),
	}
	for line := 30; line < 37; line++ {
		seen = append(seen, fact(evidence.Pruning, "rows of outbox are deleted", "relay.go", line))
	}
	return Checklist{Report: r, Items: checklist.Judge(r.Findings, seen), Unused: []evidence.Fact{
		fact(evidence.Unused, "messages are recorded in inbox here, and nothing that runs comes here", "inbox.go", 9),
		{Kind: evidence.Unused, Text: "the schema has a table old_outbox, and nothing in the code reads or writes it"},
	}}
}

func TestChecklistFormats(t *testing.T) {
	list := sampleChecklist(t)
	var text, markdown, json bytes.Buffer
	require.NoError(t, ChecklistText(&text, list))
	golden(t, "checklist.txt", text.Bytes())
	require.NoError(t, ChecklistMarkdown(&markdown, list))
	golden(t, "checklist.md", markdown.Bytes())
	require.NoError(t, ChecklistJSON(&json, list))
	golden(t, "checklist.json", json.Bytes())
}
