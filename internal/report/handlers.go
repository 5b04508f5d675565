package report

import (
	"fmt"
	"io"

	"github.com/dmlint/dmlint/internal/flow"
)

type jsonHandlers struct {
	Version  string        `json:"version"`
	Handlers []jsonHandler `json:"handlers"`
	Errors   []jsonError   `json:"errors"`
}

type jsonHandler struct {
	Function string `json:"function"`
	Package  string `json:"package"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Reason   string `json:"reason"`
	// At is where the reason stands, where that is not the function itself.
	At *jsonPlace `json:"at,omitempty"`
}

type jsonPlace struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column"`
}

// Handlers lists the handlers, one a line, as editors and grep read it.
func Handlers(w io.Writer, r Report) error {
	for _, h := range r.Result.Handlers {
		at := ""
		if h.ReasonFile != "" {
			at = fmt.Sprintf(" at %s:%d", r.Relative(h.ReasonFile), h.ReasonPos.Line)
		}
		if _, err := fmt.Fprintf(w, "%s:%d:%d: %s: %s%s\n", r.Relative(h.File), h.Pos.Line, h.Pos.Col, h.Function, h.Reason, at); err != nil {
			return err
		}
	}
	return nil
}

// HandlersJSON writes one object: the handlers, and what could not be analysed.
func HandlersJSON(w io.Writer, r Report) error {
	out := jsonHandlers{Version: r.Version, Handlers: []jsonHandler{}, Errors: r.errorsJSON()}
	for _, h := range r.Result.Handlers {
		out.Handlers = append(out.Handlers, r.handlerJSON(h))
	}
	return encode(w, out)
}

func (r Report) handlerJSON(h flow.Handler) jsonHandler {
	out := jsonHandler{Function: h.Function, Package: h.Package, File: r.Relative(h.File), Line: h.Pos.Line, Column: h.Pos.Col, Reason: h.Reason}
	if h.ReasonFile != "" {
		out.At = &jsonPlace{r.Relative(h.ReasonFile), h.ReasonPos.Line, h.ReasonPos.Col}
	}
	return out
}
