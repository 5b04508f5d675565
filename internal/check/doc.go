package check

import (
	"fmt"
	"go/parser"
	"go/token"
	"strings"
)

// The text about an analyzer is written once, as the package comment of its doc.go under the heading "# Analyzer NAME",
// and embedded: pkg.go.dev, the help of the tools that run it and the pages under docs/rules all show the same words.

// ExtractDoc gives the part of a package comment that describes an analyzer. The part begins with the paragraph
// "NAME: summary" and ends where another analyzer's begins; the name is left out.
func ExtractDoc(source, name string) (string, error) {
	file, err := parser.ParseFile(token.NewFileSet(), "doc.go", source, parser.ParseComments|parser.PackageClauseOnly)
	if err != nil {
		return "", err
	}
	for _, part := range strings.Split("\n"+file.Doc.Text(), "\n# Analyzer ")[1:] {
		heading, text, _ := strings.Cut(part, "\n")
		if strings.TrimSpace(heading) != name {
			continue
		}
		text, ok := strings.CutPrefix(strings.TrimSpace(text), name+": ")
		if !ok {
			return "", fmt.Errorf("the text under the heading %q does not begin with %q", "# Analyzer "+name, name+": ")
		}
		return text, nil
	}
	return "", fmt.Errorf("the package comment has no heading %q", "# Analyzer "+name)
}

// MustExtractDoc is ExtractDoc for the text that is embedded in the binary.
func MustExtractDoc(source, name string) string {
	text, err := ExtractDoc(source, name)
	if err != nil {
		panic("check: analyzer " + name + ": " + err.Error())
	}
	return text
}
