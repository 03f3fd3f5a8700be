package merge

import (
	"cmp"
	"slices"
	"strings"

	"saldo/internal/drivers"
	"saldo/internal/kernel/fault"
	"saldo/internal/platform/audit"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// ErrNotDismissed is the answer to proposing a pair again that nobody dismissed.
var ErrNotDismissed = fault.Declare(fault.Conflict, "drivers.not_told_apart")

// PairsMax is the most that one page of pairs holds.
const PairsMax = 50

// What two drivers can have in common, and how much it says. One of them is
// enough to be proposed; none is ever enough to be merged by itself.
var evidences = []struct {
	name   string
	weight int64
	of     func(Candidate) string
}{
	{"taxId", 4, func(d Candidate) string { return d.TaxID }},
	{"account", 4, func(d Candidate) string { return d.IBANSum }},
	{"name", 3, func(d Candidate) string { return nameKey(d.FirstName, d.LastName) }},
	{"email", 3, func(d Candidate) string { return strings.ToLower(d.Email) }},
	{"phone", 3, func(d Candidate) string { return d.Phone }},
}

// otherTaxID is what a tax id of their own takes from what two have in common.
const otherTaxID = 2

// sharedMax is how many may share something before it says less: the phone of an
// office is not a person's. Of more than that only neighbours are proposed, or their
// pairs would fill the list.
const sharedMax = 6

// Candidate is a driver as far as another may be the same person.
type Candidate struct {
	drivers.Name
	Email, Phone, IBANSum, TaxID, AccountID string
}

// Pair are two drivers who may be one person.
type Pair struct {
	One, Two Candidate
	Evidence []string // what they have in common, the strongest first
	Against  bool     // both have a tax id, and not the same
	score    int64
}

// PairPage is one page of possible duplicates, the most alike first.
type PairPage struct {
	Pairs []Pair
	Total int64
}

// nameKey is the same for names in either order, case, spelling and accents.
func nameKey(first, last string) string {
	words := strings.FieldsFunc(i18n.Fold(first+" "+last), func(r rune) bool { return r == ' ' || r == '-' })
	slices.Sort(words)
	return strings.Join(words, " ")
}

// Duplicates proposes pairs that may be one person, or lists those that
// somebody dismissed. It changes nothing.
func Duplicates(tx *db.Tx, apart bool, page, size int64) (p PairPage, err error) {
	drivers, err := db.Select[Candidate](tx, `SELECT id, first_name, last_name, email, phone, iban_sum, tax_id, account_id FROM drivers
		WHERE tenant_id = $1 AND merged_into = '' ORDER BY id`)
	if err != nil {
		return p, err
	}
	reported, err := db.Select[struct{ OneID, TwoID string }](tx, `SELECT one_id, two_id FROM dismissed_duplicates WHERE tenant_id = $1`)
	if err != nil {
		return p, err
	}
	dismissed := map[[2]string]bool{}
	for _, t := range reported {
		dismissed[[2]string{t.OneID, t.TwoID}] = true
	}
	found := slices.DeleteFunc(alike(drivers), func(n Pair) bool { return dismissed[[2]string{n.One.ID, n.Two.ID}] != apart })
	slices.SortFunc(found, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.One.LastName, b.One.LastName), cmp.Compare(a.One.ID, b.One.ID),
			cmp.Compare(a.Two.ID, b.Two.ID))
	})
	size = min(max(size, 1), PairsMax)
	from := min((max(page, 1)-1)*size, int64(len(found)))
	p.Total, p.Pairs = int64(len(found)), found[from:min(from+size, int64(len(found)))]
	return p, nil
}

// alike finds the pairs with something in common, among drivers by id. Two who
// both have an account of their own are two people.
func alike(drivers []Candidate) []Pair {
	at := map[[2]int]*Pair{}
	for _, e := range evidences {
		sharing := map[string][]int{}
		for i, d := range drivers {
			if key := e.of(d); key != "" {
				sharing[key] = append(sharing[key], i)
			}
		}
		for _, group := range sharing {
			reach := len(group)
			if reach > sharedMax {
				reach = 2
			}
			for i, one := range group {
				for _, two := range group[i+1 : min(i+reach, len(group))] {
					a, b := drivers[one], drivers[two]
					if a.AccountID != "" && b.AccountID != "" {
						continue
					}
					pair := at[[2]int{one, two}]
					if pair == nil {
						pair = &Pair{One: a, Two: b}
						if a.TaxID != "" && b.TaxID != "" && a.TaxID != b.TaxID {
							pair.Against, pair.score = true, -otherTaxID
						}
						at[[2]int{one, two}] = pair
					}
					pair.Evidence, pair.score = append(pair.Evidence, e.name), pair.score+e.weight
				}
			}
		}
	}
	found := make([]Pair, 0, len(at))
	for _, pair := range at {
		found = append(found, *pair)
	}
	return found
}

// Dismiss remembers that two drivers are two different people, so that they
// are not proposed again.
func Dismiss(tx *db.Tx, one, two string) error {
	a, b, err := bothNamed(tx, one, two)
	if err != nil {
		return err
	}
	n, err := tx.Exec(`INSERT INTO dismissed_duplicates (tenant_id, one_id, two_id, dismissed_at, dismissed_by) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT DO NOTHING`,
		a.ID, b.ID, tx.Now, tx.Actor.Name)
	if err != nil || n == 0 {
		return err
	}
	return recordBoth(tx, audit.Change{Action: "drivers.tell_apart", ID: a.ID, After: map[string]string{"notSameAs": b.FullName()}},
		audit.Change{Action: "drivers.tell_apart", ID: b.ID, After: map[string]string{"notSameAs": a.FullName()}})
}

// ProposeAgain takes back that two drivers are two different people.
func ProposeAgain(tx *db.Tx, one, two string) error {
	a, b, err := bothNamed(tx, one, two)
	if err != nil {
		return err
	}
	n, err := tx.Exec(`DELETE FROM dismissed_duplicates WHERE tenant_id = $1 AND one_id = $2 AND two_id = $3`, a.ID, b.ID)
	if err != nil {
		return err
	}
	if n == 0 {
		return ErrNotDismissed
	}
	return recordBoth(tx, audit.Change{Action: "drivers.propose_again", ID: a.ID, Before: map[string]string{"notSameAs": b.FullName()}},
		audit.Change{Action: "drivers.propose_again", ID: b.ID, Before: map[string]string{"notSameAs": a.FullName()}})
}

// bothNamed finds two standing drivers, the smaller id first.
func bothNamed(tx *db.Tx, one, two string) (a, b drivers.Name, err error) {
	if one == two {
		return a, b, ErrSelf
	}
	for _, id := range []string{one, two} {
		if err := drivers.Exists(tx, id); err != nil {
			return a, b, err
		}
	}
	if a, err = drivers.Named(tx, min(one, two)); err != nil {
		return a, b, err
	}
	b, err = drivers.Named(tx, max(one, two))
	return a, b, err
}
