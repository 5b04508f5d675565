package check

import (
	"fmt"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/dmlint/dmlint/internal/effect"
	"github.com/dmlint/dmlint/internal/flow"
	"github.com/dmlint/dmlint/internal/schema"
)

// flowAnalyzer prepares a package and what is known of the packages below it for rules, once for all checks.
var flowAnalyzer = &analysis.Analyzer{
	Name:       "dmlintflow",
	Doc:        "prepare effect graphs for dmlint's rules",
	URL:        effect.Analyzer.URL,
	Requires:   []*analysis.Analyzer{effect.Analyzer},
	Run:        prepare,
	ResultType: reflect.TypeFor[*prepared](),
	FactTypes:  []analysis.Fact{(*Outboxes)(nil)},
}

// prepared is a program that checks run on, one after the other: running a rule fills the program's tables.
type prepared struct {
	mu      sync.Mutex
	path    string
	program *flow.Program // nil where there is nothing to look for
}

func prepare(pass *analysis.Pass) (any, error) {
	p := &prepared{path: pass.Pkg.Path()}
	res := pass.ResultOf[effect.Analyzer].(*effect.Result)
	if res.Package != nil && len(res.Package.Graphs) > 0 && !foreign(pass) {
		p.program = prepareProgram(res, directory(pass))
	}
	shareOutboxes(pass, p.program)
	return p, nil
}

func prepareProgram(res *effect.Result, dir string) *flow.Program {
	defer contain(res.Package.Path)
	opts := flow.DefaultOptions()
	opts.Schema = func() *schema.Schema { return schema.Around(dir) }
	return flow.Prepare(res.Program, opts)
}

// directory returns where the package's files are.
func directory(pass *analysis.Pass) string {
	if len(pass.Files) == 0 {
		return ""
	}
	return filepath.Dir(pass.Fset.File(pass.Files[0].FileStart).Name())
}

// foreign reports whether a package belongs to a dependency: it is only looked at for what it does to those who call it.
func foreign(pass *analysis.Pass) bool { return pass.Module != nil && pass.Module.Version != "" }

// contain keeps a defect of dmlint's own from failing the build that runs it.
func contain(path string) {
	if p := recover(); p != nil {
		fmt.Fprintf(os.Stderr, "dmlint: warning: internal error while checking %s: %v; please report it\n", path, p)
		if os.Getenv("DMLINT_DEBUG") != "" {
			os.Stderr.Write(debug.Stack())
		}
	}
}

const rulePages = "https://github.com/dmlint/dmlint/blob/main/docs/rules/"

// NewAnalyzer makes a go/analysis analyzer of a check, for go vet, golangci-lint and Bazel. It sees one package and the
// effect graphs of those below it, and so finds a subset of what the command finds.
func NewAnalyzer(c *Check) *analysis.Analyzer {
	a := &analysis.Analyzer{
		Name:     c.Name,
		Doc:      doc(c),
		URL:      rulePages + c.Name + ".md",
		Requires: []*analysis.Analyzer{flowAnalyzer},
	}
	r := &reporter{check: c, tier: Error}
	a.Flags.Var(&r.tier, "tier", "`tier` of the findings that are reported: error, or advice for the less certain ones as well")
	a.Flags.BoolVar(&r.noRelated, "no-related", false, "report findings without their related places, for tools that count each as a finding")
	a.Run = r.run
	return a
}

// doc is what `go tool vet help` shows.
func doc(c *Check) string {
	text := c.Doc
	if text == "" {
		text = "find " + c.Name + " flaws in the delivery of events"
	}
	var out strings.Builder
	out.WriteString(text + "\n")
	for _, r := range c.Rules {
		fmt.Fprintf(&out, "\n%s (%s): %s", r.ID, r.Tier, r.Summary)
	}
	return out.String()
}

// reporter runs a check on packages and reports what it finds.
type reporter struct {
	check     *Check
	tier      Tier
	noRelated bool
}

// String implements flag.Value.
func (t *Tier) String() string { return string(*t) }

// Set implements flag.Value.
func (t *Tier) Set(s string) error {
	if s != string(Error) && s != string(Advice) {
		return fmt.Errorf("want %s or %s", Error, Advice)
	}
	*t = Tier(s)
	return nil
}

func (r *reporter) run(pass *analysis.Pass) (any, error) {
	p := pass.ResultOf[flowAnalyzer].(*prepared)
	if p.program == nil {
		return nil, nil
	}
	findings := r.findings(p)
	places := newPlaces(pass)
	for _, f := range findings {
		if d, ok := r.diagnostic(f, places); ok {
			pass.Report(d)
		}
	}
	return nil, nil
}

// findings judges what the check's rules find in the package itself. The packages below were analysed in their turn.
func (r *reporter) findings(p *prepared) []*Finding {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer contain(p.path)
	var hits []*flow.Hit
	for _, rule := range r.check.Automata {
		found, _ := p.program.Run(rule)
		hits = append(hits, found...)
	}
	hits = slices.DeleteFunc(hits, func(h *flow.Hit) bool { return h.Graph.Pkg != p.path })
	findings := slices.DeleteFunc(r.check.Judge(p.program, hits), func(f *Finding) bool {
		return f.Package != p.path || f.Tier != Error && r.tier == Error
	})
	Sort(findings)
	return findings
}

// diagnostic writes a finding as go/analysis wants it; false means that its place is in no file of the package.
func (r *reporter) diagnostic(f *Finding, at *places) (analysis.Diagnostic, bool) {
	pos := at.pos(f.File, f.Pos.Line, f.Pos.Col)
	if !pos.IsValid() {
		return analysis.Diagnostic{}, false
	}
	_, rule, _ := strings.Cut(f.Rule, "/")
	d := analysis.Diagnostic{Pos: pos, Category: f.Rule, Message: f.Message + " " + reference(f), URL: rulePages + f.Analyzer + ".md#" + rule}
	if end := at.pos(f.File, f.Pos.EndLine, f.Pos.EndCol); end > pos {
		d.End = end
	}
	if !r.noRelated {
		d.Related = at.related(f)
	}
	return d, true
}

// reference names a finding's rule and the items of the checklist: "(dualwrite/no-tx, checklist 1)".
func reference(f *Finding) string {
	if len(f.Checklist) == 0 {
		return "(" + f.Rule + ")"
	}
	items := strings.Trim(strings.ReplaceAll(fmt.Sprint(f.Checklist), " ", ", "), "[]")
	return "(" + f.Rule + ", checklist " + items + ")"
}

// places turns the places of findings back into positions.
type places struct {
	fset  *token.FileSet
	files []*token.File
}

func newPlaces(pass *analysis.Pass) *places {
	p := &places{fset: pass.Fset}
	for _, f := range pass.Files {
		p.files = append(p.files, pass.Fset.File(f.FileStart))
	}
	return p
}

// pos finds a place. Places are those of the source that was written, which //line comments name, so that lines have to
// be compared one by one.
func (p *places) pos(file string, line, col int) token.Pos {
	if line == 0 {
		return token.NoPos
	}
	for _, f := range p.files {
		for n := 1; n <= f.LineCount(); n++ {
			start := f.LineStart(n)
			if at := p.fset.Position(start); at.Line != line || at.Filename != file {
				continue
			}
			last := f.Base() + f.Size()
			if n < f.LineCount() {
				last = int(f.LineStart(n+1)) - 1
			}
			return min(start+token.Pos(col-1), token.Pos(last))
		}
	}
	return token.NoPos
}

// related lists the steps of a finding that stand in the package.
func (p *places) related(f *Finding) []analysis.RelatedInformation {
	var out []analysis.RelatedInformation
	for _, s := range slices.Concat(f.Trace, f.Related) {
		pos := p.pos(s.File, s.Line, s.Column)
		message := strings.TrimSpace(s.Effect + " " + s.Note)
		if !pos.IsValid() || s.File == f.File && s.Line == f.Pos.Line {
			continue
		}
		if info := (analysis.RelatedInformation{Pos: pos, Message: message}); !slices.Contains(out, info) {
			out = append(out, info)
		}
	}
	return out
}
