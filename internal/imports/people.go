package imports

import (
	"cmp"
	"crypto/sha256"
	"strings"

	"saldo/internal/drivers"
	"saldo/internal/imports/statement"
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

// whose says to whom the rows of a person go.
type whose struct {
	driver    string // empty: nobody's yet
	how       string
	identity  string // of the unmatched driver; empty: there is none
	state     string // of that identity
	unmatched string // the unmatched driver, also if the driver was found otherwise
	surest    statement.Key
	provider  string
	person    statement.Person
	tally     tally
}

// tally is what a file holds of one person.
type tally struct {
	fresh, existing int64 // amounts
	sum             money.Amount
}

// people find the drivers whom files name.
type people struct {
	country   string
	known     map[string]string // provider, kind and value → driver; several: empty
	anywhere  map[string]string // kind and value, of whichever provider
	emails    map[string]string
	phones    map[string]string
	names     map[string]string
	drivers   map[string]drivers.Standing
	unmatched map[string]unmatchedRow // provider, kind and value
	byName    bool
	// preview are the pairs of the preview: at confirming, a name makes no pair that nobody has seen; nil: it is the preview.
	preview map[string]string
	asked   map[[16]byte]*whose
	canon   map[string]*whose // provider and surest key: who spells their name in two ways is one person
}

// unmatchedRow is an unmatched driver as far as matching needs it.
type unmatchedRow struct{ ID, Provider, KeyKind, KeyValue, State, DriverID string }

func loadPeople(tx *db.Tx, country string, nameToo bool) (*people, error) {
	p := &people{country: country, known: map[string]string{}, anywhere: map[string]string{}, emails: map[string]string{},
		phones: map[string]string{}, names: map[string]string{},
		drivers: map[string]drivers.Standing{}, unmatched: map[string]unmatchedRow{}, byName: nameToo, asked: map[[16]byte]*whose{},
		canon: map[string]*whose{}}
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

// plainly is a key as rows are compared by it, in every country.
func plainly(k statement.Key) string {
	value := strings.ToLower(statement.Plain(k.Value))
	switch k.Kind {
	case statement.ByCard:
		return strings.TrimLeft(value, "0")
	case statement.ByPlate:
		return strings.ReplaceAll(value, "-", "")
	}
	return value
}

// spelled is a key as drivers are found by it. Card numbers lose their leading zeros.
func (p *people) spelled(k statement.Key) string {
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
	return plainly(k)
}

// phoneOf is an identifier of our template as a phone number, where it can be one: people write them without a plus too.
func (p *people) phoneOf(k statement.Key) string {
	if k.Kind != statement.ByID || len(k.Value) < 9 || strings.Trim(k.Value, "0123456789 ()-./") != "" {
		return ""
	}
	phone := p.spelled(statement.Key{Kind: statement.ByPhone, Value: k.Value})
	if !strings.HasPrefix(phone, "+") {
		return ""
	}
	return phone
}

func fullName(p statement.Person) string {
	return cmp.Or(strings.TrimSpace(p.FirstName+" "+p.LastName), strings.TrimSpace(p.Name))
}

// of finds whose the rows of a person are. The answer is the same one for the
// same person, so that who asks may write into it.
func (p *people) of(provider string, person statement.Person, anyProvider bool) (*whose, error) {
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
	if same, ok := p.canon[pairKey(provider, w.surest)]; ok {
		w = same
	}
	p.canon[pairKey(provider, w.surest)] = w
	p.asked[key] = w
	return w, nil
}

func (p *people) find(provider string, person statement.Person, anyProvider bool) *whose {
	keys := make([]statement.Key, 0, len(person.Keys)+1)
	for _, k := range person.Keys {
		if value := p.spelled(k); value != "" {
			keys = append(keys, statement.Key{Kind: k.Kind, Value: value})
		}
	}
	if len(keys) == 0 {
		keys = append(keys, statement.Key{Kind: byName, Value: i18n.Fold(fullName(person))})
	}
	w := &whose{surest: keys[0], provider: provider, person: person}
	for _, k := range keys {
		if row, ok := p.unmatched[provider+"\x00"+k.Kind+"\x00"+k.Value]; ok {
			w.identity, w.unmatched, w.state, w.surest = row.ID, row.ID, row.State, k
			if row.State == Assigned {
				w.driver, w.how = row.DriverID, ByIdentity
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
	if w.driver != "" || w.state == Ignored {
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
		if w.driver != "" {
			return w
		}
	}
	if p.byName {
		id := p.names[i18n.Fold(fullName(person))]
		if p.preview == nil || p.preview[pairKey(provider, w.surest)] == id {
			w.take(id, ByName)
		}
	}
	return w
}

// take gives the rows to a driver. What is stored of the unmatched person is then
// of interest only if it was decided so.
func (w *whose) take(driver, how string) {
	if driver == "" {
		return
	}
	if w.state != Assigned || w.driver != driver {
		w.identity, w.state = "", ""
	}
	w.driver, w.how = driver, how
}

func pairKey(provider string, k statement.Key) string {
	return provider + "\x00" + k.Kind + "\x00" + k.Value
}
