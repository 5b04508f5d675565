package effect

// liveness finds, for each block, the variables whose outcome somebody still looks at: what nobody asks for is
// forgotten, so that states meet again after an error has been dealt with.
func (b *funcBuilder) liveness() {
	always := b.captured()
	use := make([]Bits, len(b.g.Blocks))
	def := make([]Bits, len(b.g.Blocks))
	for i := range b.g.Blocks {
		use[i], def[i] = b.usesOf(&b.g.Blocks[i])
		b.g.Blocks[i].Live.Or(always)
	}
	for changed := true; changed; {
		changed = false
		for i := len(b.g.Blocks) - 1; i >= 0; i-- {
			if b.liveIn(i, use[i], def[i]) {
				changed = true
			}
		}
	}
}

// captured are the variables that closures read: they may be called anywhere.
func (b *funcBuilder) captured() Bits {
	var bits Bits
	for _, site := range b.g.Closures {
		for _, v := range site.CellEnv {
			if v != 0 {
				bits.Set(int(v))
			}
		}
	}
	for _, f := range b.g.FreeVars {
		if f.Var != 0 {
			bits.Set(int(f.Var))
		}
	}
	return bits
}

func (b *funcBuilder) liveIn(i int, use, def Bits) bool {
	block := &b.g.Blocks[i]
	var out Bits
	for _, e := range block.Succs {
		var in Bits
		in.Or(b.g.Blocks[e.To].Live)
		for _, m := range e.Moves {
			in = clear(in, int(m.To))
		}
		for _, m := range e.Moves {
			useOperand(&in, m.From)
			useOperand(&in, m.Or)
		}
		out.Or(in)
	}
	for w := range out {
		if w < len(def) {
			out[w] &^= def[w]
		}
	}
	out.Or(use)
	return block.Live.Or(out)
}

func clear(b Bits, n int) Bits {
	if n>>6 < len(b) {
		b[n>>6] &^= 1 << (n & 63)
	}
	return b
}

func useOperand(bits *Bits, o Operand) {
	if o.Var != 0 {
		bits.Set(int(o.Var))
	}
}

// usesOf lists the variables that a block reads before it assigns them, and those that it assigns.
func (b *funcBuilder) usesOf(block *Block) (use, def Bits) {
	read := func(o Operand) {
		if o.Var != 0 && !def.Has(int(o.Var)) {
			use.Set(int(o.Var))
		}
	}
	for i := range block.Nodes {
		n := &block.Nodes[i]
		for _, o := range n.ArgFacts {
			read(o)
		}
		for _, m := range n.Moves {
			read(m.From)
			read(m.Or)
		}
		for _, m := range n.Moves {
			def.Set(int(m.To))
		}
		for _, v := range n.Out {
			if v != 0 {
				def.Set(int(v))
			}
		}
	}
	for _, t := range block.Cond.Tests {
		read(Operand{Var: t.Var})
	}
	for _, o := range block.Return {
		read(o)
	}
	return use, def
}
