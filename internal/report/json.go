package report

import (
	"encoding/json"
	"io"

	"github.com/dmlint/dmlint/internal/check"
)

type jsonReport struct {
	Version  string        `json:"version"`
	Findings []jsonFinding `json:"findings"`
	Coverage jsonCoverage  `json:"coverage"`
	Errors   []jsonError   `json:"errors"`
}

type jsonError struct {
	Package string `json:"package"`
	Message string `json:"message"`
}

type jsonCoverage struct {
	Packages     int `json:"packages"`
	Functions    int `json:"functions"`
	Handlers     int `json:"handlers"`
	Transactions int `json:"transactions"`
	Reads        int `json:"reads"`
	Writes       int `json:"writes"`
	Publishes    int `json:"publishes"`
	Acks         int `json:"acks"`
	UnknownCalls int `json:"unknownCalls"`
	OpaqueSQL    int `json:"opaqueSQL"`
	GaveUp       int `json:"gaveUp"`
}

type jsonStep struct {
	File     string `json:"file"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	Function string `json:"function"`
	Effect   string `json:"effect"`
	Note     string `json:"note"`
}

type jsonWindow struct {
	From        jsonStep `json:"from"`
	To          jsonStep `json:"to"`
	Consequence string   `json:"consequence"`
}

type jsonFinding struct {
	Rule        string     `json:"rule"`
	Analyzer    string     `json:"analyzer"`
	Checklist   []int      `json:"checklist"`
	Tier        check.Tier `json:"tier"`
	Message     string     `json:"message"`
	File        string     `json:"file"`
	Line        int        `json:"line"`
	Column      int        `json:"column"`
	EndLine     int        `json:"endLine"`
	EndColumn   int        `json:"endColumn"`
	Package     string     `json:"package"`
	Function    string     `json:"function"`
	Window      jsonWindow `json:"window"`
	Trace       []jsonStep `json:"trace"`
	Fingerprint string     `json:"fingerprint"`
}

// JSON writes one object: findings, coverage and errors. The same result gives the same bytes.
func JSON(w io.Writer, r Report) error {
	out := jsonReport{Version: r.Version, Findings: []jsonFinding{}, Coverage: coverageJSON(r), Errors: r.errorsJSON()}
	prints := Fingerprints(r.Findings)
	for i, f := range r.Findings {
		out.Findings = append(out.Findings, r.findingJSON(f, prints[i]))
	}
	return encode(w, out)
}

func (r Report) errorsJSON() []jsonError {
	errs := []jsonError{}
	for _, e := range r.problems() {
		errs = append(errs, jsonError{e.Package, e.Message})
	}
	return errs
}

// encode writes one value as it is meant to be read: indented, and with < and > as they are.
func encode(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

func coverageJSON(r Report) jsonCoverage {
	c := r.Result.Coverage
	return jsonCoverage{
		Packages: c.Packages, Functions: c.Functions, Handlers: c.Handlers, Transactions: c.Transactions,
		Reads: c.Reads, Writes: c.Writes, Publishes: c.Publishes, Acks: c.Acks,
		UnknownCalls: c.UnknownCalls, OpaqueSQL: c.OpaqueSQL, GaveUp: len(c.GaveUp),
	}
}

func (r Report) findingJSON(f *check.Finding, fingerprint string) jsonFinding {
	trace := []jsonStep{}
	for _, s := range f.Trace {
		trace = append(trace, r.stepJSON(s))
	}
	return jsonFinding{
		Rule: f.Rule, Analyzer: f.Analyzer, Checklist: append([]int{}, f.Checklist...), Tier: f.Tier, Message: f.Message,
		File: r.Relative(f.File), Line: f.Pos.Line, Column: f.Pos.Col, EndLine: f.Pos.EndLine, EndColumn: f.Pos.EndCol,
		Package: f.Package, Function: f.Function,
		Window: jsonWindow{r.stepJSON(f.Window.From), r.stepJSON(f.Window.To), f.Window.Consequence},
		Trace:  trace, Fingerprint: fingerprint,
	}
}

func (r Report) stepJSON(s check.Step) jsonStep {
	return jsonStep{r.Relative(s.File), s.Line, s.Column, s.Function, s.Effect, s.Note}
}
