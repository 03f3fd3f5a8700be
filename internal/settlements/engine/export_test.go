package engine

import "saldo/internal/ledger/kinds"

// Positions gives the numbers of the ledger's categories, in its order.
func Positions() (all []int) {
	for _, c := range kinds.Categories() {
		all = append(all, position(c))
	}
	return all
}

// RuleNames are all that an explanation can name.
func RuleNames() []string { return ruleNames[1:] }

// ExplainApp gives the explanation of a figure of one app.
func (s *Settlement) ExplainApp(provider string, f Figure) (Explanation, bool) {
	for _, e := range s.Explanations() {
		if e.Provider == provider && e.Figure == f.String() {
			return e, true
		}
	}
	return Explanation{}, false
}

// DraftLines are all lines that the rules know, also those of nothing.
var DraftLines = draftLines

// What follows plants mistakes in a settlement, for the test of the check.

func (s *Settlement) Parts() int { return len(s.parts) }

// SourcedPart says whether a part names a figure or rows, so that its amount is known twice.
func (s *Settlement) SourcedPart(i int) bool {
	return s.parts[i].kind == ofFigure || s.parts[i].kind == ofApp || s.parts[i].kind == ofRows
}

func (s *Settlement) ChangePart(i int) {
	s.parts = append([]part(nil), s.parts...)
	s.parts[i].amount++
}
func (s *Settlement) ChangeRow(i int)   { s.rows = append([]Row(nil), s.rows...); s.rows[i].Amount++ }
func (s *Settlement) ForgetDay(app int) { s.Apps[app].days &= s.Apps[app].days - 1 }
func (s *Settlement) CountedRow(i int) bool {
	for p := range s.parts {
		if s.parts[p].kind == ofRows && int(s.parts[p].from) <= i && i < int(s.parts[p].to) {
			return true
		}
	}
	return false
}
func (s *Settlement) Rows() int { return len(s.rows) }
