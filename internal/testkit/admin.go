package testkit

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"

	"saldo/internal/identity"
	"saldo/internal/kernel/access"
)

// Provider is an identity provider under test.
type Provider struct {
	Admin  identity.Admin
	Public string                 // the address that people type: links in its mails start with it
	Mails  func() []Taken         // what it has mailed so far
	SignIn func(id, email string) // gives the user a password and one more session
	Live   func(id string) int    // how many sessions the user has
}

// contract is one test of the contract.
type contract struct {
	Provider
	t *testing.T
}

// AdminContract shows what every identity.Admin must do. open is called once
// for each behaviour and may give the same provider again: no behaviour minds
// what another has left behind.
func AdminContract(t *testing.T, open func(t *testing.T) Provider) {
	t.Helper()
	for name, behaviour := range map[string]func(contract){
		"nobody is found who was not made":                                 contract.nobody,
		"who was made is found, whatever the case of the address":          contract.found,
		"a user is made once, whatever the case of the address":            contract.once,
		"a user who exists gets the role and keeps the name":               contract.role,
		"somebody new is refused an address that is known":                 contract.fresh,
		"a partner's person does not become a driver":                      contract.partnerStays,
		"eight who ask at the same moment get one user":                    contract.together,
		"an address is found only by itself":                               contract.exact,
		"attributes are replaced by name, removed by emptiness, else kept": contract.attributes,
		"what people are called survives":                                  contract.names,
		"the activation mail has a link at the public address":             contract.activation,
		"every session of a user ends":                                     contract.sessions,
		"who is forgotten is not found, and may be forgotten again":        contract.forgotten,
		"an unknown user is said to be unknown":                            contract.unknown,
	} {
		t.Run(name, func(t *testing.T) { behaviour(contract{open(t), t}) })
	}
}

// NewAddress makes an address that nobody has.
func NewAddress() string { return "p-" + uuid.NewString() + "@saldo.example" }

func (c contract) ensure(u identity.NewUser) string {
	c.t.Helper()
	id, _, err := c.Admin.EnsureUser(context.Background(), u)
	if err != nil || id == "" {
		c.t.Fatalf("%q %v", id, err)
	}
	return id
}

func (c contract) find(email string) identity.User {
	c.t.Helper()
	u, err := c.Admin.FindByEmail(context.Background(), email)
	if err != nil {
		c.t.Fatal(err)
	}
	return u
}

func anna() identity.NewUser {
	return identity.NewUser{Email: NewAddress(), FirstName: "Anna", LastName: "Kowalska", Language: "pl", Role: access.Driver}
}

func (c contract) nobody() {
	for _, email := range []string{NewAddress(), "", "%", "*", "not an address"} {
		if u, err := c.Admin.FindByEmail(context.Background(), email); !errors.Is(err, identity.ErrNoUser) {
			c.t.Errorf("%q: %+v %v", email, u, err)
		}
	}
}

func (c contract) found() {
	n := anna()
	id := c.ensure(n)
	for _, email := range []string{n.Email, strings.ToUpper(n.Email)} {
		u := c.find(email)
		if u.ID != id || u.Email != n.Email || u.FirstName != "Anna" || u.LastName != "Kowalska" || u.Verified || !u.Enabled ||
			!slices.Contains(u.Roles, access.Driver) {
			c.t.Errorf("%s: %+v", email, u)
		}
	}
}

func (c contract) once() {
	n := anna()
	for i, email := range []string{n.Email, n.Email, strings.ToUpper(n.Email)} {
		n.Email = email
		id, created, err := c.Admin.EnsureUser(context.Background(), n)
		if err != nil || created != (i == 0) || id != c.find(email).ID {
			c.t.Errorf("%s: %q %v %v", email, id, created, err)
		}
	}
}

func (c contract) role() {
	n := anna()
	id := c.ensure(n)
	n.Role, n.FirstName, n.Attributes = access.Partner, "Somebody", map[string]string{identity.PartnerCode: "evil"}
	if again := c.ensure(n); again != id {
		c.t.Fatalf("%s and %s", id, again)
	}
	if u := c.find(n.Email); u.FirstName != "Anna" || !slices.Contains(u.Roles, access.Partner) || !slices.Contains(u.Roles, access.Driver) ||
		u.Attributes[identity.PartnerCode] != "" {
		c.t.Errorf("%+v", u)
	}
}

func (c contract) fresh() {
	n := anna()
	n.Fresh, n.Attributes = true, map[string]string{identity.ReferenceID: "invitation-1"}
	c.ensure(n)
	n.Role, n.FirstName, n.Email = access.Partner, "Somebody", strings.ToUpper(n.Email)
	if id, created, err := c.Admin.EnsureUser(context.Background(), n); !errors.Is(err, identity.ErrTaken) || id != "" || created {
		c.t.Errorf("%q %v %v", id, created, err)
	}
	u := c.find(n.Email)
	if u.FirstName != "Anna" || slices.Contains(u.Roles, access.Partner) || u.Attributes[identity.ReferenceID] != "invitation-1" {
		c.t.Errorf("%+v", u)
	}
}

// partnerStays: whoever adds a driver types an address, and it may be anybody's.
func (c contract) partnerStays() {
	n := anna()
	n.Role, n.Attributes = access.Partner, map[string]string{identity.PartnerCode: "P-1"}
	c.ensure(n)
	before := c.find(n.Email)
	n.Role, n.FirstName, n.Email = access.Driver, "Somebody", strings.ToUpper(n.Email)
	if id, created, err := c.Admin.EnsureUser(context.Background(), n); !errors.Is(err, identity.ErrTaken) || id != "" || created {
		c.t.Errorf("%q %v %v", id, created, err)
	}
	if after := c.find(n.Email); !reflect.DeepEqual(before, after) {
		c.t.Errorf("%+v became %+v", before, after)
	}
}

func (c contract) together() {
	n := anna()
	ids, made := make([]string, 8), make([]bool, 8)
	var wg sync.WaitGroup
	for i := range ids {
		wg.Go(func() {
			var err error
			if ids[i], made[i], err = c.Admin.EnsureUser(context.Background(), n); err != nil {
				c.t.Error(err)
			}
		})
	}
	wg.Wait()
	count := 0
	for _, m := range made {
		if m {
			count++
		}
	}
	if slices.Sort(ids); len(slices.Compact(ids)) != 1 || count != 1 {
		c.t.Errorf("%d made: %v", count, ids)
	}
}

func (c contract) exact() {
	n := anna()
	id := c.ensure(n)
	longer := n
	longer.Email = "x" + n.Email
	if other := c.ensure(longer); other == id || c.find(n.Email).ID != id || c.find(longer.Email).ID != other {
		c.t.Errorf("%s and %s are mixed up", n.Email, longer.Email)
	}
}

func (c contract) attributes() {
	n := anna()
	n.Attributes = map[string]string{identity.PartnerCode: "P-1", identity.ReferenceID: "r-1"}
	id := c.ensure(n)
	set := func(a map[string]string) {
		if err := c.Admin.SetAttributes(context.Background(), id, a); err != nil {
			c.t.Fatal(err)
		}
	}
	want := func(code, reference, link string) {
		c.t.Helper()
		a := c.find(n.Email).Attributes
		if a[identity.PartnerCode] != code || a[identity.ReferenceID] != reference || a[identity.ReferenceLink] != link {
			c.t.Errorf("%v", a)
		}
	}
	want("P-1", "r-1", "")
	set(map[string]string{identity.PartnerCode: "P-2", identity.ReferenceLink: "https://saldo.example/r?a=1&b=ł"})
	want("P-2", "r-1", "https://saldo.example/r?a=1&b=ł")
	set(map[string]string{identity.ReferenceID: ""})
	set(map[string]string{identity.ReferenceID: ""}) // what is not there can be removed
	want("P-2", "", "https://saldo.example/r?a=1&b=ł")
}

func (c contract) names() {
	n := anna()
	n.FirstName, n.LastName = "Żółć Олена", "O'Brien-Müller"
	id := c.ensure(n)
	if err := c.Admin.SetAttributes(context.Background(), id, map[string]string{identity.ReferenceID: "r"}); err != nil {
		c.t.Fatal(err)
	}
	if u := c.find(n.Email); u.FirstName != n.FirstName || u.LastName != n.LastName || u.Email != n.Email || !u.Enabled {
		c.t.Errorf("%+v", u)
	}
}

func (c contract) activation() {
	n := anna()
	id := c.ensure(n)
	if err := c.Admin.SendActivation(context.Background(), id, c.Public+"/app/", 72*time.Hour); err != nil {
		c.t.Fatal(err)
	}
	Eventually(c.t, "a mail with a link", func() bool { return len(c.mailed(n.Email)) > 0 })
	mails := c.mailed(n.Email)
	if len(mails) != 1 {
		c.t.Errorf("%d mails", len(mails))
	}
	links := Links(c.t, mails[0].Data)
	if len(links) == 0 {
		c.t.Errorf("no link in %s", mails[0].Data)
	}
	for _, link := range links {
		if !strings.HasPrefix(link, c.Public+"/auth/") {
			c.t.Errorf("a link elsewhere: %s", link)
		}
	}
	if u := c.find(n.Email); u.Verified {
		c.t.Error("a mail that was only sent proves the address")
	}
}

func (c contract) mailed(to string) (mails []Taken) {
	for _, m := range c.Mails() {
		if strings.EqualFold(m.To, to) {
			mails = append(mails, m)
		}
	}
	return mails
}

func (c contract) sessions() {
	n, other := anna(), anna()
	id, stays := c.ensure(n), c.ensure(other)
	c.SignIn(id, n.Email)
	c.SignIn(id, n.Email)
	c.SignIn(stays, other.Email)
	if live := c.Live(id); live != 2 {
		c.t.Fatalf("%d sessions of two", live)
	}
	for range 2 { // also when there are none
		if err := c.Admin.LogoutAll(context.Background(), id); err != nil {
			c.t.Fatal(err)
		}
	}
	if c.Live(id) != 0 || c.Live(stays) != 1 {
		c.t.Errorf("%d sessions live, and %d of somebody else's one", c.Live(id), c.Live(stays))
	}
}

func (c contract) forgotten() {
	n := anna()
	id := c.ensure(n)
	for range 2 {
		if err := c.Admin.Delete(context.Background(), id); err != nil {
			c.t.Fatal(err)
		}
	}
	if u, err := c.Admin.FindByEmail(context.Background(), n.Email); !errors.Is(err, identity.ErrNoUser) {
		c.t.Errorf("%+v %v", u, err)
	}
	if again, created, err := c.Admin.EnsureUser(context.Background(), n); err != nil || !created || again == id {
		c.t.Errorf("who comes back is somebody new: %s %v %v", again, created, err)
	}
}

func (c contract) unknown() {
	ctx := context.Background()
	for _, id := range []string{uuid.NewString(), "", "..", "a/b?c"} {
		for what, err := range map[string]error{
			"SetAttributes":  c.Admin.SetAttributes(ctx, id, map[string]string{identity.ReferenceID: "r"}),
			"SendActivation": c.Admin.SendActivation(ctx, id, c.Public+"/app/", time.Hour),
			"LogoutAll":      c.Admin.LogoutAll(ctx, id),
		} {
			if !errors.Is(err, identity.ErrNoUser) {
				c.t.Errorf("%s of %q: %v", what, id, err)
			}
		}
		if err := c.Admin.Delete(ctx, id); err != nil {
			c.t.Errorf("Delete of %q: %v", id, err)
		}
	}
}

var link = regexp.MustCompile(`https?://[^\s"'<>]+`)

// Links lists the addresses in the plain text of a mail.
func Links(t testing.TB, data string) []string {
	t.Helper()
	return link.FindAllString(PlainText(t, data), -1)
}

// PlainText is what a mail says to whoever reads no HTML.
func PlainText(t testing.TB, data string) string {
	t.Helper()
	m, err := mail.ReadMessage(strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	text, err := plainText(m.Header.Get, m.Body)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func plainText(header func(string) string, body io.Reader) (string, error) {
	kind, params, err := mime.ParseMediaType(header("Content-Type"))
	if err != nil {
		return "", fmt.Errorf("%q: %w", header("Content-Type"), err)
	}
	if strings.HasPrefix(kind, "multipart/") {
		parts := multipart.NewReader(body, params["boundary"])
		for {
			part, err := parts.NextRawPart()
			if err != nil {
				return "", fmt.Errorf("no plain text in %s: %w", kind, err)
			}
			if text, err := plainText(part.Header.Get, part); err == nil {
				return text, nil
			}
		}
	}
	if kind != "text/plain" {
		return "", errors.New("not plain text: " + kind)
	}
	if strings.EqualFold(header("Content-Transfer-Encoding"), "quoted-printable") {
		body = quotedprintable.NewReader(body)
	}
	text, err := io.ReadAll(body)
	return string(text), err
}
