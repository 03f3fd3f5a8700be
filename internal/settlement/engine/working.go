package engine

import "saldo/internal/money"

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

func (c *calc) add(p part) { c.s.parts = append(c.s.parts, p) }

func (c *calc) ofFigure(f Figure, times int32) {
	if amount := c.s.Figures[f]; amount != 0 {
		c.add(part{kind: ofFigure, figure: f, amount: amount, times: times, of: 1})
	}
}

func (c *calc) shareOf(f Figure, first, second rule, times, of int64) {
	// Rates are at most the whole, so that their products fit; one that did not would not add up.
	if amount := c.s.Figures[f]; amount != 0 && times != 0 {
		c.add(part{kind: ofFigure, figure: f, rule: first, rule2: second, amount: amount, times: int32(times), of: int32(of)})
	}
}

func (c *calc) ofRule(r rule, index int, amount money.Amount, times int) {
	if amount != 0 && times != 0 {
		c.add(part{kind: ofRule, rule: r, index: uint8(index), amount: amount, times: int32(times), of: 1})
	}
}

func (c *calc) ofRows(slot uint8, category int, times int32) {
	s := &c.space[slot]
	if n := s.counts[category]; n > 0 {
		from := s.starts[category]
		c.add(part{kind: ofRows, category: uint8(category), app: slot, from: from, to: from + n, amount: s.sums[category], times: times, of: 1})
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

func (c *calc) cap(most money.Amount, r rule) {
	c.line.capped, c.line.most, c.line.mostRule = true, most, r
}

// once takes off what was charged for the period before.
func (c *calc) once(f Figure, all, charged money.Amount) {
	c.line.charged, c.line.floor = charged, true
	c.set(f, max(0, c.sub(all, charged)))
}

// set ends the explanation that was laid down since the last one.
func (c *calc) set(f Figure, value money.Amount) {
	c.s.Figures[f] = value
	c.line.from, c.line.to = int32(c.start), int32(len(c.s.parts))
	c.s.lines[f] = c.line
	c.line, c.start = line{}, len(c.s.parts)
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

func (a *App) line(f Figure) line {
	l := line{from: a.marks[f], to: a.marks[f+1]}
	if f == WorkingDays {
		l.days = a.days
	}
	return l
}
