package effect

import (
	"go/constant"
	"regexp"
	"strings"

	"golang.org/x/tools/go/ssa"
)

var (
	stateWord   = regexp.MustCompile(`^[A-Za-z][A-Za-z_ -]{2,23}$`)
	setClause   = regexp.MustCompile(`(?is)\bset\b(.*?)(\bwhere\b|\breturning\b|$)`)
	quotedState = regexp.MustCompile(`'([A-Za-z][A-Za-z_ -]{2,23})'`)
)

// statesInText lists the short texts that a statement assigns: names of states, mostly.
func statesInText(text string) []string {
	var out []string
	for _, clause := range setClause.FindAllStringSubmatch(text, -1) {
		for _, m := range quotedState.FindAllStringSubmatch(clause[1], -1) {
			out = append(out, strings.ToLower(m[1]))
		}
	}
	return out
}

// statesGiven lists the short texts among what a call is given, also one by one after a statement's text.
func statesGiven(c *ssa.CallCommon) []string {
	var out []string
	for _, a := range c.Args {
		for _, v := range append(variadic(a), a) {
			if mi, ok := v.(*ssa.MakeInterface); ok {
				v = mi.X
			}
			if k, ok := v.(*ssa.Const); ok && k.Value != nil && k.Value.Kind() == constant.String {
				if t := constant.StringVal(k.Value); stateWord.MatchString(t) {
					out = append(out, strings.ToLower(t))
				}
			}
		}
	}
	return out
}
