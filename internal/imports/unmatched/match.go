// Package unmatched finds the drivers whom files name, and keeps the people whom it does not find until a person decides about
// them: unmatched drivers.
package unmatched

import (
	"crypto/sha256"
	"maps"
	"slices"
	"strings"

	"saldo/internal/drivers"
	"saldo/internal/imports/statement"
	"saldo/internal/kernel/fault"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
	"saldo/internal/platform/db"
	"saldo/internal/platform/i18n"
)

// byName is the kind of key of somebody of whom a file says nothing else. It
// finds only what a person decided about exactly that name.
const byName = "name"

// What a person of a file was recognised by.
const (
	ByIdentity = "identity" // remembered of the driver, or decided by a person
	ByEmail    = "email"
	ByPhone    = "phone"
	ByName     = "name"
)

// PeopleMax is how many people a file may name.
const PeopleMax = 100_000

// ErrTooManyPeople is the answer to a file that names more than PeopleMax.
var ErrTooManyPeople = fault.Declare(fault.Invalid, "imports.too_many_people")

// Match says to whom the rows of a person go.
type Match struct {
	Driver   string // empty: nobody's yet
	How      string
	Identity string // of the unmatched driver; empty: there is none
	State    string // of that identity
	Stored   string // the unmatched driver, also if the driver was found otherwise
	Surest   statement.Key
	Provider string
	Person   statement.Person

	// What a file holds of them, for whoever counts: amounts that no other import has brought, and that one has.
	Fresh, Existing int64
	Sum             money.Amount // of the fresh ones
}

// added is the state, in memory only, of an identity that this unit of work stores.
const added = "new"

// Store gives somebody who matches nobody an identity, which Add writes.
func (m *Match) Store(id string) { m.Identity, m.State = id, added }

// Unknown says whether no file named them before this one and they match no driver.
func (m *Match) Unknown() bool { return m.Driver == "" && (m.Identity == "" || m.State == added) }

// Names are what stored rows of a person are found by: as the driver's, and as those of an unmatched driver. Nil is the fleet.
func (m *Match) Names() []string {
	if m == nil {
		return []string{NameOf("", "")}
	}
	found := []string{}
	if m.Driver != "" {
		found = append(found, NameOf(m.Driver, ""))
	}
	if m.Identity != "" && m.State != added {
		found = append(found, NameOf("", m.Identity))
	}
	if m.Stored != "" && m.Stored != m.Identity {
		found = append(found, NameOf("", m.Stored))
	}
	return found
}

// NameOf is what a stored row is found by: its driver, else its unmatched driver, else the fleet.
func NameOf(driver, identity string) string {
	switch {
	case driver != "":
		return "d" + driver
	case identity != "":
		return "i" + identity
	}
	return "fleet"
}

// Matcher finds the drivers whom files name.
type Matcher struct {
	country   string
	known     map[string]string // provider, kind and value → driver; several: empty
	anywhere  map[string]string // kind and value, of whichever provider
	emails    map[string]string
	phones    map[string]string
	names     map[string]string
	words     map[string]string // nameKey → driver
	drivers   map[string]drivers.Standing
	unmatched map[string]unmatchedRow // provider, kind and value
	byName    bool
	pairs     map[string]string // see Only; nil: every name that one driver has makes a pair
	asked     map[[16]byte]*Match
	canon     map[string]*Match // provider and surest key: who spells their name in two ways is one person
}

// unmatchedRow is an unmatched driver as far as matching needs it.
type unmatchedRow struct{ ID, Provider, KeyKind, KeyValue, State, DriverID string }

// LoadMatcher reads whom files can name. byName lets a name that one driver has decide where nothing else does.
func LoadMatcher(tx *db.Tx, country string, byName bool) (*Matcher, error) {
	p := &Matcher{country: country, known: map[string]string{}, anywhere: map[string]string{}, emails: map[string]string{},
		phones: map[string]string{}, names: map[string]string{}, words: map[string]string{},
		drivers: map[string]drivers.Standing{}, unmatched: map[string]unmatchedRow{}, byName: byName, asked: map[[16]byte]*Match{},
		canon: map[string]*Match{}}
	standing, err := drivers.ListStanding(tx)
	if err != nil {
		return nil, err
	}
	for _, d := range standing {
		p.drivers[d.ID] = d
		only(p.emails, strings.ToLower(d.Email), d.ID)
		only(p.phones, d.Phone, d.ID)
		only(p.names, i18n.Fold(d.FirstName+" "+d.LastName), d.ID)
		only(p.names, i18n.Fold(d.LastName+" "+d.FirstName), d.ID)
		only(p.words, nameKey(d.FirstName+" "+d.LastName), d.ID)
	}
	known, err := drivers.KnownIdentities(tx)
	if err != nil {
		return nil, err
	}
	for _, k := range known {
		for _, kind := range []string{statement.ByID, statement.ByCard, statement.ByEmail, statement.ByPhone, statement.ByPlate} {
			value := kind + "\x00" + p.spelled(statement.Key{Kind: kind, Value: k.Value})
			only(p.known, k.Provider+"\x00"+value, k.DriverID)
			only(p.anywhere, value, k.DriverID)
		}
	}
	// who was merged into another driver since is meant as that one
	rows, err := db.Select[unmatchedRow](tx, `SELECT i.id, i.provider, i.key_kind, i.key_value, i.state,
		COALESCE(`+drivers.CanonicalID("d")+`, '') AS driver_id
		FROM unmatched_drivers i LEFT JOIN drivers d ON d.tenant_id = i.tenant_id AND d.id = i.driver_id WHERE i.tenant_id = $1`)
	for _, r := range rows {
		p.unmatched[r.Provider+"\x00"+r.KeyKind+"\x00"+r.KeyValue] = r
	}
	return p, err
}

// only keeps what is one driver's alone.
func only(found map[string]string, value, driver string) {
	if value == "" || strings.HasSuffix(value, "\x00") {
		return
	}
	if other, taken := found[value]; taken && other != driver {
		driver = ""
	}
	found[value] = driver
}

// spelled is a key as drivers are found by it.
func (p *Matcher) spelled(k statement.Key) string {
	switch k.Kind {
	case statement.ByEmail:
		if email, err := official.ParseEmail(k.Value); err == nil {
			return string(email)
		}
	case statement.ByPhone:
		if phone, err := official.ParsePhone(k.Value, p.country); err == nil {
			return string(phone)
		}
		// providers leave the + away
		if phone, err := official.ParsePhone("+"+statement.Plain(k.Value), p.country); err == nil {
			return string(phone)
		}
	}
	return k.Compared()
}

// phoneOf is an identifier of our template as a phone number, where it can be one: people write them without a plus too.
func (p *Matcher) phoneOf(k statement.Key) string {
	if k.Kind != statement.ByID || len(k.Value) < 9 || strings.Trim(k.Value, "0123456789 ()-./") != "" {
		return ""
	}
	phone := p.spelled(statement.Key{Kind: statement.ByPhone, Value: k.Value})
	if !strings.HasPrefix(phone, "+") {
		return ""
	}
	return phone
}

// Of finds whose the rows of a person are. The answer is the same one for the
// same person, so that who asks may write into it.
func (p *Matcher) Of(provider string, person statement.Person, anyProvider bool) (*Match, error) {
	text := provider
	for _, k := range person.Keys {
		text += "\x00" + k.Kind + "\x00" + k.Value
	}
	sum := sha256.Sum256([]byte(text + "\x00\x00" + person.FirstName + "\x00" + person.LastName + "\x00" + person.Name))
	key := [16]byte(sum[:16])
	if w, ok := p.asked[key]; ok {
		return w, nil
	}
	if len(p.asked) == PeopleMax {
		return nil, ErrTooManyPeople.With("max", PeopleMax)
	}
	w := p.find(provider, person, anyProvider)
	if same, ok := p.canon[PairKey(provider, w.Surest)]; ok {
		w = same
	}
	p.canon[PairKey(provider, w.Surest)] = w
	p.asked[key] = w
	return w, nil
}

// Only lets names make no other pairs than these, by PairKey: when a file is booked, those that a person has seen.
func (p *Matcher) Only(pairs map[string]string) { p.pairs = pairs }

// DriverName is what a driver is called.
func (p *Matcher) DriverName(id string) string {
	d := p.drivers[id]
	return d.FirstName + " " + d.LastName
}

// All are the people who were asked for, in a fixed order. A name that two of them share makes a pair of neither.
func (p *Matcher) All() []*Match {
	claimed := map[string]int{}
	for _, m := range p.canon {
		if m.How == ByName {
			claimed[m.Provider+"\x00"+m.Driver]++
		}
	}
	all := make([]*Match, 0, len(p.canon))
	for _, key := range slices.Sorted(maps.Keys(p.canon)) {
		m := p.canon[key]
		if m.How == ByName && claimed[m.Provider+"\x00"+m.Driver] > 1 {
			m.Driver, m.How = "", ""
		}
		all = append(all, m)
	}
	return all
}

func (p *Matcher) find(provider string, person statement.Person, anyProvider bool) *Match {
	keys := make([]statement.Key, 0, len(person.Keys)+1)
	for _, k := range person.Keys {
		if value := p.spelled(k); value != "" {
			keys = append(keys, statement.Key{Kind: k.Kind, Value: value})
		}
	}
	if len(keys) == 0 {
		keys = append(keys, statement.Key{Kind: byName, Value: i18n.Fold(person.FullName())})
	}
	w := &Match{Surest: keys[0], Provider: provider, Person: person}
	for _, k := range keys {
		if row, ok := p.unmatched[provider+"\x00"+k.Kind+"\x00"+k.Value]; ok {
			w.Identity, w.Stored, w.State, w.Surest = row.ID, row.ID, row.State, k
			if row.State == Assigned {
				w.Driver, w.How = row.DriverID, ByIdentity
			}
			break
		}
	}
	for _, k := range keys {
		id := p.known[provider+"\x00"+k.Kind+"\x00"+k.Value]
		if id == "" && anyProvider {
			id = p.anywhere[k.Kind+"\x00"+k.Value]
		}
		if phone := p.phoneOf(k); id == "" && anyProvider && phone != "" {
			id = p.anywhere[statement.ByPhone+"\x00"+phone]
		}
		if id != "" {
			w.take(id, ByIdentity)
			return w
		}
	}
	if w.Driver != "" || w.State == Ignored {
		return w
	}
	for _, k := range keys {
		switch k.Kind {
		case statement.ByEmail:
			w.take(p.emails[k.Value], ByEmail)
		case statement.ByPhone:
			w.take(p.phones[k.Value], ByPhone)
		case statement.ByID:
			if phone := p.phoneOf(k); anyProvider && phone != "" {
				w.take(p.phones[phone], ByPhone)
			}
		}
		if w.Driver != "" {
			return w
		}
	}
	if p.byName {
		id := p.names[i18n.Fold(person.FullName())]
		if p.pairs == nil || p.pairs[PairKey(provider, w.Surest)] == id {
			w.take(id, ByName)
		}
	}
	return w
}

// take gives the rows to a driver. What is stored of the unmatched person is then
// of interest only if it was decided so.
func (w *Match) take(driver, how string) {
	if driver == "" {
		return
	}
	if w.State != Assigned || w.Driver != driver {
		w.Identity, w.State = "", ""
	}
	w.Driver, w.How = driver, how
}

// PairKey is what somebody of a file is told from others by.
func PairKey(provider string, k statement.Key) string {
	return provider + "\x00" + k.Kind + "\x00" + k.Value
}
