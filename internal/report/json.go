// Package report writes findings for people and machines: one file for each format.
package report

import (
	"encoding/json"
	"io"
	"path/filepath"

	"github.com/dmlint/dmlint/internal/check"
	"github.com/dmlint/dmlint/internal/driver"
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

// JSON writes one object: findings, coverage and errors.
func JSON(w io.Writer, res *driver.Result, version, dir string) error {
	out := jsonReport{Version: version, Findings: []jsonFinding{}, Errors: []jsonError{}}
	for _, f := range res.Findings {
		out.Findings = append(out.Findings, toJSON(f, dir))
	}
	for _, e := range res.Errors {
		out.Errors = append(out.Errors, jsonError{e.Package, e.Message})
	}
	for _, name := range res.Coverage.GaveUp {
		out.Errors = append(out.Errors, jsonError{name, "given up: too many states"})
	}
	c := res.Coverage
	out.Coverage = jsonCoverage{c.Packages, c.Functions, c.Handlers, c.Transactions, c.Reads, c.Writes, c.Publishes, c.Acks, c.UnknownCalls, c.OpaqueSQL, len(c.GaveUp)}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

func toJSON(f *check.Finding, dir string) jsonFinding {
	step := func(s check.Step) jsonStep {
		return jsonStep{relative(dir, s.File), s.Line, s.Column, s.Function, s.Effect, s.Note}
	}
	trace := []jsonStep{}
	for _, s := range f.Trace {
		trace = append(trace, step(s))
	}
	return jsonFinding{Rule: f.Rule, Analyzer: f.Analyzer, Checklist: f.Checklist, Tier: f.Tier, Message: f.Message,
		File: relative(dir, f.File), Line: f.Pos.Line, Column: f.Pos.Col, EndLine: f.Pos.EndLine, EndColumn: f.Pos.EndCol,
		Package: f.Package, Function: f.Function,
		Window: jsonWindow{step(f.Window.From), step(f.Window.To), f.Window.Consequence}, Trace: trace}
}

// relative writes a path from the working directory, with slashes.
func relative(dir, file string) string {
	if rel, err := filepath.Rel(dir, file); err == nil && filepath.IsLocal(rel) {
		file = rel
	}
	return filepath.ToSlash(file)
}
