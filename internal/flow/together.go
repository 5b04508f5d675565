package flow

import "github.com/dmlint/dmlint/internal/effect"

// Programs tells which packages belong to one program, by who calls whom: what one service of a repository says to its
// broker means nothing to another. Calls of interfaces do not count, since who implements one is told by methods alone.
type Programs struct{ parent map[string]string }

// Programs finds out which packages belong together.
func (p *Program) Programs() *Programs {
	s := &Programs{map[string]string{}}
	for _, g := range p.graphs {
		if g.pkg == nil {
			continue
		}
		join := func(id effect.FuncID) {
			if t := p.byID[id]; t != nil && t.pkg != nil {
				s.parent[s.Of(t.Pkg)] = s.Of(g.Pkg)
			}
		}
		g.each(func(n *effect.Node) { join(n.Callee) })
		for i := range g.Closures {
			join(g.Closures[i].Fn)
		}
	}
	return s
}

// Of names the program that a package belongs to.
func (s *Programs) Of(pkg string) string {
	for {
		up, ok := s.parent[pkg]
		if !ok || up == pkg {
			return pkg
		}
		if further, ok := s.parent[up]; ok { // the way is shorter next time
			s.parent[pkg] = further
		}
		pkg = up
	}
}
