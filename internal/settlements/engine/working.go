package engine

import "saldo/internal/kernel/money"

// The arithmetic remembers that an amount was too large, so that formulas read as in the text.

func (c *calc) keep(a money.Amount, err error) money.Amount {
	if err != nil {
		c.tooLarge = true
	}
	return a
}

func (c *calc) sum(amounts ...money.Amount) money.Amount        { return c.keep(money.Sum(amounts...)) }
func (c *calc) sub(a, b money.Amount) money.Amount              { return c.keep(a.Sub(b)) }
func (c *calc) round(e *money.Exact) money.Amount               { return c.keep(e.Round()) }
func (c *calc) share(a money.Amount, r money.Rate) money.Amount { return c.keep(money.Share(a, r)) }

func (c *calc) times(a money.Amount, n int) money.Amount {
	var exact money.Exact
	exact.Add(a, int64(n), 1)
	return c.round(&exact)
}

// The rest lays down explanations. Numbers that are zero are left out of them, rows never.

// add makes room for a part. Its fields are written in place: copying one that was just written is what costs.
func (c *calc) add() *part {
	n := len(c.s.parts)
	if n == cap(c.s.parts) {
		c.s.parts = append(c.s.parts, part{})
	} else {
		c.s.parts = c.s.parts[:n+1]
	}
	return &c.s.parts[n]
}

func (c *calc) ofFigure(f Figure, times int32) {
	if amount := c.s.Figures[f]; amount != 0 {
		p := c.add()
		p.kind, p.figure, p.amount, p.times, p.of = ofFigure, f, amount, times, 1
	}
}

func (c *calc) shareOf(f Figure, first, second rule, times, of int64) {
	// Rates are at most the whole, so that their products fit; one that did not would not add up.
	if amount := c.s.Figures[f]; amount != 0 && times != 0 {
		p := c.add()
		p.kind, p.figure, p.amount, p.times, p.of = ofFigure, f, amount, int32(times), int32(of)
		p.rule, p.rule2 = first, second
	}
}

func (c *calc) ofRule(r rule, index int, amount money.Amount, times int) {
	if amount != 0 && times != 0 {
		p := c.add()
		p.kind, p.rule, p.index, p.amount, p.times, p.of = ofRule, r, uint8(index), amount, int32(times), 1
	}
}

func (c *calc) ofRows(slot uint8, category int, times int32) {
	s := &c.space[slot]
	if n := s.counts[category]; n > 0 {
		p := c.add()
		p.kind, p.app, p.category, p.amount, p.times, p.of = ofRows, slot, uint8(category), s.sums[category], times, 1
		p.from, p.to = s.starts[category], s.starts[category]+n
	}
}

// category gives the sum of a category over all providers and explains it by the rows of each.
func (c *calc) category(category int, times int32) (total money.Amount) {
	for _, i := range c.order() {
		total = c.sum(total, c.space[i].sums[category])
		c.ofRows(i, category, times)
	}
	return total
}

// What a figure's explanation has besides its parts.

func (c *calc) cap(f Figure, maximum money.Amount, r rule) {
	l := &c.s.derivations[f]
	l.capped, l.maximum, l.mostRule = true, maximum, r
}

func (c *calc) because(f Figure, why reasonCode) { c.s.derivations[f].why = why }

func (c *calc) notBelowZero(f Figure) { c.s.derivations[f].floor = true }

// once takes off what was charged for the period before.
func (c *calc) once(f Figure, all, charged money.Amount) {
	c.s.derivations[f].charged = charged
	c.notBelowZero(f)
	c.set(f, max(0, c.sub(all, charged)))
}

// set ends the explanation that was laid down since the last one.
func (c *calc) set(f Figure, value money.Amount) {
	c.s.Figures[f] = value
	l := &c.s.derivations[f]
	l.from, l.to = int32(c.start), int32(len(c.s.parts))
	c.start = len(c.s.parts)
}

func (a *App) of(f Figure) money.Amount {
	switch f {
	case Income:
		return a.Income
	case Bonus:
		return a.Bonus
	case Tips:
		return a.Tips
	case CashCollected:
		return a.CashCollected
	case Fee:
		return a.Fees
	}
	return money.Amount(a.WorkingDays)
}

func (a *App) derivation(f Figure) derivation {
	l := derivation{from: a.marks[f], to: a.marks[f+1]}
	if f == WorkingDays {
		l.days = a.days
	}
	return l
}
