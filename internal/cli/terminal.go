package cli

import (
	"io"
	"os"

	"github.com/dmlint/dmlint/internal/report"
)

// styleOf decides how findings are written: in full for the eye or where text was asked for by name, in colour on a
// terminal. NO_COLOR and CLICOLOR_FORCE overrule that; see no-color.org and bixense.com/clicolors.
func styleOf(w io.Writer, formatGiven bool) report.Style {
	terminal := isTerminal(w)
	style := report.Style{Full: formatGiven || terminal, Color: terminal && os.Getenv("TERM") != "dumb"}
	if force := os.Getenv("CLICOLOR_FORCE"); force != "" && force != "0" {
		style.Color = true
	}
	if os.Getenv("NO_COLOR") != "" {
		style.Color = false
	}
	return style
}

// isTerminal takes any character device for a terminal: it is one in all cases but /dev/null, where it does not matter.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
