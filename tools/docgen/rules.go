package main

import (
	"bytes"
	"fmt"
	"go/doc/comment"
	"slices"
	"strings"

	"github.com/dmlint/dmlint/internal/check"
)

// labels begin the paragraphs of a rule's section: each is set off from the text that follows it.
var labels = []string{"What it does", "Why it is bad", "Bad", "Good", "When it does not report", "Known limits"}

// rulePage makes an analyzer's page of its text.
func rulePage(c *check.Check) []byte {
	w := &page{}
	w.printf("# %s\n\n", c.Name)
	w.printf("<!-- Made of analyzers/%s/doc.go by go run ./tools/docgen: change it there. -->\n\n", c.Name)
	doc := new(comment.Parser).Parse(c.Doc)
	if len(doc.Content) > 0 { // the summary
		w.block(doc.Content[0])
		doc.Content = doc.Content[1:]
	}
	w.printf("| rule | reports | tier | checklist |\n|---|---|---|---|\n")
	for _, r := range c.Rules {
		_, name, _ := strings.Cut(r.ID, "/")
		w.printf("| [%s](#%s) | %s | %s | %s |\n", r.ID, name, r.Summary, r.Tier, strings.Trim(strings.ReplaceAll(fmt.Sprint(r.Checklist), " ", ", "), "[]"))
	}
	w.printf("\n")
	for _, b := range doc.Content {
		w.block(b)
	}
	return append(bytes.TrimRight(w.Bytes(), "\n"), '\n')
}

// A page is Markdown in the making.
type page struct{ bytes.Buffer }

func (w *page) printf(format string, args ...any) { fmt.Fprintf(w, format, args...) }

func (w *page) block(b comment.Block) {
	switch b := b.(type) {
	case *comment.Heading:
		w.printf("## %s\n\n", text(b.Text))
	case *comment.Paragraph:
		w.printf("%s\n\n", labelled(escape(text(b.Text))))
	case *comment.Code:
		w.printf("```go\n%s```\n\n", b.Text)
	case *comment.List:
		for _, item := range b.Items {
			w.item(item)
		}
		w.printf("\n")
	}
}

// item writes an item of a list; package comments have no lists in lists.
func (w *page) item(item *comment.ListItem) {
	mark := "- "
	if item.Number != "" {
		mark = item.Number + ". "
	}
	for _, b := range item.Content {
		if p, ok := b.(*comment.Paragraph); ok {
			w.printf("%s%s\n", mark, strings.ReplaceAll(escape(text(p.Text)), "\n", "\n"+strings.Repeat(" ", len(mark))))
		}
	}
}

// labelled writes the label of a paragraph in bold type.
func labelled(s string) string {
	if label, rest, ok := strings.Cut(s, ":"); ok && slices.Contains(labels, label) {
		return "**" + label + ":**" + rest
	}
	return s
}

// text gives the plain text of a piece of a comment.
func text(parts []comment.Text) string {
	var s strings.Builder
	for _, part := range parts {
		switch part := part.(type) {
		case comment.Plain:
			s.WriteString(string(part))
		case comment.Italic:
			s.WriteString(string(part))
		case *comment.Link:
			s.WriteString(text(part.Text))
		case *comment.DocLink:
			s.WriteString(text(part.Text))
		}
	}
	return s.String()
}

// escape keeps Markdown from reading a name as markup.
func escape(s string) string {
	return strings.NewReplacer("*", `\*`, "_", `\_`, "<", "&lt;", "`", "\\`").Replace(s)
}
