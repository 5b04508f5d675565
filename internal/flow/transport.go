package flow

// findTransports will keep, of an interface with a broker behind one implementation and a table behind another, only
// what the broker does.
func (p *Program) findTransports() {}
