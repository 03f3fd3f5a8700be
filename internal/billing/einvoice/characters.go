package einvoice

import (
	"strings"
	"unicode/utf8"
)

// accepted is the invoice without the characters that KSeF refuses a file for, which nobody sees in a text. What is empty without
// them is refused like any empty text.
func (i Invoice) accepted() Invoice {
	i.Number, i.Exempt, i.Reason = accepted(i.Number), accepted(i.Exempt), accepted(i.Reason)
	i.Seller, i.Buyer = i.Seller.accepted(), i.Buyer.accepted()
	i.Lines = acceptedLines(i.Lines)
	if i.Corrects != nil {
		c := *i.Corrects
		c.Number, c.Left = accepted(c.Number), acceptedLines(c.Left)
		i.Corrects = &c
	}
	return i
}

func (p Party) accepted() Party {
	p.Name, p.Street, p.Place = accepted(p.Name), accepted(p.Street), accepted(p.Place)
	return p
}

func acceptedLines(lines []Line) []Line {
	clean := make([]Line, len(lines))
	for n, line := range lines {
		line.Text = accepted(line.Text)
		clean[n] = line
	}
	return clean
}

func accepted(text string) string {
	return strings.Map(func(r rune) rune {
		if refused(r) {
			return -1
		}
		return r
	}, text)
}

// refused says whether XML 1.0 has no such character, or discourages it, which KSeF refuses since 2026-07-16; and what stands for bytes
// that are no text.
func refused(r rune) bool {
	switch {
	case r == '\t' || r == '\n' || r == '\r' || r == 0x85:
		return false
	case r == utf8.RuneError, r >= 0xFDD0 && r <= 0xFDEF, r&0xFFFE == 0xFFFE: // the last two of each plane
		return true
	}
	return r < ' ' || r >= 0x7F && r <= 0x9F
}
