package effect

import "sync"

// remembered keeps the answers to a question about names: there are few of them, and each is asked about very often.
func remembered(ask func(name string) bool) func(name string) bool {
	var known sync.Map
	return func(name string) bool {
		if answer, ok := known.Load(name); ok {
			return answer.(bool)
		}
		answer := ask(name)
		known.Store(name, answer)
		return answer
	}
}
