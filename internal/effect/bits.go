package effect

// Bits is a small set of numbers.
type Bits []uint64

// Has reports whether n is in the set.
func (b Bits) Has(n int) bool { return n>>6 < len(b) && b[n>>6]&(1<<(n&63)) != 0 }

// Set adds n and reports whether it was new.
func (b *Bits) Set(n int) bool {
	for n>>6 >= len(*b) {
		*b = append(*b, 0)
	}
	word, bit := &(*b)[n>>6], uint64(1)<<(n&63)
	if *word&bit != 0 {
		return false
	}
	*word |= bit
	return true
}

// Or adds all of o and reports whether anything was new.
func (b *Bits) Or(o Bits) bool {
	changed := false
	for len(*b) < len(o) {
		*b = append(*b, 0)
	}
	for i, w := range o {
		if (*b)[i]|w != (*b)[i] {
			(*b)[i] |= w
			changed = true
		}
	}
	return changed
}
