package unmatched

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"saldo/internal/imports/statement"
	"saldo/internal/kernel/money"
	"saldo/internal/kernel/official"
	"saldo/internal/platform/db"
)

// Person is somebody whom files name and who matches no driver yet: one, of however many files and providers.
type Person struct {
	Identities []Identity // the newest first
	Name
	Email, Phone    string
	Rows            int64
	Sum             money.Amount
	FirstOn, LastOn string // days of the rows
	Suggested       *Suggestion
}

// ID is what a person is paged by: the newest of the identities.
func (p Person) ID() string { return p.Identities[0].ID }

// Creatable says whether a driver can be made of what files say, and nobody who is there looks like them.
func (p Person) Creatable() bool { return p.First != "" && p.Last != "" && p.Suggested == nil }

// Suggestion is the driver whom somebody probably is, and by what they look alike.
type Suggestion struct {
	DriverID string
	Driver   Name
	By       []string // of ByIdentity, ByEmail, ByPhone, ByName; the surest first
	// Certain: something that only one driver has is the same, nothing speaks for another driver, and the names do not differ.
	Certain bool
}

// People is a page of those who wait for a decision, newest first.
type People struct {
	People  []Person
	Next    string
	All     int64 // of all pages
	New     int64 // of them: whom a driver can be made of
	Certain int64 // of them: who certainly are a driver who is there
}

// waitingIdentities are those that wait, as far as people are told by them, the newest first.
func waitingIdentities(tx *db.Tx) ([]Identity, error) {
	return db.Select[Identity](tx, `SELECT id, provider, keys, first_name, last_name, name, state FROM unmatched_drivers
		WHERE tenant_id = $1 AND state = 'waiting' ORDER BY id DESC`)
}

// Count is how many people wait for a decision. The country is whose phone numbers are written without a prefix.
func Count(tx *db.Tx, country string) (int64, error) {
	waiting, err := waitingIdentities(tx)
	return int64(len((&Matcher{country: country}).together(waiting))), err
}

// PeopleOf lists the people who wait for a decision. Files and providers are put together as one person by what they share: a phone
// number, an e-mail address or a name.
func (d Service) PeopleOf(tx *db.Tx, after string, limit int) (page People, err error) {
	waiting, err := waitingIdentities(tx)
	if err != nil || len(waiting) == 0 {
		return page, err
	}
	matcher, err := LoadMatcher(tx, d.Drivers.Country, true)
	if err != nil {
		return page, err
	}
	orders := familyFirst(waiting)
	for _, identities := range matcher.together(waiting) {
		p := matcher.person(identities, orders)
		page.All++
		switch {
		case p.Creatable():
			page.New++
		case p.Suggested != nil && p.Suggested.Certain:
			page.Certain++
		}
		switch {
		case after != "" && p.ID() >= after:
		case len(page.People) < limit:
			page.People = append(page.People, p)
		case page.Next == "":
			page.Next = page.People[limit-1].ID()
		}
	}
	return page, addRows(tx, page.People)
}

// person is what is known of identities that are one person.
func (p *Matcher) person(identities []Identity, familyFirst map[string]bool) Person {
	one := Person{Identities: identities}
	best := -1
	for _, i := range identities {
		n := i.named(familyFirst)
		// the longest says most, and a file that says which part is which knows better than one that does not
		known := len(n.First) + len(n.Last)
		if i.FirstName != "" && i.LastName != "" {
			known += 1000
		}
		if known > best {
			one.Name, best = n, known
		}
		email, phone := i.contact(p.country)
		one.Email, one.Phone = cmp.Or(one.Email, email), cmp.Or(one.Phone, phone)
	}
	one.Suggested = p.suggest(one)
	return one
}

func (i Identity) named(familyFirst map[string]bool) Name {
	return nameOf(statement.Person{FirstName: i.FirstName, LastName: i.LastName, Name: i.Name}, familyFirst[i.Provider])
}

// suggest finds the driver whom somebody looks like; nil: none, or several alike.
func (p *Matcher) suggest(one Person) *Suggestion {
	by := map[string][]string{} // driver → what is the same
	found := func(driver, how string) {
		if driver != "" && !slices.Contains(by[driver], how) {
			by[driver] = append(by[driver], how)
		}
	}
	for _, i := range one.Identities {
		for _, k := range i.Keys {
			found(p.known[i.Provider+"\x00"+k.Kind+"\x00"+p.spelled(k)], ByIdentity)
		}
	}
	found(p.emails[one.Email], ByEmail)
	found(p.phones[one.Phone], ByPhone)
	sure := len(by)
	for _, i := range one.Identities {
		found(p.words[nameKey(i.FullName())], ByName)
	}
	var best string
	for _, driver := range slices.Sorted(maps.Keys(by)) {
		if best == "" || surer(by[driver], by[best]) {
			best = driver
		}
	}
	if best == "" {
		return nil
	}
	driver := p.drivers[best]
	return &Suggestion{DriverID: best, Driver: Name{driver.FirstName, driver.LastName}, By: by[best],
		Certain: sure == 1 && len(by) == 1 && by[best][0] != ByName &&
			alike(nameKey(one.First+" "+one.Last), nameKey(driver.FirstName+" "+driver.LastName))}
}

// surer compares evidence: what comes first, and then how much there is.
func surer(a, b []string) bool {
	rank := func(by []string) int {
		return slices.Index([]string{ByName, ByPhone, ByEmail, ByIdentity}, by[0])*10 + len(by)
	}
	return rank(a) > rank(b)
}

// alike says whether two names can be one person's: they have a word in common, or one is not known.
func alike(a, b string) bool {
	words := strings.Fields(b)
	return a == "" || b == "" || slices.ContainsFunc(strings.Fields(a), func(word string) bool { return slices.Contains(words, word) })
}

// together puts identities together that are one person, each group and all of them the newest first. People are never put together
// who may be two: of one provider with other names, or with a phone number or an address each.
func (p *Matcher) together(waiting []Identity) [][]Identity {
	g := newGroups(p, waiting)
	g.byContact()
	g.byName()
	found := map[int][]Identity{}
	order := []int{}
	for n, i := range waiting {
		root := g.of(n)
		if found[root] == nil {
			order = append(order, root)
		}
		found[root] = append(found[root], i)
	}
	people := make([][]Identity, len(order))
	for n, root := range order {
		people[n] = found[root]
	}
	return people
}

// groups are identities that are one person.
type groups struct {
	waiting  []Identity
	parent   []int
	names    []string            // by identity
	contacts []map[string]string // by identity: kind → value
}

func newGroups(p *Matcher, waiting []Identity) *groups {
	g := &groups{waiting: waiting, parent: make([]int, len(waiting)), names: make([]string, len(waiting)),
		contacts: make([]map[string]string, len(waiting))}
	for n, i := range waiting {
		g.parent[n], g.names[n] = n, nameKey(i.FullName())
		email, phone := i.contact(p.country)
		g.contacts[n] = map[string]string{ByEmail: email, ByPhone: phone}
	}
	return g
}

// of is the group of an identity.
func (g *groups) of(n int) int {
	for g.parent[n] != n {
		g.parent[n] = g.parent[g.parent[n]]
		n = g.parent[n]
	}
	return n
}

// byContact joins those who share a number or an address. One that people of several names have, such as an office's, joins nobody.
func (g *groups) byContact() {
	for _, kind := range []string{ByPhone, ByEmail} {
		sharing := map[string][]int{}
		for n, contacts := range g.contacts {
			if value := contacts[kind]; value != "" {
				sharing[value] = append(sharing[value], n)
			}
		}
		for _, all := range sharing {
			if g.onePerson(all) {
				g.join(all)
			}
		}
	}
}

func (g *groups) onePerson(all []int) bool {
	for n, a := range all {
		for _, b := range all[:n] {
			same := g.names[a] == g.names[b]
			if !same && (g.waiting[a].Provider == g.waiting[b].Provider || !alike(g.names[a], g.names[b])) {
				return false
			}
		}
	}
	return true
}

// byName joins what is left by a name that one person of each provider has, and whose contacts do not differ.
func (g *groups) byName() {
	sharing := map[string][]int{}
	for n, name := range g.names {
		if name != "" {
			sharing[name] = append(sharing[name], n)
		}
	}
	for _, all := range sharing {
		if !g.differ(all) {
			g.join(all)
		}
	}
}

// differ says whether identities of one name are more than one person.
func (g *groups) differ(all []int) bool {
	groupOf := map[string]int{} // provider, or kind of contact and value → group
	for _, n := range all {
		group, provider := g.of(n), "provider "+g.waiting[n].Provider
		if other, taken := groupOf[provider]; taken && other != group {
			return true
		}
		groupOf[provider] = group
		for kind, value := range g.contacts[n] {
			if value == "" {
				continue
			}
			if other, taken := groupOf[kind]; taken && other != group {
				return true
			}
			groupOf[kind] = group
		}
	}
	return false
}

func (g *groups) join(all []int) {
	for _, n := range all[1:] {
		g.parent[g.of(n)] = g.of(all[0])
	}
}

// rowSums is what waits of an identity.
type rowSums struct {
	IdentityID      string
	Rows            int64
	Sum             money.Amount
	FirstOn, LastOn string
}

// addRows adds up what waits of the people of a page.
func addRows(tx *db.Tx, people []Person) error {
	of, marks, ids := map[string]*Person{}, []string{}, []any{}
	for n := range people {
		for _, i := range people[n].Identities {
			of[i.ID] = &people[n]
			ids = append(ids, i.ID)
			marks = append(marks, fmt.Sprintf("$%d", len(ids)+1))
		}
	}
	if len(ids) == 0 {
		return nil
	}
	sums, err := db.Select[rowSums](tx, `SELECT identity_id, COUNT(*) AS rows, CAST(SUM(amount) AS BIGINT) AS sum,
		MIN(occurred_on) AS first_on, MAX(occurred_on) AS last_on
		FROM unmatched_rows WHERE tenant_id = $1 AND identity_id IN (`+strings.Join(marks, ", ")+`)
		GROUP BY identity_id`, ids...)
	for _, s := range sums {
		p := of[s.IdentityID]
		for n := range p.Identities {
			if i := &p.Identities[n]; i.ID == s.IdentityID {
				i.Rows, i.Sum, i.FirstOn, i.LastOn = s.Rows, s.Sum, s.FirstOn, s.LastOn
			}
		}
		p.Rows, p.Sum = p.Rows+s.Rows, p.Sum+s.Sum
		if p.FirstOn == "" || s.FirstOn < p.FirstOn {
			p.FirstOn = s.FirstOn
		}
		p.LastOn = max(p.LastOn, s.LastOn)
	}
	return err
}

// contact is how somebody can be reached, as files say. What is no address or number is left out.
func (i Identity) contact(country string) (email, phone string) {
	who := &Matcher{country: country}
	for _, k := range i.Keys {
		switch value := who.spelled(k); k.Kind {
		case statement.ByEmail:
			if _, err := official.ParseEmail(value); err == nil {
				email = value
			}
		case statement.ByPhone:
			if _, err := official.ParsePhone(value, country); err == nil {
				phone = value
			}
		}
	}
	return email, phone
}
